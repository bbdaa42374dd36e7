import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withGit } from '../support/needs.ts';

withGit.orSkipFile();

// What hooks/session-start tells of the last commits, read from git's log of HEAD.

const { lastCommits, commitsIn } = createRequire(import.meta.url)(resolve('hooks/session-start.cjs')) as {
  lastCommits: (cwd: string) => string[];
  commitsIn: (log: string) => string[];
};

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'commits-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

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

  it('are told of a rebase once, and not of what merely moves', () => {
    const dir = join(folder, 'rebased');
    execFileSync('git', ['init', '-q', '-b', 'trunk', dir]);
    commit(dir, 'Base');
    git(dir, 'checkout', '-q', '-b', 'topic');
    writeFileSync(join(dir, 'a'), 'a');
    git(dir, 'add', 'a');
    git(dir, 'commit', '-q', '-m', 'Add a');
    git(dir, 'checkout', '-q', 'trunk');
    commit(dir, 'Meanwhile');
    git(dir, 'checkout', '-q', 'topic');
    git(dir, 'rebase', '-q', 'trunk');
    expect(lastCommits(dir)).toEqual(['Add a', 'Meanwhile', 'Base']);
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

  it('of any log are at most five, short and different, and those of its last lines', () => {
    const hex = fc.stringMatching(/^[0-9a-f]{40}$/);
    const what = fc.constantFrom(
      'commit',
      'commit (initial)',
      'commit (amend)',
      'commit (merge)',
      'cherry-pick',
      'revert',
      'rebase (pick)',
      'rebase (finish)',
      'checkout',
      'reset',
      'pull',
    );
    const subject = fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => text.replace(/\n/g, ' '));
    const line = fc
      .tuple(hex, hex, what, subject)
      .map(([a, b, how, text]) => `${a} ${b} A B <a@b> 1700000000 +0100\t${how}: ${text}`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 6, arbitrary: line }, fc.string()), { maxLength: 30 }),
        (lines) => {
          const found = commitsIn(lines.join('\n'));
          expect(found.length).toBeLessThanOrEqual(5);
          expect(new Set(found).size).toBe(found.length);
          for (const one of found) {
            expect(one.trim()).not.toBe('');
            expect(one.length).toBeLessThanOrEqual(200);
            expect(one.isWellFormed()).toBe(true);
          }
          // what stands before does not change what is found in the last lines
          if (found.length === 5) expect(commitsIn(`x\n${lines.join('\n')}`)).toEqual(found);
        },
      ),
    );
  });
});
