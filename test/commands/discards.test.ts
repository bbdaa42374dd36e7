import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';

withGit.orSkipFile();

const server = await sharedServer({ model: false, owner: true });
let root: string;
const SETTINGS = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];
const git = (...args: string[]) => execFileSync('git', [...SETTINGS, ...args], { cwd: root, stdio: 'pipe' });
const put = (path: string, text = 'x\n') => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const commit = (path: string) => {
  put(path, `${path}\n`);
  git('add', path);
  git('commit', '-q', '-m', path);
};
const check = async (command: string, key = server.key) =>
  (await server.request('POST', '/v1/commands/check', { key, body: { command, cwd: root } })).body;
const decisionOn = async (command: string) => (await check(command)).decision;

/** A project with two commits that a remote has too. */
beforeEach(() => {
  root = temporaryFolder();
  git('init', '-q', '-b', 'main');
  commit('src/a.ts');
  commit('src/b.ts');
  git('init', '-q', '--bare', '.git/far.git');
  git('remote', 'add', 'origin', join(root, '.git/far.git'));
  git('push', '-q', 'origin', 'main');
});

describe('a branch may be deleted by force', () => {
  test('while another branch or a remote has its commits', async () => {
    git('branch', 'same');
    git('checkout', '-q', '-b', 'pushed');
    commit('src/c.ts');
    git('push', '-q', 'origin', 'pushed');
    git('checkout', '-q', 'main');
    expect(await decisionOn('git branch -D same')).toBe('allow');
    expect(await decisionOn('git branch -D pushed same')).toBe('allow');
    expect(await decisionOn('git checkout main && git branch -D same')).toBe('allow');
    // a remote branch may be gone after that
    expect(await decisionOn('git fetch origin && git branch -D pushed')).toBe('deny');
    expect(await decisionOn('git remote remove origin && git branch -D pushed')).toBe('deny');
  });

  test('but not with commits of its own, which the reason tells', async () => {
    git('checkout', '-q', '-b', 'own');
    commit('src/c.ts');
    git('branch', 'twin');
    git('checkout', '-q', 'main');
    expect(await decisionOn('git branch -D own')).toBe('allow');
    const { decision, reason } = await check('git branch -D own twin');
    expect(decision).toBe('deny');
    expect(reason).toContain('drops commits of own, twin that nothing else holds');
    expect(await decisionOn('git branch -D own && git branch -D twin')).toBe('deny');
    expect(await decisionOn('git branch -D own > src/a.ts')).toBe('deny');
    expect(await decisionOn('git -c core.pager=./x branch -D own')).toBe('deny');
  });
});

describe('files may be checked out or restored', () => {
  test('while they have no changes', async () => {
    put('src/b.ts', 'changed\n');
    for (const line of ['git checkout -- src/a.ts', 'git restore src/a.ts'])
      expect(`${line}: ${await decisionOn(line)}`).toBe(`${line}: allow`);
    for (const line of [
      'git checkout -- src/b.ts',
      'git checkout -- src',
      'git checkout .',
      'git restore .',
      'git checkout HEAD -- src/b.ts',
      'sed -i s/a/b/ src/a.ts && git checkout -- src/a.ts',
      'cd .. && git checkout -- src/a.ts',
    ])
      expect(`${line}: ${await decisionOn(line)}`).toBe(`${line}: deny`);
    expect((await check('git checkout -- src')).reason).toContain('throws away the changes in src/b.ts');
  });
});

describe('a hard reset', () => {
  test('is allowed to what is there and to the remote, without changes and commits of its own', async () => {
    expect(await decisionOn('git reset --hard')).toBe('allow');
    expect(await decisionOn('git reset --hard HEAD~1')).toBe('allow');
    expect(await decisionOn('git fetch origin && git reset --hard origin/main')).toBe('allow');
    put('untracked.txt');
    expect(await decisionOn('git reset --hard origin/main')).toBe('allow');
    put('src/a.ts', 'changed\n');
    const { decision, reason } = await check('git reset --hard origin/main');
    expect(decision).toBe('deny');
    expect(reason).toContain('throws away the changes in src/a.ts');
  });

  test('is denied with commits of its own, or over a file that git does not have', async () => {
    commit('src/c.ts');
    expect((await check('git reset --hard origin/main')).reason).toContain(
      'drops commits of main that nothing',
    );
    git('branch', 'kept');
    expect(await decisionOn('git reset --hard origin/main')).toBe('allow');
    git('reset', '-q', '--hard', 'origin/main');
    put('src/c.ts', 'mine\n');
    expect((await check('git reset --hard kept')).reason).toContain('overwrites src/c.ts');
    expect(await decisionOn('git branch -D kept && git reset --hard')).toBe('deny');
  });
});

test('git is asked for the owner alone, and where it does not answer, all stays denied', async () => {
  const { key } = await server.member();
  expect((await check('git reset --hard', key)).decision).toBe('deny');
  root = temporaryFolder();
  expect(await decisionOn('git reset --hard')).toBe('deny');
  expect(await decisionOn('git branch -D x')).toBe('deny');
});
