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

const { start, send, decisionOn } = hookSession(server, { cwd: root });
await start();

describe('what git does not have is left to the person', () => {
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
    'git mv src/clean.ts dist/ && rm -rf dist',
    'mv src/clean.ts dist/ && rm -rf dist',
    'rm -rf build',
    'rm -rf tmp',
    'rm -rf out/model',
  ])('%s', async (line) => expect(await decisionOn(line)).toBe('none'));

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

test('what the session made may go', async () => {
  const made = { file_path: join(root, 'made.txt'), content: 'x' };
  await send('PreToolUse', { tool_name: 'Write', tool_input: made, tool_use_id: 'toolu_1' });
  put('made.txt');
  put('found.txt');
  expect(await decisionOn('rm made.txt')).toBe('allow');
  expect(await decisionOn('rm found.txt')).toBe('none');
});
