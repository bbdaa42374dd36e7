import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { type Installed, installPackage } from '../support/installed.ts';
import { freePort, temporaryFolder } from '../support/process.ts';
import type { TestServer } from '../support/server.ts';

// The package as a user gets it: packed, installed by npm into an empty prefix without a network, started elsewhere.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

let installed: Installed;
let server: ChildProcess;
let env: Record<string, string>;
let url: string;

beforeAll(async () => {
  installed = await installPackage();
  const home = join(temporaryFolder(), 'home');
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  const { PATH = '' } = process.env;
  // nobody answers there, so that the model is made from the weights that the package brings
  const hub = `http://127.0.0.1:${await freePort()}`;
  env = {
    PATH,
    HOME: temporaryFolder(),
    LORE_HOME: home,
    LORE_PORT: port,
    LORE_MODEL_HUB: hub,
    LORE_CHECK_SENDER: 'off',
  };
  server = spawn(installed.lore, ['start', '--no-warm-up'], { env, cwd: temporaryFolder() });
  let ended = '';
  server.stderr?.on('data', (text) => (ended += text));
  await vi.waitUntil(
    async () => {
      if (server.exitCode !== null) throw new Error(`the server ended: ${ended}`);
      const health = await fetch(`${url}/health`).catch(() => null);
      const { embedding } = ((await health?.json()) ?? {}) as { embedding?: { state: string } };
      return embedding?.state === 'ready';
    },
    { timeout: 200_000, interval: 1_000 },
  );
});

afterAll(async () => {
  if (server?.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
});

/** Runs the installed command and returns what it prints as JSON. */
async function lore(...args: string[]) {
  const { stdout } = await promisify(execFile)(installed.lore, [...args, '--json'], { env });
  return JSON.parse(stdout);
}

test('it holds what runs, and neither sources nor tests', () => {
  const places = new Set(installed.files.map((file) => file.split('/')[0]));
  expect([...places].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'THIRD-PARTY-LICENSES',
    'bin',
    'dist',
    'drizzle',
    'hooks',
    'npm-shrinkwrap.json',
    'package.json',
  ]);
  expect(installed.files.filter((file) => /\.(map|ts|tsx)$/.test(file))).toEqual([]);
  const { scripts, overrides, private: kept, bin } = read('package.json');
  expect({ scripts, overrides, kept }).toEqual({});
  expect(Object.keys(bin)).toEqual(['lore', 'agent-lore']);
});

test('npm installs it without a word of warning, nothing that only builds, and at most 250 MB', () => {
  expect(installed.said).toMatch(/^\n?added \d+ packages/);
  expect(installed.said).not.toMatch(/warn/i);
  const packages = readdirSync(join(installed.folder, 'node_modules'));
  expect(packages).toContain('onnxruntime-node');
  for (const name of ['sharp', 'onnxruntime-web', '@xenova', 'vite', 'esbuild', 'tailwindcss', 'protobufjs'])
    expect(packages).not.toContain(name);
  const bytes = readdirSync(installed.prefix, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  expect(bytes).toBeGreaterThan(100e6);
  expect(bytes).toBeLessThanOrEqual(250e6);
});

test('its dependencies have the very versions of the clone', () => {
  const versions = (path: string) => read(path).version;
  for (const [name, version] of Object.entries(read('package.json').dependencies))
    expect([name, versions(join('node_modules', name, 'package.json'))]).toEqual([name, version]);
});

test('it serves the page and its files', async () => {
  const page = await fetch(url);
  expect(page.headers.get('content-type')).toMatch('text/html');
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
  const answer = await fetch(url + script);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
  ]);
  expect((await fetch(`${url}/sw.js`)).status).toBe(200);
});

test('it learns from an error and its fix, embeds the lesson, and finds it by meaning', async () => {
  const key = readFileSync(join(env.LORE_HOME ?? '', 'key'), 'utf8').trim();
  const hook = async (body: unknown) => {
    const answer = await fetch(`${url}/v1/hooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  };
  const session = hookSession({ hook } as TestServer, { cwd: '/home/dev/app' });
  await session.start();
  await session.prompt('Make the integration tests pass');
  await session.bashFails('npm test', 'Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:8085');
  await session.bashWorks('npm run emulator', 'started');
  await session.bashWorks('npm test', '42 passed');
  await session.stop('The emulator has to run before the integration tests.');
  await session.end();

  const within = { timeout: 60_000, interval: 1_000 };
  const [learning] = await vi.waitUntil(async () => {
    const learnings = await lore('learnings');
    return learnings.length > 0 && learnings;
  }, within);
  expect(learning.lesson).toMatch('npm run emulator');
  // none of these words is in the lesson, so it is found by its vector only
  const wanted = async () => JSON.stringify(await lore('search', 'unable to reach the simulator'));
  await vi.waitUntil(async () => (await wanted()).includes('npm run emulator'), within);
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ embedding: { pending: false } });
});

const read = (path: string) => JSON.parse(readFileSync(join(installed.folder, path), 'utf8'));
