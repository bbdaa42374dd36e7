import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';

withGit.orSkipFile();

// What hooks/session-start tells of the last commits, read from git's log of HEAD.

const { lastCommits } = createRequire(import.meta.url)(resolve('hooks/session-start.cjs')) as {
  lastCommits: (cwd: string) => string[];
};

const folder = realpathSync(temporaryFolder());

describe('the last commits', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-C', cwd, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const commit = (cwd: string, subject: string, ...more: string[]) =>
    git(cwd, 'commit', '-q', '--allow-empty', '-m', subject, ...more);

  it('are those of git, in a clone, a linked worktree and on a detached head', () => {
    const main = join(folder, 'commits');
    execFileSync('git', ['init', '-q', '-b', 'trunk', main]);
    expect(lastCommits(main)).toEqual([]);
    for (const n of [1, 2, 3, 4, 5, 6]) commit(main, `Change ${n}: größer`);
    const subjects = () => git(main, 'log', '-5', '--format=%s').split('\n');
    expect(lastCommits(main)).toEqual(subjects());
    commit(main, 'Change 6, said better', '--amend');
    expect(lastCommits(main)).toEqual(subjects());
    git(main, 'checkout', '-q', '--detach');
    commit(main, 'On no branch');
    expect(lastCommits(join(main))).toEqual(subjects());
    git(main, 'worktree', 'add', '-q', '-b', 'side', '../commits-linked');
    const linked = join(folder, 'commits-linked');
    expect(lastCommits(linked)).toEqual([]);
    commit(linked, 'Beside');
    expect(lastCommits(linked)).toEqual(['Beside']);
    expect(lastCommits(main)).toEqual(subjects());
  });

  it('come from the end of a huge log, at once, and a pipe in its place is not read', () => {
    const dir = join(folder, 'huge');
    execFileSync('git', ['init', '-q', '-b', 'trunk', dir]);
    mkdirSync(join(dir, '.git', 'logs'), { recursive: true });
    const log = join(dir, '.git', 'logs', 'HEAD');
    const line = (n: number) =>
      `${'0'.repeat(40)} ${n.toString(16).padStart(40, '0')} a <a@b> ${n} +0000\tcommit: Change ${n}\n`;
    writeFileSync(log, Array.from({ length: 20_000 }, (_, n) => line(n)).join(''));
    expect(lastCommits(dir)).toEqual([5, 4, 3, 2, 1].map((n) => `Change ${19_994 + n}`));
    rmSync(log);
    execFileSync('mkfifo', [log]);
    expect(lastCommits(dir)).toEqual([]);
  });
});
