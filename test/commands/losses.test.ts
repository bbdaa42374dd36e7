import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';
import { tablesOf, testLines } from '../support/tables.ts';

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

testLines(tablesOf('losses'), decisionOn);

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
  const { 'what would be lost in a work tree with changes': discards = [], ...ofClean } =
    tablesOf('discards');

  test.each(discards)('%s', async (line = '', lost) => {
    const told = await before(line);
    expect(told.permissionDecision).toBe('deny');
    expect(told.permissionDecisionReason).toMatch(new RegExp(`would lose .*${lost}.*Instead: `));
  });

  describe('in a clean work tree', () => {
    beforeAll(() => clean.start());
    testLines(ofClean, clean.decisionOn);
  });

  test('what lies in the way of another commit, and a commit that only this branch has', async () => {
    run('switch', '-q', '-c', 'wide');
    writeFileSync(join(other, 'plan.md'), 'theirs\n');
    run('add', 'plan.md');
    run('commit', '-q', '-m', 'a plan');
    expect(await clean.decisionOn('git reset --hard main')).toBe('deny');
    run('switch', '-q', 'main');
    expect(await clean.decisionOn('git reset --hard wide')).toBe('allow');
    // git leaves what the other commit knows nothing of where it is
    writeFileSync(join(other, 'free.md'), 'mine\n');
    expect(await clean.decisionOn('git reset --hard wide')).toBe('allow');
    writeFileSync(join(other, '.git/info/exclude'), 'plan.md\n');
    writeFileSync(join(other, 'plan.md'), 'mine\n');
    expect(await clean.decisionOn('git reset --hard wide')).toBe('deny');
    writeFileSync(join(other, '.env'), 'KEY=1\n');
    expect(await clean.decisionOn('git clean -fdx -e plan.md -e free.md')).toBe('deny');
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
