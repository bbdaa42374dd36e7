import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { holderOf } from '../../src/base/files/lock-folder.ts';
import { insisting } from '../support/asking.ts';
import { type Installed, installPackage } from '../support/installed.ts';
import { freePort, runAsPerson, runLore, temporaryFolder } from '../support/process.ts';
import {
  bash,
  claudeCommand,
  harness,
  inClient,
  installPlugin,
  playClient,
  pluginTool,
  told,
} from '../support/real-client.ts';
import { fakeSystemd } from '../support/systemd.ts';

// The whole way of a new user: the package is packed and installed into an empty folder, Lore starts in the background,
// and the genuine client works with the plugin of the installed package, over a reboot, until all is taken away again.
// The tests build on each other.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

inClient.describe('the whole way (LORE_REAL_CLIENT)', () => {
  const folder = harness ? temporaryFolder() : '';
  const [person, app] = [join(folder, 'person'), join(folder, 'app')];
  const home = join(person, '.lore');
  let installed: Installed;
  let env: Record<string, string>;
  let url: string;

  const lore = (...args: string[]) => runLore(args, { env, cwd: app, bin: installed.bin });
  const healthy = () =>
    vi.waitUntil(async () => (await fetch(`${url}/health`).catch(() => null))?.status === 200, {
      timeout: 120_000,
      interval: 500,
    });

  /** Asks what the page asks, with the owner's key. */
  const api = (method: string, path: string, body?: object) =>
    insisting(url, readFileSync(join(home, 'key'), 'utf8').trim())(method, path, body);

  const session = (prompt: string, turns: object[], agents: Record<string, object[]> = {}) =>
    playClient(app, [...turns, { text: 'Done.' }], prompt, {
      agents,
      env: {
        CC_HOME: person,
        // under load a hook takes longer than a person would wait for it
        HOOK_ENV: 'LORE_HOOK_TIMEOUT_MS=55000',
        ALLOWED: 'Bash,Read,Agent,mcp__plugin_lore_lore',
      },
    });

  beforeAll(async () => {
    for (const dir of [person, app]) mkdirSync(dir);
    installed = await installPackage();
    url = `http://127.0.0.1:${await freePort()}`;
    env = {
      ...fakeSystemd(join(folder, 'systemd'), { works: true }).env,
      HOME: person,
      LORE_PORT: new URL(url).port,
      LORE_CHECK_SENDER: 'off',
    };
  });

  /** Whatever a test started is ended, also if it failed. */
  afterAll(async () => {
    const pid = existsSync(home) ? holderOf(home) : null;
    if (pid === null) return;
    process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => holderOf(home) === null, { timeout: 30_000 });
  });

  test('one command starts Lore and attaches the client; the plugin is installed from the package', async () => {
    expect(statSync(installed.bin).mode & 0o111).toBe(0o111);
    const up = await lore('up', app, '--here');
    expect(up).toMatchObject({ code: 0, stderr: expect.not.stringContaining('lore:') });
    expect(up.stdout).toContain(`Attached to Claude Code for ${app}`);
    await healthy();
    const made = await lore('keys', 'create', 'claude-code', '--scope', 'hooks', '--json');
    const { key } = JSON.parse(made.stdout);
    const hooks = join(installed.folder, 'hooks');
    await claudeCommand(person, 'plugin', 'validate', hooks);
    await installPlugin(person, 'lore', hooks, key, url);
    const { stdout } = await claudeCommand(person, 'plugin', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'lore@lore-local', enabled: true }]);
  });

  test('a session searches, claims a step and completes it, and the page shows it', async () => {
    await api('POST', '/v1/notes', { content: 'The ledger closes on the third working day.', project: app });
    const steps = [{ description: 'Count the rows' }, { description: 'Sign it' }];
    const { id } = await api('POST', '/v1/plans', { project: app, goal: 'Close the ledger', steps });
    const step = { plan: id.slice(0, 8), step: 1 };
    const { requests } = await session('Close it', [
      pluginTool('search', { query: 'when does the ledger close' }),
      pluginTool('plan_step', { ...step, action: 'claim' }),
      bash('echo 42 rows'),
      pluginTool('plan_step', { ...step, action: 'complete', text: '42 rows.' }),
    ]);
    expect(told(requests[1])).toContain('third working day');
    expect(told(requests[2])).toContain('in_progress');
    expect(told(requests[3])).toContain('42 rows');
    const plan = await api('GET', `/v1/plans/${id}`);
    expect(plan.steps).toMatchObject([
      { status: 'completed', outcome: '42 rows.', assignedTo: 'orchestrator' },
      { status: 'pending' },
    ]);
    // the hooks of the settings and those of the plugin tell of one session
    await vi.waitUntil(async () => (await api('GET', '/v1/journal')).waiting === 0, {
      interval: 500,
      timeout: 60_000,
    });
    expect((await api('GET', `/v1/sessions?project=${app}`)).sessions).toHaveLength(1);
  });

  test('after a reboot the unit starts Lore again, and the retriever answers from what it kept', async () => {
    const units = join(env.XDG_CONFIG_HOME ?? '', 'systemd/user');
    const [unit = ''] = readdirSync(units);
    process.kill(holderOf(home) ?? 0, 'SIGKILL');
    await vi.waitUntil(() => holderOf(home) === null, { timeout: 30_000 });
    const program = /^ExecStart=(.+)$/m.exec(readFileSync(join(units, unit), 'utf8'))?.[1] ?? '';
    const [node = '', ...args] = (program.match(/"[^"]+"/g) ?? []).map((word) => word.slice(1, -1));
    spawn(node, args, { env: { HOME: person, PATH: '/usr/bin:/bin' }, stdio: 'ignore' });
    await healthy();

    const answer = { learnings: [], facts: ['closes on the third working day'], nothing: false };
    const input = {
      subagent_type: 'lore:learning-retriever',
      description: 'look',
      prompt: '[[agent:retriever]] Task: move the end of the ledger',
      run_in_background: false,
    };
    const { requests, all } = await session('Move the end of the ledger', [{ tool: 'Agent', input }], {
      retriever: [
        pluginTool('search', { query: 'when does the ledger close' }),
        { text: JSON.stringify(answer) },
      ],
    });
    const [, second] = all.filter(({ kind }) => kind === 'agent:retriever');
    expect(told(second)).toContain('third working day');
    expect(told(requests[1])).toContain('closes on the third');
  });

  test('it is taken away without a trace', async () => {
    const down = await runAsPerson(['down', '--remove', '--data'], { env, cwd: app, bin: installed.bin });
    expect(down).toMatchObject({ code: 0 });
    expect(down.said).toContain(`Detached: Lore is no longer in ${app}/.claude/settings.local.json`);
    expect(down.said).toContain('claude plugin marketplace remove lore-local');
    await claudeCommand(person, 'plugin', 'marketplace', 'remove', 'lore-local');
    expect(existsSync(home)).toBe(false);
    expect(readdirSync(app)).toEqual([]);
    const units = readdirSync(env.XDG_CONFIG_HOME ?? '', { recursive: true, withFileTypes: true });
    expect(units.filter((entry) => entry.isFile())).toEqual([]);
    expect(await fetch(url).catch(() => 'nobody')).toBe('nobody');
    expect(JSON.parse((await claudeCommand(person, 'plugin', 'list', '--json')).stdout)).toEqual([]);
    for (const file of ['settings.json', '.credentials.json', 'plugins/known_marketplaces.json'])
      expect(readFileSync(join(person, '.claude', file), 'utf8')).not.toMatch(/lore/i);
  });
});
