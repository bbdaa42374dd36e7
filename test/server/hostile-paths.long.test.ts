import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transcriptFolder } from '../support/left-behind.ts';
import { type Process, preparedHome, startServerProcess, temporaryFolder } from '../support/process.ts';
import { request } from './support.ts';

// Whoever has the key of the hooks names the folders and transcripts that the server reads, and what lies there may be no
// file. The server is a process of its own: one that waits for a pipe answers nothing, not even the end of a test.

const KEY = `an-owner-key-for-tests-${'k'.repeat(20)}`;
let server: Process & { url: string };
beforeAll(async () => {
  server = await startServerProcess({ ...(await preparedHome()), LORE_KEY: KEY });
});
afterAll(() => server?.kill('SIGKILL'));

async function ask(method: string, path: string, body?: unknown) {
  const answer = await request(server.url, KEY, method, path, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}
const hook = (event: string, fields: object) =>
  ask('POST', '/v1/hooks', { session_id: randomUUID(), hook_event_name: event, ...fields });

const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const pipe = (path: string) => execFileSync('mkfifo', [path]);
const device = (path: string) => symlinkSync('/dev/zero', path);

describe('a session starts in a folder, and a note cites a commit of it, where', () => {
  const folder = (name: string) => (root: string) => join(root, name);
  const repository = (name: string) => (root: string) => {
    put(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
    mkdirSync(join(root, '.git/objects/pack'), { recursive: true });
    // the commit is there, unless the index is to be asked
    if (!name.endsWith('.idx')) put(join(root, '.git/objects/ab', `cdef1234${'0'.repeat(30)}`), '');
    rmSync(join(root, name), { force: true });
    return join(root, name);
  };
  test.each([
    ['.git', folder('.git')],
    ['HEAD', repository('.git/HEAD')],
    ['packed-refs', repository('.git/packed-refs')],
    ['the index of a pack', repository('.git/objects/pack/pack-1.idx')],
  ])('%s is a pipe, or a device without end', async (_, place) => {
    for (const make of [pipe, device]) {
      const root = realpathSync(temporaryFolder());
      make(place(root));
      const looked = async () => {
        const { links, unknown } = (await ask('GET', '/v1/metrics')).freshness;
        return links + unknown;
      };
      const before = await looked();
      await hook('SessionStart', { cwd: root, source: 'startup', lore: { root, deliveryId: randomUUID() } });
      const metadata = { breadcrumbs: { commits: ['abcdef1234'] } };
      await ask('POST', '/v1/notes', {
        project: root,
        agent: 'planner',
        content: 'The heron pool',
        metadata,
      });
      // it was looked at, and the server goes on
      await expect.poll(looked).toBe(before + 1);
    }
  });
});

describe('a transcript', () => {
  const usage = `${JSON.stringify({ type: 'assistant', message: { id: 'm1', usage: { output_tokens: 7 } } })}\n`;
  const end = (id: string, path: string) =>
    hook('SessionEnd', { session_id: id, reason: 'other', cwd: '/home/dev/app', transcript_path: path });
  /** Ends a session and waits until its transcript was read: one answer of seven tokens. */
  const isCounted = async (path: string) => {
    const id = randomUUID();
    await end(id, path);
    const tokens = () =>
      ask('GET', `/v1/sessions/${id}`).then(
        (session) => session.tokens,
        () => undefined,
      );
    await expect.poll(tokens).toBe(7);
  };

  test('with a line of 200 MB is read, and takes no memory for it', async () => {
    const path = join(transcriptFolder(), 'a.jsonl');
    writeFileSync(path, '');
    truncateSync(path, 200 * 1024 * 1024);
    appendFileSync(path, `\n${usage}`);
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
    const memory = (field: string) =>
      Number(new RegExp(`${field}:\\s*(\\d+)`).exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]);
    const before = memory('VmRSS');
    await isCounted(path);
    expect(memory('VmHWM') - before).toBeLessThan(150 * 1024);
  });

  test('that is a pipe or a device holds up neither other transcripts nor the end of the server', async () => {
    const folder = transcriptFolder();
    for (let i = 0; i < 8; i += 1) {
      const path = join(folder, `${i}.jsonl`);
      (i % 2 ? device : pipe)(path);
      await end(randomUUID(), path);
    }
    const path = join(folder, 'a.jsonl');
    put(path, usage);
    await isCounted(path);
    server.kill('SIGTERM');
    const { code, stderr } = await server.finished;
    expect([code, stderr.match(/"level":"(warn|error)".*/g)]).toEqual([0, null]);
  });
});
