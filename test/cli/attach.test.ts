import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { beforeEach, expect, test } from 'vitest';
import * as attaching from '../../src/cli/attach/attach.ts';
import { sandboxFor } from '../../src/cli/attach/sandbox.ts';
import { shownOf } from '../../src/cli/attach/settings.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { runLore } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const [key, otherKey] = ['k'.repeat(32), 'o'.repeat(32)];
const wiring = { url: 'http://127.0.0.1:4747', key };
let dir: string;
let home: string;
let file: string;
beforeEach(() => {
  const base = fs.realpathSync(temporaryFolder());
  [dir, home] = [join(base, 'project'), join(base, 'home')];
  file = join(dir, '.claude', 'settings.local.json');
  fs.mkdirSync(dir);
});

const person = { home: '/nonexistent', env: {} };
const place = (at = home) => attaching.placeIn('claude', dir, at, person);
const attach = ({
  at = home,
  ...change
}: Partial<Parameters<typeof attaching.attach>[1]> & { at?: string } = {}) =>
  attaching.attach(place(at), { ...wiring, ...change }, person);
const detach = () => attaching.detach(place(), person);
const settings = (): any => attaching.editsFor(place(), wiring).map(shownOf)[0];
const text = () => fs.readFileSync(file, 'utf8');
const read = (json: string) => parse(json.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true }) ?? {};
function write(content: string | Buffer) {
  fs.mkdirSync(join(dir, '.claude'), { recursive: true });
  fs.writeFileSync(file, content);
}

const theirs = { type: 'command', command: './check.sh' };
/** Settings as people write them. */
const TEXTS = [
  `{
    // our rules
    "permissions": { "allow": ["Bash(npm test)"], /* none */ "deny": [] },
    "hooks": {
        "Stop": [ { "hooks": [${JSON.stringify(theirs)}] } ],
        "PreToolUse": [ { "matcher": "Bash", "hooks": [${JSON.stringify(theirs)}] } ]
    },
    "env": { "DEBUG": "1" },
    "sandbox": { "enabled": true, "network": { "allowedDomains": ["a.example"] } }
}
`,
  '\uFEFF{\r\n\t"model": "opus"\r\n}',
  '{"model":"opus","env":{"A":"1"}}',
  '{\n  "model": "opus",\n}\n',
];

test.each(TEXTS)('settings keep what is theirs, get ours once, and lose only ours: %j', (before) => {
  write(before);
  const was = read(before);
  attach();
  const once = text();
  const [now, ours] = [read(once), settings()];
  expect(now.env).toEqual({ ...was.env, ...ours.env });
  for (const [event, groups] of Object.entries<object[]>(ours.hooks))
    expect(now.hooks[event]).toEqual([...(was.hooks?.[event] ?? []), ...groups]);
  for (const comment of before.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(once).toContain(comment);
  expect(attach().changed).toEqual([]);
  expect(text()).toBe(once);
  // as another place of the program wrote it
  write(once.replaceAll(process.cwd(), '/opt/lore'));
  attach({ url: 'https://lore.example/base', key: otherKey });
  for (const old of [key, '4747', '/opt/lore']) expect(text()).not.toContain(old);
  fs.rmSync(home, { recursive: true });
  expect(detach()).toEqual([file]);
  expect(read(text())).toEqual(was);
});

test('writes for its owner only, follows a link, and leaves nothing where nothing was', () => {
  expect(attach()).toEqual({ changed: [file], warnings: [] });
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(read(text())).toEqual(settings());
  expect(detach()).toEqual([file]);
  expect(fs.readdirSync(dir)).toEqual([]);
  expect(detach()).toBe(null);
  fs.mkdirSync(join(dir, '.claude'));
  fs.symlinkSync('../../shared.json', file);
  attach();
  expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
  expect(read(text())).toEqual(settings());
});

test('quotes a script path for the shell, and starts the session without a node on the PATH or the script', () => {
  const script = join(dir, 'a "b" $HOME `id` \\c');
  fs.writeFileSync(script, 'console.log("ran")');
  const command = attaching.nodeCommand(script);
  const run = (PATH: string) =>
    execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', env: { PATH }, stdio: 'pipe' });
  expect([run(process.env.PATH ?? ''), run(dir)]).toEqual(['ran\n', 'ran\n']);
  fs.rmSync(script);
  expect(run(dir)).toBe('');
});

test.each([
  ['{\n  "a": 1,,\n}', 'invalid JSON'],
  ['[]', 'object'],
  ['{\n  "hooks": []\n}', 'hooks must be an object'],
  ['{"hooks": {"Stop": {}}}', 'hooks.Stop must be an array'],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'UTF-8'],
])('what cannot be merged is refused and left alone: %s', (content, reason) => {
  write(content);
  expect(attach).toThrow(new RegExp(`${file}:\\d+:\\d+: .*${reason}`));
  expect(fs.readFileSync(file)).toEqual(Buffer.from(content));
  expect(fs.existsSync(home)).toBe(false);
});

withGit.test('git does not see the key', () => {
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8' });
  git('init', '-q');
  const excludes = join(dir, '.git/info/exclude');
  const before = fs.existsSync(excludes) ? fs.readFileSync(excludes, 'utf8') : '';
  attach();
  expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
  detach();
  expect(fs.readFileSync(excludes, 'utf8')).toBe(before);
  attach();
  git('add', '-f', '.claude');
  fs.writeFileSync(excludes, '');
  expect(attach().warnings).toEqual([expect.stringContaining('git rm --cached')]);
});

test('the sandbox gets the hosts of remotes and lock files, and goes again', () => {
  const own = '{"permissions":{"allow":["Bash(npm test)"]}}';
  write(own);
  fs.mkdirSync(join(dir, '.git'));
  fs.writeFileSync(join(dir, '.git/config'), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n');
  fs.writeFileSync(
    join(dir, 'package-lock.json'),
    '{"resolved": "https://npm.acme.example/x/-/x-1.0.0.tgz"}',
  );
  fs.writeFileSync(join(dir, 'compose.yaml'), '');
  const sandbox = sandboxFor(dir);
  const hosts = ['api.github.com', 'github.com', 'npm.acme.example', 'registry.npmjs.org'];
  expect(sandbox).toEqual({ hosts: expect.arrayContaining(hosts), outside: ['lore *', 'docker *'] });
  attach({ sandbox });
  const { enabled, network } = read(text()).sandbox;
  expect([enabled, network.allowedDomains]).toEqual([true, ['127.0.0.1:4747', ...sandbox.hosts]]);
  attach();
  expect(read(text()).sandbox.enabled).toBe(true);
  detach();
  expect(read(text())).toEqual(JSON.parse(own));
});

test('lore init gives hooks a key of their own, which goes with them; doctor says where they are gone', async () => {
  const env = { LORE_HOME: server.home, LORE_URL: server.url, CLAUDE_CONFIG_DIR: join(home, 'claude') };
  const lore = async (...args: string[]) => (await runLore(args, { env, cwd: dir })).stdout;
  expect(await lore('init', '--print')).not.toContain(server.key);
  expect(await lore('init')).toContain(file);
  const { LORE_KEY } = read(text()).env;
  const whose = async () => (await server.request('GET', '/v1/me', { key: LORE_KEY })).body;
  // the agent's shell sees this key
  expect(await whose()).toMatchObject({ role: 'owner', scope: 'hooks' });
  expect(await lore('init')).toContain('Already attached');
  fs.rmSync(file);
  expect(await lore('doctor')).toMatch(/PROBLEM attachments .*is gone\. Run npx lore init/);
  // a person's key from before 0.3
  attach({ at: server.home, url: server.url, key: server.key });
  expect(await lore('doctor')).toMatch(/PROBLEM hooks here .*run npx lore init again/);
  await lore('init');
  expect(text()).not.toContain(server.key);
  expect(await lore('init', '--remove')).toContain('Detached');
  expect(fs.existsSync(join(dir, '.claude'))).toBe(false);
  expect(await lore('init', '--user')).toContain('all your projects');
  const own = join(home, 'claude', 'settings.json');
  const user = read(fs.readFileSync(own, 'utf8')).env.LORE_KEY;
  expect((await server.request('GET', '/v1/me', { key: user })).body).toMatchObject({ project: null });
  await lore('init', '--user', '--remove');
  expect((await server.request('GET', '/v1/me', { key: user })).status).toBe(401);
  expect(fs.existsSync(own)).toBe(false);
});
