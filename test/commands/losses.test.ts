import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ABSENT, openFiles } from '../../src/commands/files.ts';
import { openHeld } from '../../src/commands/held.ts';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { withGit } from '../support/needs.ts';

withGit.orSkipFile();

let home: string;
let root: string;
const git = (...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false', ...args],
    {
      cwd: root,
    },
  );
const put = (path: string, text = 'x\n') => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'lore-losses-')));
  root = join(home, 'project');
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  for (const path of [
    'src/index.ts',
    'src/clean.ts',
    'src/touched.ts',
    'package.json',
    'build/kept.c',
    'lib/build/a.c',
    'tmp/.gitkeep',
  ])
    put(path, `${path}\n`);
  put('.gitignore', 'node_modules\ndist\n*.sqlite\ntmp/*\n');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  put('src/index.ts', 'changed, not committed\n');
  utimesSync(join(root, 'src/touched.ts'), 1, 1);
  put('src/staged.ts');
  git('add', 'src/staged.ts');
  put('src/wanted.ts');
  git('add', '--intent-to-add', 'src/wanted.ts');
  for (const path of [
    'prod.dump',
    'users.csv',
    'db_backup.sql.gz',
    'backups/db.dump',
    'data.sqlite',
    'notes.txt',
    'src/new.ts',
    'src/clean.ts.orig',
    'db.bak',
    'build/handmade.c',
    'dist/a.js',
    'tmp/cache/x',
    'app.log',
    'app.sqlite',
    'new/notes.txt',
    'new/src/more.ts',
    'out/model/weights.bin',
    'pages/out/x.html',
  ])
    put(path);
  put('pages/package.json', '{ "scripts": { "export": "render --to out" } }');
  execFileSync('tar', ['cf', '../new.tar', '.'], { cwd: join(root, 'new') });
});
afterAll(() => rmSync(home, { recursive: true }));

const judge = (line: string, own = { made: new Set<string>(), moved: new Set<string>() }) => {
  const files = openFiles();
  const place = {
    cwd: root,
    root,
    home,
    tmp: '/nowhere',
    read: files.read,
    real: files.real,
    list: files.list,
    exists: (path: string) => files.stamp(path) !== ABSENT,
    held: openHeld(),
    own,
  };
  return judgeByPolicy(line, place, builtinPolicy);
};
const decisionOn = (line: string) => judge(line).decision;

describe('what git does not have is left to the person', () => {
  test.each([
    'rm -f ./backups/db.dump &',
    'rm db_backup.sql.gz',
    'rm -f data.sqlite',
    'rm src/new.ts',
    'rm src/index.ts',
    'rm src/wanted.ts',
    'rm db.bak',
    'unlink notes.txt',
    ': > prod.dump',
    '> users.csv',
    'echo > prod.dump',
    'echo hello > notes.txt',
    'cat /dev/null > prod.dump',
    'tee prod.dump </dev/null',
    'ls | tee notes.txt',
    'dd if=/dev/null of=prod.dump',
    'cp package.json prod.dump',
    'cp notes.txt src/index.ts',
    'cp src/clean.ts users.csv',
    'mkdir -p other && cp other/notes.txt .',
    'mv src/clean.ts notes.txt',
    'truncate -s 10 users.csv',
    'cd src && rm new.ts',
    'echo x > prod.dump && rm prod.dump',
  ])('%s', (line) => expect(decisionOn(line)).toBe('unknown'));

  test.each([
    'rm src/clean.ts',
    'rm src/touched.ts',
    'rm src/staged.ts',
    'rm src/clean.ts.orig',
    'rm not-there.dump',
    'rm app.log',
    'echo hello > src/clean.ts',
    'echo hello >> notes.txt',
    'ls | tee -a notes.txt',
    'cp -n package.json prod.dump',
    'cp src/clean.ts lib/',
    'cp package.json fresh.json && rm fresh.json',
    'echo x > fresh.txt; cat fresh.txt; rm fresh.txt',
    'mv notes.txt renamed.txt',
    "sed -i 's/a/b/' src/index.ts",
    'sort src/index.ts > sorted.txt && mv sorted.txt src/index.ts',
    'ls 2>/dev/null',
  ])('but %s is allowed', (line) => expect(decisionOn(line)).toBe('allow'));

  test.each([
    'ln -sf src/clean.ts notes.txt',
    'sort -o notes.txt src/clean.ts',
    'git log -1 --output=notes.txt',
    'git archive -o notes.txt HEAD',
    'tar cf users.csv src',
    'tar -czf users.csv src',
    'openssl rand -out users.csv 10',
    'curl -so users.csv https://example.com/',
    'awk \'{print > "users.csv"}\' package.json',
    "sed -n 'w users.csv' package.json",
    `python3 -c "open('notes.txt','w').write('new')"`,
    `python3 -c "x=open('package.json').read(); open('notes.txt','w').write(x)"`,
    `node -e "require('fs').writeFileSync('users.csv','id')"`,
    'docker cp web:/app/x.csv users.csv',
    'pdftotext src/a.pdf notes.txt',
    'cp -t . other/notes.txt',
    'cp -r new/. .',
    'rsync -a new/ .',
    'cp -r not-there/src .',
    'tar xf new.tar',
    "sed -i 's/[0-9A-Za-z]//g' users.csv",
  ])('%s overwrites', (line) => expect(decisionOn(line)).toBe('unknown'));

  test.each([
    'ln -s src/clean.ts notes.txt',
    'sort -o notes.txt notes.txt',
    'cat notes.txt | sort -u -o notes.txt',
    'sort -o sorted.txt notes.txt',
    'tar czf all.tgz src',
    'tar -xkf new.tar',
    'tar xf new.tar src',
    'cp -r src src2',
    'rsync -a --exclude notes.txt new/ .',
    'gcc -o app.sqlite src/a.c',
    "sed -i 's/[a-z]*,//g' users.csv",
    'git mv src/clean.ts src/neat.ts',
  ])('%s does not', (line) => expect(decisionOn(line)).toBe('allow'));

  test.each([
    'rm -f *.bak',
    'rm -f **/*.bak',
    "find . -name '*.bak' -delete",
    "find . -name '*.bak' -exec rm {} +",
    "find . -name '*.bak' | xargs rm -f",
  ])('%s deletes what git does not have', (line) => expect(decisionOn(line)).toBe('unknown'));
  test.each([
    'rm -f *.log',
    'rm -f src/*.orig',
    'rm -f src/*.bak',
    "find src -name '*.orig' -delete",
    "find src -name '*.orig' -exec rm {} +",
  ])('%s finds only what is kept beside a file', (line) => expect(decisionOn(line)).toBe('allow'));
  test('a pattern that finds too much is left to the person', () => {
    for (let i = 0; i < 400; i++) put(`many/${i}.rej`);
    expect(judge('rm -f many/*.rej').parts[0]?.reason).toContain('more than Lore looks at');
    rmSync(join(root, 'many'), { recursive: true });
  });

  test('the reason names the file and what is wrong', () => {
    const reasons = (line: string) => judge(line).parts.map(({ reason }) => reason);
    expect(reasons('rm notes.txt')).toEqual(['deletes notes.txt: git does not have it']);
    expect(reasons('cp notes.txt src/index.ts')).toEqual([
      'overwrites src/index.ts: it has changes that git does not have',
    ]);
  });
});

describe('a folder is what tools make again only while git tracks nothing in it', () => {
  test.each([
    'rm -rf build',
    'rm -rf ./build/*',
    'rm -f build/handmade.c',
    'cd build && rm -rf *',
    'cp package.json build/handmade.c',
  ])('%s is left to the person', (line) => expect(decisionOn(line)).toBe('unknown'));
  test.each([
    'rm -rf dist',
    'rm -rf dist/*',
    'rm -rf node_modules',
    'rm -rf tmp/cache',
    'rm -rf lib/build',
    'rm build/kept.c',
    'rm -rf pages/out',
  ])('%s loses nothing', (line) => expect(decisionOn(line)).toBe('allow'));
});

describe('a name that any folder may have says nothing by itself', () => {
  test.each(['rm -rf out/model', 'rm -rf out', 'rm -rf out/*'])('%s is left to the person', (line) =>
    expect(decisionOn(line)).toBe('unknown'),
  );
  test('unless all of it is of this session', () => {
    const made = new Set([join(root, 'out/model/weights.bin')]);
    expect(judge('rm -rf out', { made, moved: new Set() }).decision).toBe('allow');
  });
});

describe('what was moved there, then removed', () => {
  test('in one line, also by git', () => {
    expect(decisionOn('git mv src/clean.ts dist/ && rm -rf dist')).toBe('unknown');
    expect(decisionOn('mv src/clean.ts dist/ && rm -rf dist')).toBe('unknown');
  });
  test('in an earlier call of the session', () => {
    const first = judge('mv src/*.ts dist/');
    expect(judge('rm -rf dist', first.own).decision).toBe('unknown');
    expect(judge('rm -rf node_modules', first.own).decision).toBe('allow');
  });
});

test('what the session made may go', () => {
  const { own } = judge('ls > made.txt');
  put('made.txt');
  expect(judge('rm made.txt').decision).toBe('unknown');
  expect(judge('rm made.txt', own).decision).toBe('allow');
  expect(judge('mv notes.txt made2.txt').own.made.size).toBe(0);
});

test('a file that looks unchanged because it changed in the same moment is compared', () => {
  put('src/racy.ts', 'one\n');
  git('add', 'src/racy.ts');
  put('src/racy.ts', 'two\n');
  expect(decisionOn('rm src/racy.ts')).toBe('unknown');
});

test('a linked work tree has an index of its own', () => {
  git('worktree', 'add', '-q', 'linked');
  expect(openHeld().lost(join(root, 'linked/src/clean.ts'))).toBe(null);
  put('linked/src/clean.ts', 'changed\n');
  expect(openHeld().lost(join(root, 'linked/src/clean.ts'))).toBe('it has changes that git does not have');
  git('worktree', 'remove', '--force', 'linked');
});

test('an index that somebody made up ends the look', () => {
  mkdirSync(join(root, 'odd/.git'), { recursive: true });
  put('odd/a.txt');
  const made = Buffer.alloc(200, 0xff);
  made.write('DIRC');
  made.writeUInt32BE(2, 4);
  writeFileSync(join(root, 'odd/.git/index'), made);
  for (const index of [made, made.subarray(0, 80), Buffer.from('DIRC'), Buffer.alloc(0)]) {
    writeFileSync(join(root, 'odd/.git/index'), index);
    expect(openHeld().tracks(join(root, 'odd'))).toBe(false);
    expect(decisionOn('rm odd/b.txt')).toBe('allow');
  }
});
