import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFiles } from '../../src/commands/files.ts';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';

let home: string;
let root: string;

const FILES = {
  '.env': 'API_KEY=9f8e7d6c5b4a39281706\nPORT=3000\n',
  '.env.example': 'API_KEY=\nPORT=3000\n',
  '.gitignore': '.env\n/deploy/*.json\n!deploy/open.json\n',
  '.npmrc': 'save-exact=true\n',
  'src/a.ts': 'export const port = process.env.PORT; // TODO\n',
  'src/b.ts': 'export const b = 1;\n',
  'plain/x.json': '{}\n',
  'deploy/credentials.json': '{"password": "Xk29-ffLq-8812-aa"}\n',
  'test/server.pem': 'not really a certificate\n',
  'ops/prod.tfvars': 'db_password = "Xk29ffLq8812aa"\n',
};

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'lore-trees-')));
  root = join(home, 'project');
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  mkdirSync(join(root, 'linked'));
  symlinkSync('../.env', join(root, 'linked', 'settings'));
});
afterAll(() => rmSync(home, { recursive: true }));

const judge = (line: string) => {
  const { read, real, list } = openFiles();
  const verdict = judgeByPolicy(
    line,
    { cwd: root, root, home, tmp: '/nowhere', read, real, list },
    builtinPolicy,
  );
  const asks = verdict.decision === 'unknown' && verdict.parts.some((part) => part.asks);
  return { is: asks ? 'ask' : verdict.decision, parts: verdict.parts };
};

describe('a search that reads a secret too is denied, with what to add', () => {
  test.each([
    ['grep -rn API_KEY .', '--exclude=.env'],
    ['grep -rn PORT', '--exclude=.env'],
    ['grep -rv nothing .', '--exclude=.env'],
    ['rg -uuu API_KEY .', "-g '!.env'"],
    ['rg --hidden --no-ignore PORT', "-g '!.env'"],
    ['grep -rni "api.*key" .', '--exclude=.env'],
    ['cat names.txt | xargs grep -h API_KEY', '--exclude=.env'],
    ['rg password ops', "-g '!prod.tfvars'"],
    ['git grep --no-index PORT', "':!.env'"],
    ['git add -f .', "':!.env'"],
    ['git add -Af .', "':!.env'"],
    ['diff -r . ../other', "-x '.env'"],
    ['grep -R PORT linked', '--exclude=settings'],
  ])('%s', (line, leaveOut) => {
    const { is, parts } = judge(line);
    expect(is).toBe('deny');
    const part = parts.find(({ decision }) => decision === 'deny');
    expect(part?.rule).toBe('secrets.swept');
    expect(part?.instead).toContain(leaveOut);
  });
});

describe('what reads a secret and could not leave it out is asked', () => {
  test.each([
    'cat deploy/*',
    'python3 -m http.server 8000',
    'python3 -m http.server -d deploy',
    'head -5 */*.json',
    'cat linked/*',
    'shopt -s dotglob; cat *',
    'grep -R "api.*key" --include=".e*" .',
    'rg -g ".env" PORT',
    'find . -type f | xargs grep -h API_KEY',
    'find ops -type f -print0 | xargs -0 grep password',
    `python3 -c "print(open('linked/settings').read())"`,
    `node -e "console.log(require('fs').readFileSync('linked/settings','utf8'))"`,
    'grep -h password ops/*',
    `python3 -c "import glob; [print(open(f).read()) for f in glob.glob('.*')]"`,
    `python3 -c "import os; print([open(f).read() for f in os.listdir('.')])"`,
    `python3 -c "print(open(chr(46)+'env').read())"`,
    `node -e "const f='.en'+'v'; console.log(require('fs').readFileSync(f,'utf8'))"`,
    `node -e "const fs=require('fs'); for (const f of fs.readdirSync('.')) console.log(fs.readFileSync(f,'utf8'))"`,
    "find . -name '*.tfvars' -exec grep -n password {} +",
  ])('%s', (line) => expect(judge(line).is).toBe('ask'));
});

describe('what reads no secret runs as before', () => {
  test.each([
    'git add -A',
    'python3 -m http.server --bind 127.0.0.1',
    'python3 -m http.server -d src',
    'grep -rn TODO .',
    'grep -rn API_KEY --exclude=.env --exclude=.env.example .',
    "grep -rn API_KEY --include='*.ts' .",
    'grep -rn API_KEY src',
    'grep -rl API_KEY .',
    'rg API_KEY',
    'rg --hidden API_KEY',
    "rg -uuu -g '!.env' API_KEY",
    'rg -t ts password',
    'rg exact --hidden',
    'git grep -n PORT',
    "git grep --no-index PORT -- ':!.env'",
    'cat src/*',
    `python3 -c "import glob; [print(open(f).read()) for f in glob.glob('src/*.ts')]"`,
    `python3 -c "import glob; print(sum(len(open(f).read()) for f in glob.glob('**/*.ts', recursive=True)))"`,
    `python3 -c "import json; print(json.load(open('plain/x.json')))"`,
    `node -e "const fs=require('fs'); for (const f of fs.readdirSync('src')) console.log(f, fs.readFileSync('src/'+f,'utf8').length)"`,
    `node -p "require('./plain/x.json')"`,
    'cat *',
    'cat test/*',
    'cat plain/*.json',
    'diff -r src plain',
    "find . -name '*.ts' -exec grep -n PORT {} +",
    'tar czf /tmp/src.tgz src',
  ])('%s', (line) => expect(judge(line)).toMatchObject({ is: 'allow' }));
});

test('an archive for another place is judged by what it packs', () => {
  const reasonOf = (line: string) => judge(line).parts.map(({ decision, rule }) => `${decision} ${rule}`);
  expect(reasonOf('tar czf - . | cat')).toContain('deny secrets.swept');
  expect(reasonOf('tar czf /srv/x.tgz .')).toContain('deny secrets.swept');
  expect(reasonOf("tar czf - --exclude=.env --exclude='*.tfvars' --exclude=deploy . | wc -c")).not.toContain(
    'deny secrets.swept',
  );
  expect(reasonOf('zip -r /srv/x.zip .')).toContain('deny secrets.swept');
  expect(reasonOf("zip -r /srv/x.zip . -x '*.env' '*.tfvars' '*credentials.json'")).not.toContain(
    'deny secrets.swept',
  );
});

test('nothing below a folder is looked at where no files may be read', () => {
  const place = { cwd: '/home/dev/p', root: '/home/dev/p', home: '/home/dev', tmp: '/tmp' };
  expect(judgeByPolicy('grep -rn API_KEY .', place, builtinPolicy).decision).toBe('allow');
  // but the usual places of secrets in a home folder are known without looking
  for (const line of [
    'grep -r password ~/.config',
    'grep -rI PRIVATE ~',
    'rg -uuu sk_live ~/',
    'grep -r AKIA /',
  ]) {
    const { decision, parts } = judgeByPolicy(line, place, builtinPolicy);
    expect([decision, parts[0]?.asks], line).toEqual(['unknown', true]);
  }
});

test('a folder with more than a check may list is looked at only so far', () => {
  const big = join(root, 'plain', 'big');
  for (let i = 0; i < 400; i++) mkdirSync(join(big, `f${i}`), { recursive: true });
  writeFileSync(join(big, 'f399', '.env'), FILES['.env']);
  const start = performance.now();
  expect(judge('grep -rn API_KEY plain').is).toBe('allow');
  expect(performance.now() - start).toBeLessThan(2_000);
  rmSync(big, { recursive: true });
});
