import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { insisting } from '../support/asking.ts';
import { hookSession } from '../support/hook-session.ts';
import { type Installed, installPackage } from '../support/installed.ts';
import { freePort, runAsPerson, runLore, temporaryFolder } from '../support/process.ts';
import type { TestServer } from '../support/server.ts';
import { fakeSystemd } from '../support/systemd.ts';

// The package as a user gets it: packed, installed by npm into an empty prefix without a network, started elsewhere,
// removed. The tests build on each other.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

let installed: Installed;
let env: Record<string, string>;
let cwd: string;
let url: string;
let upSaid: string;

beforeAll(async () => {
  installed = await installPackage();
  const folder = temporaryFolder();
  cwd = join(folder, 'elsewhere');
  mkdirSync(cwd);
  mkdirSync(join(folder, 'person'));
  url = `http://127.0.0.1:${await freePort()}`;
  env = {
    ...fakeSystemd(join(folder, 'systemd'), { works: false }).env,
    HOME: join(folder, 'person'),
    LORE_PORT: new URL(url).port,
    // nobody answers there, so that the model is made from the weights that the package brings
    LORE_CHECK_SENDER: 'off',
  };
  const up = await runLore(['up', '--no-attach'], { env, cwd, bin: installed.bin });
  expect(up).toMatchObject({ code: 0 });
  upSaid = up.stdout;
  await vi.waitUntil(async () => (await health()).embedding.state === 'ready', {
    timeout: 120_000,
    interval: 1_000,
  });
});

afterAll(async () => {
  // that nothing is left is one of the tests of docs/install.md
  await runAsPerson(['down', '--remove', '--data'], { env, cwd, bin: installed.bin });
});

const home = () => join(env.HOME ?? '', '.lore');
const health = async () =>
  (await (await fetch(`${url}/health`)).json()) as { version: string; embedding: { state: string } };

/** Runs the installed command and returns what it prints as JSON. */
async function lore(...args: string[]) {
  const { code, stdout, stderr } = await runLore([...args, '--json'], { env, cwd, bin: installed.bin });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('it holds what runs, and neither sources nor tests', () => {
  const own = installed.files.filter((file) => file !== '' && !file.startsWith('node_modules/'));
  const places = new Set(own.map((file) => file.split('/')[0]));
  for (const name of ['bin', 'dist', 'drizzle', 'hooks', 'LICENSE', 'package.json'])
    expect(places).toContain(name);
  for (const name of ['src', 'test', 'scripts', 'docs']) expect(places).not.toContain(name);
  expect(own.filter((file) => /\.(map|ts|tsx)$/.test(file))).toEqual([]);
});

test('npm installs it without a word of warning, nothing that only builds, and at most 250 MB', () => {
  expect(installed.said).toMatch(/^\n?added \d+ packages? in /);
  expect(installed.said).not.toMatch(/warn/i);
  const packages = readdirSync(join(installed.folder, 'node_modules'));
  expect(packages).toContain('onnxruntime-node');
  for (const name of ['sharp', 'onnxruntime-web', '@xenova', 'vite', 'esbuild', 'tailwindcss', 'protobufjs'])
    expect(packages).not.toContain(name);
  const bytes = readdirSync(installed.prefix, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  expect(bytes).toBeGreaterThan(50e6);
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
  const key = readFileSync(join(home(), 'key'), 'utf8').trim();
  const hook = (body: unknown) => insisting(url, key)('POST', '/v1/hooks', body);
  const session = hookSession({ hook } as TestServer, { cwd: '/home/dev/app' });
  await session.start();
  await session.prompt('Make the integration tests pass');
  await session.bashFails('npm test', "Exit code 1\nError: Cannot find module './emulator.json'");
  await session.bashWorks('npm run emulator', 'started');
  await session.bashWorks('npm test', '42 passed');
  await session.stop('The emulator has to be made before the integration tests.');
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
  expect(await health()).toMatchObject({ embedding: { pending: false } });
});

test('it says what it stores and sends, and how to undo it', () => {
  expect(upSaid).toContain(`stored        in ${home()}`);
  expect(upSaid).toMatch(/sent {10}nothing/);
  expect(upSaid).toContain('lore down --remove');
});

const read = (path: string) => JSON.parse(readFileSync(join(installed.folder, path), 'utf8'));
