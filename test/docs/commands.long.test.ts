import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { holderOf } from '../../src/base/files/lock-folder.ts';
import { packageName } from '../../src/base/files/package-root.ts';
import { insisting } from '../support/asking.ts';
import { startedSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { freePort } from '../support/process.ts';
import type { TestServer } from '../support/server.ts';
import { fakeSystemd } from '../support/systemd.ts';

// A stranger with an empty home clones Lore and types every command of README.md and docs/install.md as it stands there,
// on a terminal. The tests build on each other: what one page has installed, the next one updates and removes.

vi.setConfig({ testTimeout: 900_000, hookTimeout: 120_000 });

/** The commands of a block marked `sh`, or why they are not run: a comment above it says so. */
type Block = { lines: string[]; reason: string | undefined };

const BLOCK = /(?:^<!-- not run[^:]*: (.+) -->\n)?^```sh\n([\s\S]*?)^```$/gm;

const blocksOf = (page: string): Block[] =>
  [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(([, reason, text = '']) => ({
    reason,
    lines: text.split('\n').filter(Boolean),
  }));

/** The commands in the tables of a page, with something in place of what a reader fills in. */
const tableOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^\|.*\|$/gm)].flatMap(([row]) =>
    [...row.matchAll(/`(lore [^`]+)`/g)].map(([, command = '']) => command.replaceAll(/<\w+>/g, 'rates')),
  );

const folder = temporaryFolder();
const home = join(folder, 'home');
const clone = join(folder, 'lore');
const prefix = join(folder, 'prefix');
const project = join(home, 'my-project');
let env: Record<string, string>;

beforeAll(async () => {
  for (const one of [home, prefix, project]) mkdirSync(one, { recursive: true });
  // what is here now, as a repository of its own: it can be pulled from
  const origin = join(folder, 'origin');
  const leftOut = new Set(
    ['.git', 'node_modules', 'dist', 'packed', 'coverage'].map((name) => join(process.cwd(), name)),
  );
  cpSync(process.cwd(), origin, { recursive: true, filter: (from) => !leftOut.has(from) });
  git(origin, 'init', '--quiet');
  commit(origin);
  git(folder, 'clone', '--quiet', origin, clone);
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const without = fakeSystemd(join(folder, 'systemd'), { works: false }).env;
  env = {
    ...without,
    PATH: `${prefix}/bin:${without.PATH}`,
    HOME: home,
    // the files of npm come from where they were put for these tests, if they are there
    npm_config_cache: execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim(),
    npm_config_prefer_offline: 'true',
    npm_config_prefix: prefix,
    ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }),
    LORE_PORT: String(await freePort()),
    // nobody answers there: the model is made from the weights that came along
    LORE_CHECK_SENDER: 'off',
  };
});

/** Whatever a test left running, because it failed. */
afterAll(async () => {
  const data = join(home, '.lore');
  const pid = existsSync(data) ? holderOf(data) : null;
  if (pid !== null) process.kill(pid, 'SIGKILL');
  await vi.waitUntil(() => !existsSync(data) || holderOf(data) === null, { timeout: 60_000 });
});

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args], { cwd });
}

function commit(cwd: string): void {
  git(cwd, 'add', '--all');
  git(cwd, 'commit', '--quiet', '--message', 'as it is');
}

/** Ends a server in the foreground, as a person does who closes its terminal. */
async function closeTerminals(): Promise<void> {
  const data = join(home, '.lore');
  const pid = existsSync(data) ? holderOf(data) : null;
  if (pid === null || existsSync(join(data, 'service.json'))) return;
  process.kill(pid, 'SIGINT');
  await vi.waitUntil(() => holderOf(data) === null, { timeout: 60_000 });
}

/**
 * Types a line on a terminal of its own, below no process of this one (an agent may run the tests), and waits until it has
 * ended, or until it says that a server is there. Returns its exit code and what it said; questions get no answer.
 */
async function type(line: string, cwd: string): Promise<{ line: string; code: number; said: string }> {
  // npm may have left the cursor behind its spinner
  const shell = `bash -c '${line.replaceAll("'", `'\\''`)}'; printf '\\nexit %s\\n' $?`;
  const [program = '', ...args] = ['setsid', '--fork', 'script', '-qec', shell, '/dev/null'];
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {}).end();
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = () => /^exit (\d+)\r?$/m.exec(said)?.[1] ?? (/^Open the page:/m.test(said) ? '0' : undefined);
  const code = await vi.waitUntil(ended, { timeout: 600_000, interval: 200 });
  return { line, code: Number(code), said };
}

/** The commands that were typed. */
const known = new Set<string>();

/** Types all that a page says to type, in order. Returns what was typed, and why the rest was not. */
async function follow(page: string) {
  const blocks = blocksOf(page);
  const typed: Awaited<ReturnType<typeof type>>[] = [];
  for (const { lines, reason } of blocks) {
    // what another page has said too is done
    if (reason !== undefined || lines.every((line) => known.has(line))) continue;
    await closeTerminals();
    for (const line of lines) {
      const done = await type(line, clone);
      expect(done).toMatchObject({ line, code: 0 });
      typed.push(done);
      for (const part of line.split(' && ')) known.add(part);
    }
  }
  return { typed, reasons: blocks.flatMap(({ reason }) => reason ?? []) };
}

const page = () => `http://127.0.0.1:${env.LORE_PORT}`;
const health = async () =>
  (await (await fetch(`${page()}/health`)).json()) as { version: string; embedding: { state: string } };

test('README.md: every command works', async () => {
  const { typed, reasons } = await follow('README.md');
  expect(reasons).toEqual(['that is one of these tests']);
  expect(typed.map(({ line }) => line.split('#')[0]?.trim())).toEqual([
    'npm ci && npm start',
    'npx lore init ~/my-project',
    'npm run package && npm install -g ./packed/lore.tgz',
    'lore up',
  ]);
  expect(typed[2]?.said).toContain('What comes next: npm install -g ./packed/lore.tgz && lore up');
  expect(readFileSync(join(project, '.claude/settings.local.json'), 'utf8')).toContain('session-start');
  const said = typed[2]?.said.split('What comes next')[1] ?? '';
  expect(said).toMatch(/added \d+ packages? in /);
  expect(said).not.toMatch(/warn/i);
  const everyDay = tableOf('README.md');
  expect(everyDay).toContain('lore search rates');
  for (const line of everyDay) expect(await type(line, project)).toMatchObject({ line, code: 0 });
});

/** The installed package. */
const installed = join(prefix, 'lib/node_modules', packageName);
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

test('the package holds what runs and nothing else, in the versions of the clone, and at most 250 MB', () => {
  const entries = readdirSync(installed, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = files
    .map((file) => relative(installed, file))
    .filter((file) => !file.startsWith('node_modules'));
  const places = new Set(own.map((file) => file.split('/')[0]));
  for (const name of ['bin', 'dist', 'drizzle', 'hooks', 'LICENSE', 'package.json'])
    expect(places).toContain(name);
  for (const name of ['src', 'test', 'scripts', 'docs']) expect(places).not.toContain(name);
  expect(own.filter((file) => /\.(map|ts|tsx)$/.test(file))).toEqual([]);
  const packages = readdirSync(join(installed, 'node_modules'));
  for (const name of ['sharp', 'onnxruntime-web', '@xenova', 'vite', 'esbuild', 'tailwindcss', 'protobufjs'])
    expect(packages).not.toContain(name);
  for (const [name, version] of Object.entries(read(join(installed, 'package.json')).dependencies))
    expect([name, read(join(installed, 'node_modules', name, 'package.json')).version]).toEqual([
      name,
      version,
    ]);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeGreaterThan(50e6);
  expect(bytes).toBeLessThanOrEqual(250e6);
});

test('the installed server serves the page, learns from an error and its fix, and finds that by meaning', async () => {
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(page())).text())?.[1];
  const answer = await fetch(page() + script);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
  ]);
  const within = { timeout: 120_000, interval: 1_000 };
  await vi.waitUntil(async () => (await health()).embedding.state === 'ready', within);
  const ask = insisting(page(), readFileSync(join(home, '.lore/key'), 'utf8').trim());
  const server = { hook: (event: unknown) => ask('POST', '/v1/hooks', event) } as TestServer;
  const session = await startedSession(server, { cwd: '/home/dev/app' }, 'Make the integration tests pass');
  await session.bashFails('npm test', "Exit code 1\nError: Cannot find module './emulator.json'");
  await session.bashWorks('npm run emulator', 'started');
  await session.bashWorks('npm test', '42 passed');
  await session.stop('The emulator has to be made before the integration tests.');
  await session.end();
  // none of these words is in the records, so they are found by their vectors only
  const query = { query: 'unable to reach the simulator' };
  const found = async () => JSON.stringify(await ask('POST', '/v1/search', query));
  await vi.waitUntil(async () => (await found()).includes('npm run emulator'), within);
});

test('lore update says what works instead, installed and in the clone', async () => {
  for (const [program, cwd, way] of [
    ['lore', project, 'npm run package && npm install -g ./packed/lore.tgz && lore up'],
    ['npx lore', clone, 'git pull && npm ci && npx lore up'],
  ] as const) {
    const update = await type(`${program} update`, cwd);
    expect(update.code).toBe(0);
    expect(update.said.replaceAll(/\s+/g, ' ')).toContain(way);
  }
});

test('docs/install.md: every command works, an update is in use afterwards, and nothing is left', async () => {
  const manifest = join(folder, 'origin/package.json');
  const before = (await health()).version;
  writeFileSync(
    manifest,
    readFileSync(manifest, 'utf8').replace(`"version": "${before}"`, '"version": "99.0.0"'),
  );
  commit(join(folder, 'origin'));
  const { typed, reasons } = await follow('docs/install.md');
  expect(reasons).toEqual([]);
  expect(typed.filter(({ said }) => /Lore 99\.0\.0 runs on/.test(said)).map(({ line }) => line)).toEqual([
    'lore up',
  ]);
  expect(readdirSync(join(prefix, 'bin'))).toEqual([]);
  expect(readdirSync(home)).toEqual(['my-project']);
  expect(existsSync(join(project, '.claude/settings.local.json'))).toBe(false);
});
