import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';

withGit.orSkipFile();

// Git is asked before files are deleted or overwritten that it may not have.

const server = await sharedServer({ model: false, owner: true });
const root = join(temporaryFolder(), 'shop');
const SETTINGS = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];
const git = (...args: string[]) => execFileSync('git', [...SETTINGS, ...args], { cwd: root });
const put = (path: string, text = 'x\n') => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
for (const path of ['src/index.ts', 'src/clean.ts', 'package.json', 'build/kept.c', 'tmp/kept.txt'])
  put(path, `${path}\n`);
put('.gitignore', 'node_modules\ndist\n*.sqlite\ntmp/*\n');
git('init', '-q', '-b', 'main');
git('add', '-f', '.');
git('commit', '-q', '-m', 'one');
put('src/index.ts', 'changed, not committed\n');
const UNTRACKED = ['prod.dump', 'users.csv', 'backups/db.dump', 'data.sqlite', 'notes.txt', 'src/new.ts'];
const OTHERS = ['db.bak', 'build/handmade.c', 'dist/a.js', 'tmp/cache/x', 'app.log', 'out/model/weights.bin'];
for (const path of [...UNTRACKED, ...OTHERS]) put(path);

const { start, send, before, decisionOn } = hookSession(server, { cwd: root });
await start();

describe('of what git does not have the person is asked', () => {
  test.each([
    'rm -f ./backups/db.dump &',
    'rm -f data.sqlite',
    'rm src/new.ts',
    'rm src/index.ts',
    'unlink notes.txt',
    ': > prod.dump',
    'echo hello > notes.txt',
    'ls | tee notes.txt',
    'dd if=/dev/null of=prod.dump',
    'cp package.json prod.dump',
    'cp src/clean.ts users.csv',
    'mv src/clean.ts notes.txt',
    'cd src && rm new.ts',
    'tar cf users.csv src',
    'curl -so users.csv https://example.com/',
    'rm -f *.bak',
    "find . -name '*.bak' -delete",
    "find . -name '*.bak' -exec rm {} +",
    "find . -name '*.bak' | xargs rm -f",
    'rm -rf build',
    'rm -rf tmp',
    'rm -rf out/model',
  ])('%s', async (line) => expect(await decisionOn(line)).toBe('ask'));

  test('nor is what was moved there known', async () => {
    expect(await decisionOn('mv src/clean.ts dist/ && rm -rf dist')).toBe('none');
  });

  test.each([
    'rm src/clean.ts',
    'rm not-there.dump',
    'rm app.log',
    'rm -f *.log',
    'echo hello > src/clean.ts',
    'echo hello >> notes.txt',
    'ls | tee -a notes.txt',
    'cp -n package.json prod.dump',
    'cp package.json fresh.json && rm fresh.json',
    'mv notes.txt renamed.txt',
    "sed -i 's/a/b/' src/index.ts",
    'sort -o notes.txt notes.txt',
    'ls 2>/dev/null',
    'rm -rf dist',
    'rm -rf tmp/cache',
    'rm build/kept.c',
  ])('but %s is allowed', async (line) => expect(await decisionOn(line)).toBe('allow'));
});

describe('a discard of work is denied where git says that work would be lost', () => {
  // the work tree of the tests above has a changed file, untracked files and one branch
  const other = join(temporaryFolder(), 'clean');
  const run = (...args: string[]) => execFileSync('git', [...SETTINGS, ...args], { cwd: other });
  mkdirSync(other, { recursive: true });
  run('init', '-q', '-b', 'main');
  mkdirSync(join(other, 'src'));
  writeFileSync(join(other, 'src/a.ts'), 'one\n');
  writeFileSync(join(other, '.gitignore'), 'node_modules\n.env\n');
  run('add', '.');
  run('commit', '-q', '-m', 'first');
  run('branch', 'merged');
  run('switch', '-q', '-c', 'only-here');
  run('commit', '-q', '--allow-empty', '-m', 'second');
  run('switch', '-q', 'main');
  run('worktree', 'add', '-q', join(other, '../kept'), 'only-here');
  run('worktree', 'add', '-q', '--detach', join(other, '../bare'), 'main');
  writeFileSync(join(other, '../kept/new.ts'), 'x\n');
  const clean = hookSession(server, { cwd: other });

  test.each([
    ['git reset --hard', 'src/index.ts'],
    ['git checkout -- src/index.ts', 'src/index.ts'],
    ['git checkout HEAD src/index.ts', 'src/index.ts'],
    ['git checkout .', 'src/index.ts'],
    ['git switch -f main', 'src/index.ts'],
    ['git restore .', 'src/index.ts'],
    ['git clean -fd', 'backups/, build/handmade.c, 6 more'],
    ['git clean -fdx src', 'src/new.ts'],
  ])('%s', async (line, lost) => {
    const told = await before(line);
    expect(told.permissionDecision).toBe('deny');
    expect(told.permissionDecisionReason).toMatch(new RegExp(`would lose .*${lost}.*Instead: `));
  });

  test.each([
    ['git reset --hard', 'allow'],
    ['git status && git checkout -- src/a.ts', 'allow'],
    ['git restore src', 'allow'],
    ['git clean -fdx', 'allow'],
    ['git branch -D merged', 'allow'],
    ['git checkout -q main && git branch -D merged', 'allow'],
    ['git branch -D only-here', 'deny'],
    ['git branch -D merged main only-here', 'deny'],
    ['git reset --hard only-here', 'allow'],
    ['git worktree remove --force ../bare', 'allow'],
    ['git worktree remove --force ../kept', 'deny'],
    // what runs before may make something that is lost
    ['make && git checkout .', 'deny'],
    ['git add -A && git reset --hard', 'deny'],
    // without git's own word
    ['git --git-dir=.git reset --hard', 'deny'],
    ['git reset --hard no-such-commit', 'deny'],
    ['git reflog expire --expire=now --all', 'deny'],
  ])('in a clean work tree: %s → %s', async (line, decision) => {
    await clean.start();
    expect(await clean.decisionOn(line)).toBe(decision);
  });

  test('what lies in the way of another commit, and a commit that only this branch has', async () => {
    run('switch', '-q', '-c', 'wide');
    writeFileSync(join(other, 'plan.md'), 'theirs\n');
    run('add', 'plan.md');
    run('commit', '-q', '-m', 'a plan');
    expect(await clean.decisionOn('git reset --hard main')).toBe('deny');
    run('switch', '-q', 'main');
    expect(await clean.decisionOn('git reset --hard wide')).toBe('allow');
    writeFileSync(join(other, 'plan.md'), 'mine\n');
    expect(await clean.decisionOn('git reset --hard wide')).toBe('deny');
    writeFileSync(join(other, '.env'), 'KEY=1\n');
    expect(await clean.decisionOn('git clean -fdx -e plan.md')).toBe('deny');
  });
});

test('what the session made may go', async () => {
  const made = { file_path: join(root, 'made.txt'), content: 'x' };
  await send('PreToolUse', { tool_name: 'Write', tool_input: made, tool_use_id: 'toolu_1' });
  put('made.txt');
  put('found.txt');
  expect(await decisionOn('rm made.txt')).toBe('allow');
  expect(await decisionOn('rm found.txt')).toBe('ask');
});
