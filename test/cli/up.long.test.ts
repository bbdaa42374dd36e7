import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holderOf } from '../../src/base/files/lock-folder.ts';
import { serviceOf } from '../../src/cli/service.ts';
import { lanAddresses } from '../../src/http/addresses.ts';
import { freePort, runAsPerson, runLore, temporaryFolder } from '../support/process.ts';
import { testDatabase } from '../support/server.ts';
import { type FakeSystemd, fakeSystemd } from '../support/systemd.ts';

// The server in the background, through the command line and with real processes. Of systemd there is a stand-in.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

/** Settings as a person wrote them, which nobody else would write like this. */
const SETTINGS = '{ // mine\n\t"permissions": {"allow": [ "Bash(ls:*)" ]} }';

let folder: string;
let home: string;
let project: string;
let url: string;
let env: Record<string, string>;
let database: Awaited<ReturnType<typeof testDatabase>>;

beforeEach(async () => {
  folder = temporaryFolder();
  database = await testDatabase();
  home = database.home;
  project = join(folder, 'project');
  mkdirSync(join(project, '.claude'), { recursive: true });
  writeFileSync(join(project, '.claude/settings.local.json'), SETTINGS);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  env = {
    HOME: join(folder, 'person'),
    LORE_HOME: home,
    LORE_PORT: String(port),
    LORE_MODEL_DIR: '',
    LORE_CHECK_SENDER: 'off',
    CLAUDE_CONFIG_DIR: join(folder, 'person/claude'),
    ...(database.url !== undefined && { DATABASE_URL: database.url }),
  };
  mkdirSync(env.CLAUDE_CONFIG_DIR as string, { recursive: true });
});

/** Whatever a test started is ended, also if it failed. */
afterEach(async () => {
  const pid = existsSync(home) ? holderOf(home) : null;
  if (pid === null) return;
  process.kill(pid, 'SIGKILL');
  await vi.waitUntil(() => holderOf(home) === null, { timeout: 30_000 });
});

function onMachine(works: boolean): FakeSystemd {
  const systemd = fakeSystemd(join(folder, 'systemd'), { works });
  Object.assign(env, systemd.env);
  return systemd;
}

const healthy = () =>
  vi.waitUntil(async () => (await fetch(`${url}/health`).catch(() => null))?.status === 200, {
    timeout: 120_000,
    interval: 500,
  });
const settings = () => readFileSync(join(project, '.claude/settings.local.json'), 'utf8');
const filesBelow = (at: string) =>
  readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

describe('with systemd', () => {
  test('up starts, attaches, comes back after a reboot; down --remove leaves no trace', async () => {
    const systemd = onMachine(true);
    const first = await runLore(['up', project, '--here'], {
      env: { ...env, GEMINI_API_KEY: 'a-secret-key' },
    });
    expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining('lore:') });
    for (const line of [
      `on ${url}.`,
      `Attached to Claude Code for ${project}`,
      'starts again  when you log in',
      `stored        in ${database.url ? 'your PostgreSQL, and in ' : ''}${home}`,
      'sent          to gemini',
      'lore down --remove',
    ])
      expect(first.stdout).toContain(line);
    await healthy();
    expect(settings()).toContain('session-start');

    const [unit = ''] = readdirSync(join(env.XDG_CONFIG_HOME ?? '', 'systemd/user'));
    const file = join(env.XDG_CONFIG_HOME ?? '', 'systemd/user', unit);
    expect(systemd.calls()).toEqual([
      '--user show-environment',
      '--user daemon-reload',
      `--user enable ${unit}`,
      `--user restart ${unit}`,
      ...systemd.calls().slice(4),
    ]);
    // secrets are in the data folder, and nowhere else
    expect(readFileSync(file, 'utf8')).not.toContain('a-secret-key');
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(statSync(join(home, 'service.json')).mode & 0o077).toBe(0);

    const again = await runLore(['up', project, '--here'], { env });
    expect(again.stdout).toMatch(/already runs.*\nAlready attached/);

    // another client too
    const codex = await runLore(['init', '--client', 'codex', project], { env });
    expect(codex).toMatchObject({ code: 0 });
    expect(filesBelow(project)).toContain('config.toml');

    // a reboot: everything is gone at once, and at the login systemd starts the unit as it stands there
    process.kill(holderOf(home) ?? 0, 'SIGKILL');
    await vi.waitUntil(() => holderOf(home) === null, { timeout: 30_000 });
    const program = (/^ExecStart=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '').match(/"[^"]+"/g) ?? [];
    const [node = '', ...args] = program.map((word) => word.slice(1, -1));
    spawn(node, args, { env: { HOME: env.HOME, PATH: '/usr/bin:/bin' }, stdio: 'ignore' });
    await healthy();
    const status = await runLore(['service', '--json'], { env });
    expect(JSON.parse(status.stdout)).toMatchObject({
      pid: holderOf(home),
      service: { is: 'systemd user unit', file },
    });
    expect((await runLore(['status'], { env })).stdout).toContain(`on ${url}: ok`);

    const down = await runAsPerson(['down', '--remove'], { env, input: 'y\n' });
    expect(down).toMatchObject({ code: 0 });
    expect(down.said).toContain(`Detached: Lore is no longer in ${project}/.claude/settings.local.json.`);
    expect(down.said).toContain(`Removed: ${home}.`);
    expect(parse(settings())).toEqual(parse(SETTINGS));
    expect(filesBelow(project)).toEqual(['settings.local.json']);
    expect(systemd.calls()).toContain(`--user disable --now ${unit}`);
    expect(existsSync(home)).toBe(false);
    expect(filesBelow(env.XDG_CONFIG_HOME ?? '')).toEqual([]);
    expect(filesBelow(env.HOME ?? '')).toEqual([]);
    expect(await fetch(url).catch(() => 'nobody')).toBe('nobody');
    expect((await runLore(['service'], { env })).code).toBe(3);
  });
});

test('phones in the network reach it by --lan, over reboots, until that is taken back', async () => {
  const systemd = onMachine(true);
  const here = new URL(url).port;
  const [address] = lanAddresses();
  const reached = () =>
    fetch(`http://${address ?? '127.0.0.1'}:${here}/health`).then(
      () => true,
      () => false,
    );
  const code = async () => (await runAsPerson(['pair'], { env })).said;

  const up = await runAsPerson(['up', '--no-attach', '--lan'], { env });
  expect(up).toMatchObject({ code: 0, said: expect.stringContaining('signs in one device') });
  expect(up.said).toContain('plain HTTP');
  expect(await reached()).toBe(true);
  expect(await code()).toContain(`http://${address ?? '127.0.0.1'}:${here}/#pair=`);
  // a log is no place for a code
  expect(readFileSync(join(home, 'server.log'), 'utf8')).not.toContain('#pair=');

  // a reboot, and a later `lore up` without the option
  process.kill(holderOf(home) ?? 0, 'SIGKILL');
  await vi.waitUntil(() => holderOf(home) === null, { timeout: 30_000 });
  expect((await runAsPerson(['up', '--no-attach'], { env })).code).toBe(0);
  expect(await reached()).toBe(true);

  const off = await runAsPerson(['up', '--no-attach', '--no-lan'], { env });
  expect(off).toMatchObject({ code: 0, said: expect.stringContaining(`runs on ${url}`) });
  if (address !== undefined) {
    expect(await reached()).toBe(false);
    expect(await code()).toContain('For a phone in your network: npx lore up --lan');
  }

  expect(systemd.calls().filter((call) => call.includes(' restart '))).toHaveLength(3);

  await runAsPerson(['service', 'remove'], { env });
  expect(holderOf(home)).toBeNull();

  // a file of somebody else in the data folder is left there, and named
  writeFileSync(join(home, 'thesis.txt'), 'years of work');
  const down = await runAsPerson(['down', '--remove', '--data'], { env });
  expect(down.said).toContain('still there: thesis.txt');
  expect(readdirSync(home)).toEqual(['thesis.txt']);
});

describe('without systemd', () => {
  test('up asks what to attach, and says that nothing starts it again; down keeps the data', async () => {
    onMachine(false);
    const up = await runAsPerson(['up', '--permissions', 'deny-only'], {
      env,
      cwd: project,
      input: '2\na\n',
    });
    expect(up.code, up.said).toBe(0);
    expect(up.said).toContain('all your projects');
    expect(up.said).toContain('mode deny-only');
    expect(up.said).toContain('starts again  not by itself');
    expect(up.said).toMatch(/sent {10}nothing/);
    const own = join(env.CLAUDE_CONFIG_DIR ?? '', 'settings.json');
    expect(readFileSync(own, 'utf8')).toContain('session-start');
    expect(settings()).toBe(SETTINGS);

    const pid = holderOf(home);
    const stopped = await runAsPerson(['service', 'stop'], { env });
    expect(stopped).toMatchObject({ code: 0, said: expect.stringContaining(`Stopped: process ${pid}`) });
    expect(holderOf(home)).toBeNull();
    const again = await runLore(['up', '--no-attach', '--json'], { env, cwd: project });
    expect(JSON.parse(again.stdout)).toMatchObject({
      url,
      restarted: true,
      service: { is: null, file: null },
    });

    const down = await runAsPerson(['down', '--remove', '--no-data'], { env });
    expect(down).toMatchObject({ code: 0, said: expect.stringContaining(`Your data stays in ${home}`) });
    expect(existsSync(own)).toBe(false);
    expect(holderOf(home)).toBeNull();
    expect(readdirSync(home)).toContain('key');
  });

  test('what already serves the folder or the port is left alone', async () => {
    onMachine(false);
    const server = (await import('node:http')).createServer((_, response) => response.end('{"status":"ok"}'));
    await new Promise<void>((listening) => server.listen(Number(env.LORE_PORT), '127.0.0.1', listening));
    const taken = await runLore(['up', '--no-attach'], { env, cwd: project });
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    expect(taken).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('set LORE_PORT to another port'),
    });
    expect(existsSync(join(home, 'service.json'))).toBe(false);
  });

  test('an agent cannot take its guard down', async () => {
    const agents = { ...env, CLAUDECODE: '1' };
    for (const args of [['down'], ['service', 'stop'], ['update'], ['up', '--lan']])
      expect(await runLore(args, { env: agents })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Only a person can do this'),
      });
  });
});

test('each system starts the same program, whatever its path has in it', () => {
  const words = [
    '/opt/my node/bin/node',
    '/home/ann/50% & "more"/bin/lore.js',
    'service',
    'run',
    '/home/ann/$x/.lore',
  ];
  const program = { words, log: '/home/ann/$x/.lore/server.log', name: 'lore' };
  const textOf = (system: string) => serviceOf(system, program, { home: '/home/ann', env: {} })?.text;
  expect(textOf('linux')).toContain(
    String.raw`ExecStart="/opt/my node/bin/node" "/home/ann/50%% & \"more\"/bin/lore.js" "service" "run" "/home/ann/$$x/.lore"`,
  );
  expect(textOf('darwin')).toContain('<string>/home/ann/50% &amp; &quot;more&quot;/bin/lore.js</string>');
  expect(textOf('win32')).toContain('&quot;/opt/my node/bin/node&quot;');
});
