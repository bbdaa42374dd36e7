import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

// Which sessions are of one project. Folders are real repositories, and their starts are told by the real hook.

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const script = fileURLToPath(new URL('../../hooks/session-start', import.meta.url));
const { mainTree, repoName } = createRequire(import.meta.url)(script) as {
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

  test('keeps what a linked tree had as a project of its own', async () => {
    const { key, startIn, projects } = await member();
    const main = repository();
    const linked = `${main}-f`;
    git(main, 'worktree', 'add', '-q', '-b', 'f', linked);
    // as a hook of before tells it
    const lore = { root: linked, repo: null, branch: 'f', deliveryId: randomUUID() };
    await server.hook(
      { session_id: randomUUID(), cwd: linked, hook_event_name: 'SessionStart', source: 'startup', lore },
      key,
    );
    await server.stored();
    expect(await projects()).toEqual([linked]);
    expect(await startIn(linked)).toBe(main);
    expect(await projects()).toEqual([main]);
  });

  test('is one with its bare folder', async () => {
    const { startIn } = await member();
    const bare = join(realpathSync(temporaryFolder()), 'shop.git');
    execFileSync('git', ['clone', '-q', '--bare', repository(), bare]);
    git(bare, 'remote', 'remove', 'origin');
    const [one, two] = [`${bare}-one`, `${bare}-two`];
    git(bare, 'worktree', 'add', '-q', '-b', 'one', one);
    git(bare, 'worktree', 'add', '-q', '-b', 'two', two);
    expect([await startIn(one), await startIn(two)]).toEqual([bare, bare]);
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

  test('when the first start under the new name is in a linked tree', async () => {
    const { startIn, projects } = await member();
    const [before, after] = [name(), name()];
    const dir = repository(`https://${before}.git`);
    git(dir, 'worktree', 'add', '-q', '-b', 'f', `${dir}-f`);
    expect(await startIn(dir)).toBe(before);
    git(dir, 'remote', 'set-url', 'origin', `https://${after}.git`);
    expect([await startIn(`${dir}-f`), await startIn(dir)]).toEqual([after, after]);
    expect(await projects()).toEqual([after]);
  });

  test('but not when its remote is that of another project', async () => {
    const { startIn, projects } = await member();
    const [one, two] = [name(), name()];
    const dir = repository(`https://${one}.git`);
    expect(await startIn(dir)).toBe(one);
    expect(await startIn(repository(`https://${two}.git`))).toBe(two);
    git(dir, 'remote', 'set-url', 'origin', `https://${two}.git`);
    expect(await startIn(dir)).toBe(two);
    expect((await projects()).sort()).toEqual([one, two].sort());
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
