import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { referencesOf } from '../../src/kinds/citations.ts';
import { look } from '../../src/kinds/look.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { withGit } from '../support/needs.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

withGit.orSkipFile();

const server = await startTestServer({ LORE_MODEL_DIR: '' });

/** Creates a work tree with a commit. */
function workTree() {
  const root = realpathSync(temporaryFolder());
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  git('init', '-q', '-b', 'main');
  write('src/pool.ts', 'export function openPool() {}\n');
  write('src/other.ts', 'export const other = 1;\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  return { root, git, write, head: git('rev-parse', 'HEAD') };
}

/** Writes a note about a work tree in which a session of this user runs. */
async function noted(key: string | undefined, root: string, breadcrumbs: object) {
  const ask = (method: string, path: string, body?: unknown) =>
    server.request(method, path, { ...(key && { key }), body });
  await hookSession(server, { ...(key && { key }), cwd: root }).start();
  await server.stored();
  const { status, body } = await ask('POST', '/v1/notes', {
    project: root,
    agent: 'planner',
    content: 'The heron pool, for @reviewer',
    metadata: { breadcrumbs },
  });
  expect(status).toBe(201);
  await server.settled();
  const stale = async () => {
    // whatever does not fit into five milliseconds is looked at behind the answer
    await ask('GET', `/v1/notes/${body.id}`);
    await server.settled();
    const searched = (await ask('POST', '/v1/search', { query: 'heron pool', project: root })).body
      .results[0];
    const listed = (await ask('GET', `/v1/notes?project=${encodeURIComponent(root)}`)).body.notes[0];
    const got = (await ask('GET', `/v1/notes/${body.id}`)).body;
    expect(listed.stale).toEqual(got.stale);
    expect(searched.metadata.stale ?? []).toEqual(got.stale);
    await server.settled();
    return got.stale.map(({ ref, state }: { ref: string; state: string }) => `${ref} ${state}`);
  };
  return { id: body.id, ask, stale };
}

describe('on the machine of the owner', () => {
  test('what a note cites is stale once it is gone or changed, and fresh again when it is put back', async () => {
    const { root, write, head } = workTree();
    const { stale, ask } = await noted(undefined, root, {
      modified_files: ['src/pool.ts', 'src/other.ts:1', 'src/pool.ts#openPool'],
      deleted_files: ['src/old.ts'],
      commits: [head.slice(0, 10)],
    });
    expect(await stale()).toEqual([]);
    write('src/pool.ts', '// more\nexport function openPool() {}\n');
    expect(await stale()).toEqual(['file:src/pool.ts changed']);
    write('src/pool.ts', 'export function open() {}\n');
    unlinkSync(join(root, 'src/other.ts'));
    expect(await stale()).toEqual([
      'file:src/other.ts gone',
      'file:src/pool.ts changed',
      'symbol:src/pool.ts#openPool gone',
    ]);
    write('src/other.ts', 'export const other = 1;\n');
    write('src/pool.ts', 'export function openPool() {}\n');
    expect(await stale()).toEqual([]);
    rmSync(join(root, '.git'), { recursive: true });
    expect(await stale()).toEqual([]);
    const { freshness } = (await ask('GET', '/v1/metrics')).body;
    expect(freshness).toMatchObject({ links: 3, dead: 0, unknown: 1, validRate: 1 });
  });

  test('an agent that is told of the note is told that it is stale', async () => {
    const { root, write, head } = workTree();
    await noted(undefined, root, { modified_files: ['src/pool.ts'] });
    write('src/pool.ts', '');
    await server.request('GET', `/v1/notes?project=${encodeURIComponent(root)}`);
    await server.settled();
    const told = contextOf(
      await hookSession(server, { cwd: root }).send('SubagentStart', {
        agent_id: 'a',
        agent_type: 'reviewer',
      }),
    );
    expect(told).toContain(`STALE: src/pool.ts has changed since ${head.slice(0, 7)}`);
  });

  test('nothing outside of the project is looked at', async () => {
    const { root } = workTree();
    const outside = realpathSync(temporaryFolder());
    writeFileSync(join(outside, 'secret.txt'), 'one');
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'));
    symlinkSync('/nonexistent', join(root, 'dangling'));
    symlinkSync('loop', join(root, 'loop'));
    const files = [
      join(outside, 'secret.txt'),
      `../${outside.split('/').at(-1)}/secret.txt`,
      'out/secret.txt',
      'out/none.txt',
      'link.txt',
      'dangling',
      'loop',
      '..',
      '.',
      'src',
      'a'.repeat(4000),
      '/dev/zero',
    ];
    for (const file of files)
      expect([file, look(root, `file:${file}`)]).toEqual([file, { state: 'unknown' }]);
    expect(look(root, 'symbol:out/secret.txt#one')).toEqual({ state: 'unknown' });
    const { stale } = await noted(undefined, root, { modified_files: files });
    rmSync(outside, { recursive: true });
    expect(await stale()).toEqual([]);
    expect(look(root, `file:${root}/src/pool.ts`).state).toBe('there');
  });
});

describe('for others', () => {
  test('the server looks at nothing; the hook and lore freshness tell what they see', async () => {
    const { root, write } = workTree();
    const { key } = await server.member();
    const { ask, stale } = await noted(key, root, { modified_files: ['src/pool.ts', 'gone.ts'] });
    const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: key };
    const states = async () =>
      (await ask('GET', `/v1/freshness?project=${encodeURIComponent(root)}`)).body.citations.map(
        ({ ref, state }: { ref: string; state: string }) => `${ref} ${state}`,
      );
    expect((await states()).sort()).toEqual(['file:gone.ts waiting', 'file:src/pool.ts waiting']);
    const started = await spawnHook(root, env);
    expect(started).not.toContain('"lore"');
    expect(await states()).toEqual(['file:src/pool.ts fresh']);
    write('src/pool.ts', 'changed');
    expect(await stale()).toEqual([]);
    await spawnHook(root, env);
    expect(await stale()).toEqual(['file:src/pool.ts changed']);
    write('src/pool.ts', 'export function openPool() {}\n');
    const said = await runLore(['freshness'], { env, cwd: root });
    expect(said.stdout).toContain('1 looked at, 0 of them stale');
    expect(await stale()).toEqual([]);
    unlinkSync(join(root, 'src/pool.ts'));
    expect((await runLore(['freshness'], { env, cwd: root })).stdout).toContain('gone     src/pool.ts');
    expect((await ask('GET', '/v1/metrics')).body.freshness).toMatchObject({
      links: 2,
      dead: 2,
      validRate: 0,
    });
  });
});

/** Starts a session by the real hook, and returns what it prints. */
async function spawnHook(root: string, env: Record<string, string>): Promise<string> {
  const script = fileURLToPath(new URL('../../hooks/session-start', import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...env, LORE_HOOK_TIMEOUT_MS: '60000' },
  });
  const event = {
    hook_event_name: 'SessionStart',
    session_id: crypto.randomUUID(),
    cwd: root,
    source: 'startup',
  };
  child.stdin.end(JSON.stringify(event));
  let said = '';
  for await (const piece of child.stdout.setEncoding('utf8')) said += piece;
  return said;
}

describe('references', () => {
  test.each([
    ['src/a.ts', 'file:src/a.ts'],
    ['src/a.ts:12', 'file:src/a.ts'],
    ['src/a.ts:12:3', 'file:src/a.ts'],
    ['src/a.ts#L12-L20', 'file:src/a.ts'],
    ['src/a.ts#open', 'symbol:src/a.ts#open'],
    ['src/a.ts:open()', 'symbol:src/a.ts#open'],
    ['src/a.rs::Pool', 'symbol:src/a.rs#Pool'],
  ])('%s is %s', (given, ref) => {
    expect(referencesOf({ breadcrumbs: { modified_files: [given] } })).toEqual([ref]);
  });
});
