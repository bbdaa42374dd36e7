import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';

withGit.orSkipFile();

// Which sessions are of one project. Folders are real repositories, and their starts are told by the real hook.

const server = await sharedServer({ model: false });
const script = fileURLToPath(new URL('../../hooks/session-start', import.meta.url));
const { mainTree, repoName } = createRequire(import.meta.url)(`${script}.cjs`) as {
  mainTree(cwd: string): string | undefined;
  repoName(url: string): string | null;
};

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-C', cwd, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);

/** Makes a repository with a commit. */
function repository(remote?: string): string {
  const dir = join(realpathSync(temporaryFolder()), 'shop');
  execFileSync('git', ['init', '-q', '-b', 'main', dir]);
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'first');
  if (remote) git(dir, 'remote', 'add', 'origin', remote);
  return dir;
}

/** Returns a member, and how the real hook tells the start of a session of theirs in a folder. */
async function member() {
  const { key, userId } = await server.member();
  /** Starts a session there and returns the name of its project. */
  const startIn = async (cwd: string, hooksKey = key) => {
    const session_id = randomUUID();
    const event = { session_id, cwd, hook_event_name: 'SessionStart', source: 'startup' };
    const env = {
      PATH: process.env.PATH,
      LORE_KEY: hooksKey,
      LORE_URL: server.url,
      LORE_HOOK_TIMEOUT_MS: '20000',
    };
    await new Promise((done) => {
      execFile(process.execPath, [script], { env }, done).stdin?.end(JSON.stringify(event));
    });
    await server.stored();
    const { body } = await server.request('GET', `/v1/sessions/${session_id}`, { key });
    return body.project as string | undefined;
  };
  const projects = async (): Promise<string[]> =>
    (await server.request('GET', '/v1/projects', { key })).body.projects.map(
      ({ name }: { name: string }) => name,
    );
  return { key, userId, startIn, projects };
}

describe('one repository without a remote', () => {
  test.each([
    ['the main tree first', true],
    ['a linked one first', false],
  ])('is one project, %s', async (_, mainFirst) => {
    const { startIn, projects } = await member();
    const main = repository();
    const linked = join(main, '.claude/worktrees/f');
    git(main, 'worktree', 'add', '-q', '-b', 'f', linked);
    expect([mainTree(main), mainTree(linked)]).toEqual([undefined, main]);
    const order = mainFirst ? [main, linked, main] : [linked, main, linked];
    for (const dir of order) expect(await startIn(dir)).toBe(main);
    expect(await projects()).toEqual([main]);
  });
});

describe('a work tree that is known keeps its project', () => {
  const name = () => `example.org/acme/${randomUUID()}`;

  test('when its remote gets another name, with the key that is bound to it', async () => {
    const { key, startIn, projects } = await member();
    const [before, after] = [name(), name()];
    const dir = repository(`https://${before}.git`);
    const body = { name: 'hooks', scope: 'hooks', project: before };
    const bound = (await server.request('POST', '/v1/keys', { key, body })).body.key;
    expect(await startIn(dir, bound)).toBe(before);
    git(dir, 'remote', 'set-url', 'origin', `https://${after}.git`);
    expect(await startIn(dir, bound)).toBe(after);
    expect(await startIn(dir, bound)).toBe(after);
    expect(await projects()).toEqual([after]);
  });

  test('when its remote is removed, and in a linked tree too', async () => {
    const { startIn, projects } = await member();
    const before = name();
    const dir = repository(`https://${before}.git`);
    git(dir, 'worktree', 'add', '-q', '-b', 'f', `${dir}-f`);
    expect(await startIn(dir)).toBe(before);
    git(dir, 'remote', 'remove', 'origin');
    expect([await startIn(dir), await startIn(`${dir}-f`)]).toEqual([before, before]);
    expect(await projects()).toEqual([before]);
  });
});

describe('projects that a person joins', () => {
  type Listed = { name: string; also: string[] }[];
  const listed = async (key: string): Promise<Listed> =>
    (await server.request('GET', '/v1/projects', { key })).body.projects;

  test('are one: records, sessions, keys and names', async () => {
    const { key, startIn } = await member();
    const [a, b] = ['example.org/acme/a', 'example.org/acme/b'];
    const [inA, inB] = [repository(`https://${a}.git`), repository(`https://${b}.git`)];
    await startIn(inA);
    await startIn(inB);
    const post = async (path: string, body: object) => {
      const answer = await server.request('POST', path, { key, body });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      return answer.body;
    };
    const bound = await post('/v1/keys', { name: 'hooks', scope: 'hooks', project: a });
    await post('/v1/notes', { project: a, content: 'the emulator listens on port 4040' });
    const lesson = { project: a, lesson: 'Always start the emulator with --cold before the tests' };
    await post('/v1/learnings', { ...lesson, context: 'running the emulator tests' });
    const names = { from: a, into: b };
    const would = await post('/v1/projects/join', { ...names, dryRun: true });
    expect(await listed(key)).toHaveLength(2);
    const did = await post('/v1/projects/join', names);
    expect(did).toEqual(would);
    expect(did).toMatchObject({ ...names, moved: { notes: 1, learnings: 1, sessions: 1 }, stayed: {} });
    expect(await listed(key)).toMatchObject([{ name: b, also: [a] }]);
    const found = await post('/v1/search', { query: 'emulator port', project: b });
    expect(found.results.map((result: { kind: string }) => result.kind).sort()).toEqual(['learning', 'note']);
    // its folder, its name and its key lead there
    expect(await startIn(inA, bound.key)).toBe(b);
    await post('/v1/notes', { project: a, content: 'written under the old name' });
    expect(await listed(key)).toMatchObject([{ name: b, also: [a] }]);
  });

  test('what both say stays, and nothing of somebody else is touched', async () => {
    const { key } = await member();
    const ben = await server.member();
    const asks = (who: string) => async (method: string, path: string, body: object) => {
      const answer = await server.request(method, path, { key: who, body });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      return answer.body;
    };
    const [ann, bens] = [asks(key), asks(ben.key)];
    for (const project of ['one', 'two']) {
      for (const make of [ann, bens]) await make('POST', '/v1/projects', { name: project });
      await ann('PUT', '/v1/facts', { project, type: 'database', key: 'port', value: project });
      await bens('POST', '/v1/notes', { project, content: `a note of ${project}` });
    }
    await ann('PUT', '/v1/facts', { project: 'one', type: 'database', key: 'host', value: 'localhost' });
    const joined = await ann('POST', '/v1/projects/join', { from: 'one', into: 'two' });
    expect(joined).toMatchObject({ moved: { facts: 1 }, stayed: { facts: 1 } });
    expect((await listed(key)).map(({ name }) => name).sort()).toEqual(['one (joined)', 'two']);
    expect((await listed(ben.key)).map(({ name }) => name).sort()).toEqual(['one', 'two']);
    const join = async (from: string) =>
      (await server.request('POST', '/v1/projects/join', { key, body: { from, into: 'two' } })).status;
    expect([await join('nowhere'), await join('one')]).toEqual([404, 400]);
  });
});

test('the letters of a GitHub remote are compared without case', async () => {
  const { userId, startIn, projects } = await member();
  expect(repoName('git@www.GitHub.com:Acme/Shop.git')).toBe('github.com/acme/shop');
  expect(repoName('https://example.org/Acme/Shop')).toBe('example.org/Acme/Shop');
  // as it was named before
  const before = `github.com/Acme/${randomUUID()}`;
  await server.rows(`insert into projects (user_id, name) values ('${userId}', '${before}')`);
  expect(await startIn(repository(`https://www.${before.replace('Acme', 'ACME')}.git`))).toBe(before);
  expect(await projects()).toEqual([before]);
});

describe('outside of git', () => {
  test('a home folder is no umbrella, and other folders are one', async () => {
    const { key, projects } = await member();
    const homes = ['/home/dev', '/Users/dev', '/root', homedir()];
    const say = (cwd: string) =>
      server.hook({ session_id: randomUUID(), cwd, hook_event_name: 'UserPromptSubmit', prompt: 'Hi' }, key);
    for (const home of homes) {
      await say(home);
      await say(`${home}/one`);
      await say(`${home}/one/deeper`);
      await say(`${home}/two`);
    }
    await server.stored();
    const wanted = homes.flatMap((home) => [home, `${home}/one`, `${home}/two`]);
    expect((await projects()).sort()).toEqual([...new Set(wanted)].sort());
  });
});
