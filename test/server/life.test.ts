import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Process,
  preparedHome,
  runLore,
  startServerProcess,
  temporaryFolder,
} from '../support/process.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const KEY = `an-owner-key-for-tests-${'k'.repeat(20)}`;
/** The promise is 5 s, which `npm run attack` measures. Tests run beside others, on machines that may be very busy. */
const MAX_STOP_MS = 30_000;
const mode = (path: string) => fs.statSync(path).mode & 0o777;

/** What a connection sends that never finishes its request. None of it needs a key. */
const UNFINISHED = {
  nothing: '',
  'half a header': 'POST /v1/hooks HTTP/1.1\r\nhost: lo',
  'half a body':
    'POST /v1/hooks HTTP/1.1\r\nhost: lore\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
};

async function unfinished(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

const health = async (url: string) => (await fetch(`${url}/health`)).status;

describe('connections that never finish a request', () => {
  let env: Record<string, string>;
  let server: Process & { url: string };
  beforeAll(async () => {
    env = { ...(await preparedHome()), LORE_KEY: KEY };
    server = await startServerProcess(env);
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await server.finished;
  });

  test('are closed after some seconds if they sent no whole header, and hold up nobody', async () => {
    const texts = [UNFINISHED.nothing, UNFINISHED['half a header']];
    const opening = texts.flatMap((text) => Array.from({ length: 50 }, () => unfinished(server.url, text)));
    const sockets = await Promise.all(opening);
    for (const socket of sockets) socket.resume();
    expect(await health(server.url)).toBe(200);
    const started = performance.now();
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  test('do not keep a server that is asked to end', async () => {
    const texts = Object.values(UNFINISHED);
    const opening = texts.flatMap((text) => Array.from({ length: 5 }, () => unfinished(server.url, text)));
    const sockets = await Promise.all(opening);
    expect(await health(server.url)).toBe(200);
    const started = performance.now();
    server.kill('SIGTERM');
    expect(await server.finished).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - started).toBeLessThan(MAX_STOP_MS);
    for (const socket of sockets) socket.destroy();
  });

  test('do not keep a server that is asked twice, which ends at once', async () => {
    server = await startServerProcess(env);
    const socket = await unfinished(server.url, UNFINISHED['half a body']);
    expect(await health(server.url)).toBe(200);
    server.kill('SIGINT');
    await expect.poll(() => health(server.url).catch(() => 'refused'), { interval: 10 }).toBe('refused');
    server.kill('SIGINT');
    expect(await server.finished).toMatchObject({ code: 130 });
    socket.destroy();
  });
});

describe('the data folder', () => {
  test('keeps its mode if it was there; what Lore makes inside is for this user only', async () => {
    const env = { ...(await preparedHome()) };
    const home = env.LORE_HOME;
    fs.rmSync(join(home, 'pgdata'), { recursive: true, force: true });
    fs.mkdirSync(home, { recursive: true });
    fs.chmodSync(home, 0o755);
    const server = await startServerProcess(env);
    server.kill('SIGTERM');
    const { stderr } = await server.finished;
    expect(mode(home)).toBe(0o755);
    expect(stderr).toMatch(/"mode":"755","msg":"other users may enter the data folder/);
    const made = fs.readdirSync(home).filter((name) => name !== 'models');
    expect(made).toContain('key');
    for (const name of made) expect([name, mode(join(home, name)) & 0o077]).toEqual([name, 0]);
  });
});

/** Returns the environment that runs some code in each process and thread before anything else. */
function preload(code: string): { NODE_OPTIONS: string } {
  const file = join(temporaryFolder(), 'preload.cjs');
  fs.writeFileSync(file, code);
  return { NODE_OPTIONS: `--require ${file}` };
}

test.each(['18.20.4', '19.9.0', '8.0.0'])('Node %s is refused in one clear sentence', async (node) => {
  const env = preload(`Object.defineProperty(process, 'versions', { value: { node: '${node}' } })`);
  expect(await runLore(['start'], { env })).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: `lore: Node 20 or newer is needed, and this is Node ${node}.\n`,
  });
});

test('a log that cannot be written ends no server', async () => {
  // each write to standard error fails, as on a full disk, and so does each truncation of the journal
  const full = preload(`const fs = require('fs');
    const { writeSync, ftruncateSync } = fs;
    const fail = () => { throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }); };
    fs.writeSync = (fd, ...rest) => fd === 2 ? fail() : writeSync(fd, ...rest);
    let locked = false;
    fs.ftruncateSync = (...all) => locked ? fail() : (locked = true, ftruncateSync(...all));
    require('module').syncBuiltinESMExports();`);
  const env = { ...(await preparedHome()), ...full, LORE_KEY: KEY, LORE_LOG_LEVEL: 'debug' };
  const server = await startServerProcess(env);
  for (const id of ['1', '2']) {
    expect(await hook(server.url, id)).toBe(200);
    expect(await storedCalls(server.url)).toContain(id);
  }
  server.kill('SIGTERM');
  expect(await server.finished).toMatchObject({ code: 0 });
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

async function post(url: string, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

const hook = async (url: string, id: string): Promise<number> =>
  (
    await post(url, '/v1/hooks', {
      session_id: 'life',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: id,
      tool_input: { command: 'npm test' },
      tool_response: { stdout: 'ok' },
    })
  ).status;

async function storedCalls(url: string): Promise<string[]> {
  const answer = await post(url, '/v1/sql', { query: 'select tool_use_id as id from events order by id' });
  const { rows } = (await answer.json()) as { rows: { id: string }[] };
  return rows.map(({ id }) => id);
}
