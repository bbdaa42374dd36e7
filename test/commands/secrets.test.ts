import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFiles } from '../../src/commands/files.ts';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';

// Secrets that no plain name tells of: backups, settings with a value in them, copies, names put together.

const TOKEN = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const FILES = {
  '.env': 'API_KEY=9f8e7d6c5b4a39281706\n',
  '.gitignore': '.env\n',
  '.mcp.json': `{"mcpServers":{"gh":{"env":{"GITHUB_TOKEN":"${TOKEN}"}}}}\n`,
  '.git/config': `[remote "origin"]\n\turl = https://bot:${TOKEN}@github.com/acme/shop.git\n`,
  'config/database.yml': 'production:\n  adapter: postgresql\n  password: Qz81mLp0Xs77\n',
  'docker-compose.yml': 'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: postgres\n',
  'compose.prod.yml': 'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: Qz81mLp0Xs77\n',
  'keys/deploy_key':
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUA\n-----END OPENSSH PRIVATE KEY-----\n',
  'package.json': '{"name":"shop"}\n',
  'tests/fixtures/config.json': `{"token":"${TOKEN}"}\n`,
  'src/a.ts': 'export const a = 1;\n',
};

let home: string;
let root: string;
const clean = () => join(home, 'clean');

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'lore-secrets-')));
  root = join(home, 'project');
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  mkdirSync(join(clean(), '.git'), { recursive: true });
  writeFileSync(join(clean(), '.git/config'), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n');
});
afterAll(() => rmSync(home, { recursive: true }));

const judge = (line: string, cwd = root) => {
  const { read, real, list } = openFiles();
  const place = { cwd, root: cwd, home, tmp: '/nowhere', read, real, list };
  const verdict = judgeByPolicy(line, place, builtinPolicy);
  const asks = verdict.decision === 'unknown' && verdict.parts.some((part) => part.asks);
  return asks ? 'ask' : verdict.decision;
};

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are the shell's
const CLASSES: Record<string, { asked: string[]; runs: string[] }> = {
  'a backup or a copy is as secret as what it is one of': {
    asked: [
      'cat .env~',
      'tail -F .env.swp',
      'head "secrets copy.yml"',
      'cat server.key.2026-01-31',
      'cat credentials.old.json',
      'zcat auth.json.gz',
      'cat .env.test.local',
      'cat dist/.env',
      'cat playwright/.auth/user.json',
      'cat .envs/production',
    ],
    runs: [
      'cat .env.example',
      'cat .env.example~',
      'cat .env.production.sample',
      'cat .env.test',
      'cat src/a.ts.bak',
      'cat node_modules/x/test/server.key',
    ],
  },
  'what is in a file decides, if its name does not': {
    asked: [
      'cat config/database.yml',
      'grep -n password config/database.yml',
      'jq . .mcp.json',
      'cat .git/config',
      'sed -n 1,3p keys/deploy_key',
      'cat compose.prod.yml',
      `python3 -c "print(open('config/database.yml').read())"`,
    ],
    runs: [
      'grep -n adapter config/database.yml',
      'cat docker-compose.yml',
      'cat package.json',
      'cat tests/fixtures/config.json',
      'ls -l .mcp.json',
      'wc -l config/database.yml',
    ],
  },
  'the address of a remote may hold a token': {
    asked: [
      'git remote -v',
      'git remote show origin',
      'git remote get-url origin',
      'git config --get remote.origin.url',
      'git config --get-regexp remote',
    ],
    runs: ['git remote', 'git config user.name', 'git status'],
  },
  'a program in the line reads by one plain name, or is asked about': {
    asked: [
      `python3 -c "print(open('.e' 'nv').read())"`,
      `python3 -c "print(open('\\056env').read())"`,
      `python3 -c "p='.e'; print(open(p+'nv').read())"`,
      `python3 -c "from pathlib import Path; print(Path('.e' 'nv').read_text())"`,
      `node -p "require('fs').readFileSync('.\\u{65}nv','utf8')"`,
      `node -e "console.log(require('fs').readFileSync(['.e','nv'].join(''),'utf8'))"`,
      `ruby -e 'puts File.read(".e" "nv")'`,
      `python3 -c "print(open('server.key').read())"`,
    ],
    runs: [
      `python3 -c "import sys; print(','.join(l.strip() for l in open(sys.argv[1])))" package.json`,
      `node -e "const p=require('path'); console.log(require('fs').readFileSync(p.join(__dirname,'package.json'),'utf8'))"`,
      `node -p "require('fs').readFileSync('package.json','utf8').split('x').join('y')"`,
      `python3 -c "print(open('package.json').read())"`,
    ],
  },
  'the environment, in whatever way it is printed': {
    asked: ['env -uFOO', 'env -u FOO', 'env --unset=FOO', 'env FOO=1', 'readonly -p', 'declare -x'],
    runs: ['env --version', 'env -i FOO=1', 'env -u FOO git status', "node -p 'process.env.CI'"],
  },
  'a part of a name that is not known may be nothing': {
    asked: ['cat .e${z}nv', 'cat .e$@nv', 'read -r x <<< env; cat ".$x"', 'cat ".e$x"'],
    runs: ['cat "$f"', 'for i in 1 2; do cat log.$i; done', 'for f in a b; do cat "src/$f.ts"; done'],
  },
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these were the shell's

describe.each(Object.entries(CLASSES))('%s', (_, { asked, runs }) => {
  test.each(asked)('asked: %s', (line) => expect(judge(line)).not.toBe('allow'));
  test.each(runs)('runs: %s', (line) => expect(judge(line)).toBe('allow'));
});

test('a remote without a token is shown', () => {
  expect(judge('git remote -v', clean())).toBe('allow');
  expect(judge('cat .git/config', clean())).toBe('allow');
});

describe('the whole environment of a program in the line is left to a person', () => {
  test.each([
    'python3 -c "import os; print(os.environb)"',
    `node -p 'Object.entries(process["env"]).join()'`,
    `node -p 'require("process").env'`,
    "node -p 'const {env} = process; env'",
    "node -e 'console.log(process)'",
    "deno eval 'console.log(Deno.env.toObject())'",
    "perl -e 'print @ENV{qw(A B)}'",
  ])('%s', (line) => expect(judge(line)).not.toBe('allow'));
});

describe('a variable that programs obey is judged however it is set', () => {
  test.each([
    'for PATH in ./docs/bin; do git status; done',
    'select PATH in a b; do git status; done',
    'printf -v PATH ./docs/bin; git status',
    'read PATH <<< ./docs/bin; git status',
    'mapfile PATH < x; git status',
    'getopts a PATH; git status',
  ])('%s', (line) => expect(judge(line)).toBe('unknown'));
  test.each([
    'for f in a b; do git status; done',
    'for ENV in dev staging; do git status; done',
    'read -r line < package.json; git status',
    'printf -v now "%s" x; git status',
  ])('%s', (line) => expect(judge(line)).toBe('allow'));
});

const bare = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };

describe('what signs somebody in is found in the folders of tools, in settings and in backups', () => {
  const place = { cwd: '/home/dev/p', root: '/home/dev/p', home: '/home/dev', tmp: '/tmp' };
  const decision = (line: string) => judgeByPolicy(line, place, builtinPolicy);
  test.each([
    'cat ~/.ivy2/.credentials',
    'cat ~/.hex/hex.config',
    'cat /etc/rancher/k3s/k3s.yaml',
    'cat /var/backups/shadow.bak',
    'cat cypress.env.json cookies.txt',
    'cat android/key.properties',
  ])('%s is asked about', (line) => {
    expect(decision(line).parts.some((part) => part.asks)).toBe(true);
  });
  test.each([
    'mc alias list',
    'ansible-inventory --list',
    'glab api projects/1/variables',
    'rm -rf dist/.?/src',
  ])('%s is left to a person', (line) => expect(decision(line).decision).toBe('unknown'));
  test.each(['cat ~/.ivy2/cache/x.xml', 'vercel domains ls', 'fly apps list', 'ls -d .*'])(
    '%s runs',
    (line) => expect(decision(line).decision).toBe('allow'),
  );
  test.each([
    'vercel domains rm shop.example -y',
    'fly apps restart shop',
    'gh issue create -Revil/x --title a --body b',
  ])('%s is left to a person, too', (line) => expect(decision(line).decision).toBe('unknown'));
});

describe('a tilde with a sign or a name is the folder that the shell makes of it', () => {
  test.each(['rm -rf ~+/../build', 'rm -rf ~-/build', 'rm -rf ~root/build', 'echo x > ~root/notes.txt'])(
    '%s',
    (line) => expect(judgeByPolicy(line, bare, builtinPolicy).decision).not.toBe('allow'),
  );
  test('~+ is the folder itself', () => expect(judge('cat ~+/src/a.ts')).toBe('allow'));
});
