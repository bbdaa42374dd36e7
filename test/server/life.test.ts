import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { preparedHome, startLore, startServerProcess, temporaryFolder } from '../support/process.ts';
import { request } from './support.ts';

const KEY = `an-owner-key-for-tests-${'k'.repeat(20)}`;

// That connections without a whole request are closed, and hold up neither hooks nor SIGTERM, is in attack.test.ts.
test('a second signal ends a server at once that a connection keeps', async () => {
  const server = await startServerProcess({ ...(await preparedHome()), LORE_KEY: KEY });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const half =
    'POST /v1/hooks HTTP/1.1\r\nhost: lore\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{';
  await new Promise((resolve) => socket.write(half, resolve));
  const health = async () => (await fetch(`${server.url}/health`)).status;
  const { headers, status } = await fetch(`${server.url}/health`);
  expect(status).toBe(200);
  // clients keep a connection for seconds, and must not send over one that the server closes at that moment
  expect(headers.get('keep-alive')).toBe('timeout=65');
  server.kill('SIGINT');
  await expect.poll(() => health().catch(() => 'refused')).toBe('refused');
  server.kill('SIGINT');
  expect(await server.finished).toMatchObject({ code: 130 });
  socket.destroy();
});

/** Returns the environment that runs some code in each process and thread before anything else. */
function preload(code: string): { NODE_OPTIONS: string } {
  const file = join(temporaryFolder(), 'preload.cjs');
  fs.writeFileSync(file, code);
  return { NODE_OPTIONS: `--require ${file}` };
}

test.each(['20.18.3', '8.0.0'])('Node %s is refused in one clear sentence', async (node) => {
  const env = preload(`Object.defineProperty(process, 'versions', { value: { node: '${node}' } })`);
  const stderr = `lore: Node 20.19 or newer is needed, and this is Node ${node}.\n`;
  expect(await startLore(['start'], { env }).finished).toEqual({ code: 1, signal: null, stdout: '', stderr });
});

test('LORE_SYNC=on: the disk has an event before the answer, and each commit of the embedded database', async () => {
  const file = join(temporaryFolder(), 'syncs');
  const counted = preload(`const fs = require('fs');
    const { isMainThread } = require('worker_threads');
    for (const name of ['fsyncSync', 'fdatasyncSync']) {
      const real = fs[name];
      fs[name] = (fd) => {
        fs.appendFileSync(${JSON.stringify(file)}, isMainThread ? 'journal\\n' : 'database\\n');
        return real(fd);
      };
    }
    require('module').syncBuiltinESMExports();`);
  const env = { ...(await preparedHome()), ...counted, LORE_KEY: KEY, LORE_SYNC: 'on' };
  const server = await startServerProcess(env);
  const syncs = (of: string) =>
    fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line === of).length;
  const before = { journal: syncs('journal'), database: syncs('database') };
  expect(await hook(server.url, '1')).toBe(200);
  expect(syncs('journal')).toBe(before.journal + 1);
  expect(await storedCalls(server.url)).toEqual(['1']);
  if (!env.DATABASE_URL) expect(syncs('database')).toBeGreaterThan(before.database);
  server.kill('SIGTERM');
  expect(await server.finished).toMatchObject({ code: 0 });
});

const hook = async (url: string, id: string): Promise<number> => {
  const call = { tool_name: 'Bash', tool_use_id: id, tool_input: { command: 'npm test' } };
  const event = {
    session_id: 'life',
    hook_event_name: 'PostToolUse',
    ...call,
    tool_response: { stdout: 'ok' },
  };
  return (await request(url, KEY, 'POST', '/v1/hooks', event)).status;
};

async function storedCalls(url: string): Promise<string[]> {
  const query = 'select tool_use_id as id from events order by id';
  const { rows } = (await request(url, KEY, 'POST', '/v1/sql', { query })).body;
  return rows.map(({ id }: { id: string }) => id);
}
