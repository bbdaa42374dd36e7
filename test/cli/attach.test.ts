import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { attachmentSettings, attachProject, detachProject } from '../../src/cli/attach/attach.ts';
import { Problem } from '../../src/errors/problem.ts';
import { fastFolder } from '../support/fast-folder.ts';
import { withGit } from '../support/needs.ts';

let base: string;
let dir: string;
let home: string;
let file: string;
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(join(fastFolder, 'attach-')));
  dir = join(base, 'project');
  home = join(base, 'home');
  file = join(dir, '.claude', 'settings.local.json');
  fs.mkdirSync(dir);
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const [key, otherKey] = ['k'.repeat(32), 'o'.repeat(32)];
const wiring = { url: 'http://127.0.0.1:4747', key, hookScript: '/opt/lore/hooks/session-start' };
const attach = (change: Partial<Parameters<typeof attachProject>[0]> = {}) =>
  attachProject({ dir, home, ...wiring, ...change });
const detach = () => detachProject({ dir, home });
const text = () => fs.readFileSync(file, 'utf8');
const read = (json: string) => parse(json.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
const settings = () => read(text());
const mode = (path: string) => fs.statSync(path).mode & 0o777;
const wipeHome = () => fs.rmSync(home, { recursive: true, force: true });
function write(content: string | Buffer) {
  fs.mkdirSync(join(dir, '.claude'), { recursive: true });
  fs.writeFileSync(file, content);
}
function problem(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('no Problem was thrown');
}

const theirs = { type: 'command', command: './check.sh' };
const commented = `{
    // our rules
    "permissions": { "allow": ["Bash(npm test)"], /* none */ "deny": [] },
    "hooks": {
        "Stop": [
            { "hooks": [${JSON.stringify(theirs)}] } // stays
        ],
        "PreToolUse": [ { "matcher": "Bash", "hooks": [${JSON.stringify(theirs)}] } ],
        "Notification": [] // ours
    },
    "env": {
        "DEBUG": "1"
        // more to come
    },
    "sandbox": { "enabled": true, "network": { "allowedDomains": ["a.example"] } }
}
`;
/** Settings as people write them. */
const TEXTS = {
  'comments and hooks of others': commented,
  'a byte order mark, CRLF, tabs and no last line break': '\uFEFF{\r\n\t"model": "opus"\r\n}',
  'one line': '{"model":"opus","env":{"A":"1"}}',
  'an empty object': '{}',
  'white space': ' \n',
  'a trailing comma': '{\n  "model": "opus",\n}\n',
};

test('writes one command hook, http hooks, the environment and the host, for its owner only', () => {
  expect(attach({ url: `${wiring.url}/` })).toEqual({ file, changed: true, warnings: [] });
  expect([mode(file), text().endsWith('}\n')]).toEqual([0o600, true]);
  const { env, hooks, sandbox } = settings();
  expect(env).toEqual({ LORE_KEY: key, LORE_URL: 'http://127.0.0.1:4747' });
  expect(sandbox).toEqual({ network: { allowedDomains: ['127.0.0.1:4747'] } });
  const { SessionStart, ...rest } = hooks;
  const script = '"/opt/lore/hooks/session-start"';
  const command = `node ${script} || "${process.execPath}" ${script} || true`;
  expect(SessionStart).toEqual([{ hooks: [{ type: 'command', command, timeout: 5 }] }]);
  for (const groups of Object.values(rest))
    expect(groups).toMatchObject([{ hooks: [{ type: 'http', url: 'http://127.0.0.1:4747/v1/hooks' }] }]);
  expect(settings()).toEqual(attachmentSettings(wiring));
  const [record = ''] = fs.readdirSync(join(home, 'attachments'));
  expect(mode(join(home, 'attachments', record))).toBe(0o600);
});

test('quotes a script path for the shell, and starts the session without a node on the PATH or the script', () => {
  const odd = join(base, 'a "b" $HOME `id` \\c', 'hooks');
  fs.mkdirSync(odd, { recursive: true });
  fs.writeFileSync(join(odd, 'session-start'), 'console.log("ran")');
  attach({ hookScript: join(odd, 'session-start') });
  const { command } = settings().hooks.SessionStart[0].hooks[0];
  const run = (PATH: string) =>
    execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', env: { PATH }, stdio: 'pipe' });
  expect([run(process.env.PATH ?? ''), run(base)]).toEqual(['ran\n', 'ran\n']);
  fs.rmSync(join(odd, 'session-start'));
  expect(run(base)).toBe('');
});

describe.each(Object.entries(TEXTS))('in a file with %s', (_, before) => {
  const was = before.trim() === '' ? {} : read(before);

  test('adds its own entries, a second attach changes nothing, and detach restores the bytes', () => {
    write(before);
    attach();
    const once = text();
    const ours = attachmentSettings(wiring);
    const now = settings();
    expect(now.env).toEqual({ ...was.env, ...ours.env });
    for (const [event, groups] of Object.entries(ours.hooks))
      expect(now.hooks[event]).toEqual([...(was.hooks?.[event] ?? []), ...groups]);
    expect(now.sandbox.network.allowedDomains).toEqual([
      ...(was.sandbox?.network.allowedDomains ?? []),
      '127.0.0.1:4747',
    ]);
    expect({ ...now, ...was, hooks: 0, env: 0, sandbox: 0 }).toEqual({
      ...now,
      hooks: 0,
      env: 0,
      sandbox: 0,
    });
    for (const comment of before.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(once).toContain(comment);
    expect(attach().changed).toBe(false);
    expect(text()).toBe(once);
    attach({ url: 'https://lore.example/base', key: otherKey, hookScript: '/srv/hooks/session-start' });
    for (const old of [key, '4747', '/opt/lore']) expect(text()).not.toContain(old);
    detach();
    expect(text()).toBe(before);
  });

  test('takes out its own entries alone once somebody has edited it, also without its record', () => {
    for (const forget of [() => {}, wipeHome]) {
      write(before);
      attach();
      write(text().replace('{', '{ "later": [1], '));
      forget();
      expect(detach().found).toBe(true);
      expect(settings()).toEqual({ later: [1], ...was });
      fs.rmSync(file);
      detach();
    }
  });
});

test('without a file before, detach leaves nothing', () => {
  attach();
  expect(detach().found).toBe(true);
  expect(fs.readdirSync(dir)).toEqual([]);
  attach();
  fs.appendFileSync(file, '\n\n');
  detach();
  expect(fs.readdirSync(dir)).toEqual([]);
  expect(detach().found).toBe(false);
});

test('what an earlier version wrote goes too: its command, and the sandbox of its own option', () => {
  attach();
  write(text().replace(/ \|\| [^,]* \|\| true/, ''));
  attach();
  expect(settings()).toEqual(attachmentSettings(wiring));
  const [name = ''] = fs.readdirSync(join(home, 'attachments'));
  const record = join(home, 'attachments', name);
  const sandbox = { enabled: true, network: { allowedDomains: ['127.0.0.1:4747', 'github.com'] } };
  const { made: _, ...old } = JSON.parse(fs.readFileSync(record, 'utf8'));
  fs.writeFileSync(record, JSON.stringify({ ...old, madeFolder: true, sandbox }));
  write(JSON.stringify({ ...settings(), sandbox }));
  attach({ key: otherKey });
  expect(settings().sandbox).toEqual(sandbox);
  detach();
  expect(fs.readdirSync(dir)).toEqual([]);
});

test('follows a link, also one that dangles', () => {
  fs.mkdirSync(join(dir, '.claude'));
  const elsewhere = join(base, 'shared.json');
  fs.symlinkSync('../../shared.json', file);
  attach();
  expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
  expect(read(fs.readFileSync(elsewhere, 'utf8'))).toEqual(attachmentSettings(wiring));
  detach();
  expect([fs.existsSync(elsewhere), fs.lstatSync(file).isSymbolicLink()]).toEqual([false, true]);
});

test('does not take the hooks of others for its own, and warns that the client ignores comments', () => {
  const others = [
    { type: 'command', command: 'bash "/x/hooks/session-start"' },
    { type: 'http', url: 'http://127.0.0.1:4747/v1/hooks' },
    { type: 'http', url: 'http://other.example/hooks', headers: { Authorization: 'Bearer $LORE_KEY' } },
    null,
  ];
  const own = { hooks: { SessionStart: [{ hooks: others }, 7, { hooks: null }] } };
  write(`${JSON.stringify(own)} // note`);
  expect(attach().warnings).toEqual([expect.stringContaining('ignores such a file')]);
  wipeHome();
  detach();
  expect(settings()).toEqual(own);
});

test('a LORE_KEY of somebody else stops it unless forced, and comes back', () => {
  const foreign = `{\n  "env": { "LORE_KEY": "${otherKey}" }\n}\n`;
  write(foreign);
  const refused = problem(attach);
  expect(refused).toMatchObject({ status: 409, detail: expect.stringContaining(`${file}:2:24`) });
  expect(refused.message).not.toContain(otherKey);
  expect([text(), fs.existsSync(home)]).toEqual([foreign, false]);
  attach({ force: true });
  expect(settings().env.LORE_KEY).toBe(key);
  write(text().replace('{', '{ "model": "opus",'));
  detach();
  expect(settings()).toEqual({ model: 'opus', env: { LORE_KEY: otherKey } });
  // another Lore with its own data folder
  fs.rmSync(file);
  attach();
  const other = { home: join(base, 'other'), url: 'http://127.0.0.1:4748', key: otherKey };
  expect(problem(() => attach(other)).status).toBe(409);
  wipeHome();
  expect(attach({ key: otherKey }).changed).toBe(true);
});

test.each([
  ['{\n  "a": 1,,\n}', ':2:10', 'invalid JSON'],
  ['{} {}', ':1:4', 'invalid JSON'],
  ['[]', ':1:1', 'object'],
  ['{\n  "hooks": []\n}', ':2:12', 'hooks must be an object'],
  ['{"hooks": null}', ':1:11', 'hooks must be an object'],
  ['{"hooks": {"Stop": {}}}', ':1:20', 'hooks.Stop must be an array'],
  ['{"env": "x"}', ':1:9', 'env must be an object'],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), ':1:1', 'UTF-8'],
])('what cannot be merged is refused and left alone: %s', (content, position, reason) => {
  write(content);
  const refused = problem(attach);
  expect(refused).toMatchObject({ status: 409, detail: expect.stringContaining(file + position) });
  expect(refused.detail).toContain(reason);
  expect(fs.readFileSync(file)).toEqual(Buffer.from(content));
  expect(fs.existsSync(home)).toBe(false);
});

test('a folder that is missing, and a url or key that would not work, are refused', () => {
  expect(problem(() => attach({ dir: join(base, 'gone') })).status).toBe(400);
  for (const url of ['', '127.0.0.1:4747', 'ftp://x', 'http://'])
    expect(problem(() => attach({ url })).errors?.[0]?.field).toBe('url');
  for (const bad of ['', 'a b', 'a\nb', 'ä'])
    expect(problem(() => attach({ key: bad })).errors?.[0]?.field).toBe('key');
  expect(fs.existsSync(join(dir, '.claude'))).toBe(false);
});

withGit.describe('git', () => {
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8' });
  const line = '/.claude/settings.local.json\n';
  let exclude: string;
  beforeEach(() => {
    execFileSync('git', ['init', '-q', dir]);
    exclude = join(dir, '.git', 'info', 'exclude');
  });

  test.each(['# git ls-files --others\n', '', 'a\r\n\xff\xfe\n'])(
    'does not see the key, and --remove takes its line out again: %j',
    (content) => {
      fs.writeFileSync(exclude, content, 'latin1');
      expect(attach()).toEqual({ file, changed: true, excludedBy: exclude, warnings: [] });
      expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
      expect(attach()).toEqual({ file, changed: false, warnings: [] });
      expect(attach({ key: otherKey })).toEqual({ file, changed: true, warnings: [] });
      expect(fs.readFileSync(exclude, 'latin1')).toBe(content + line);
      detach();
      expect(fs.readFileSync(exclude, 'latin1')).toBe(content);
    },
  );

  test('leaves an exclusion alone that was there before, and warns where git tracks the file', () => {
    fs.writeFileSync(exclude, line);
    attach();
    detach();
    expect(fs.readFileSync(exclude, 'utf8')).toBe(line);
    fs.writeFileSync(exclude, '');
    write('{}');
    git('add', '-f', '.claude');
    expect(attach().warnings).toEqual([expect.stringContaining('git rm --cached')]);
    expect(fs.readFileSync(exclude, 'utf8')).toBe('');
  });
});
