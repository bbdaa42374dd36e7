import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hookSession, startedSession } from '../support/hook-session.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

// A person says what Lore may answer the client: when they attach a project, and later.

const server = await sharedServer({ model: false });
const env = { LORE_HOME: temporaryFolder(), LORE_URL: server.url, LORE_KEY: server.key };
const project = () => realpathSync(mkdtempSync(join(temporaryFolder(), 'project-')));
const settings = async () => (await server.request('GET', '/v1/settings')).body;

/** Runs it on a terminal of a person. */
const onTerminal = (args: string[], input = '') => runLore(args, { env, input, terminal: true });

test('--permissions settles it for scripts, for the project or with --user for all', async () => {
  const dir = project();
  expect((await runLore(['init', dir, '--permissions', 'deny-only'], { env })).stdout).toContain(
    'mode deny-only',
  );
  expect(await settings()).toMatchObject({
    permissions: 'allow',
    projectPermissions: { [dir]: 'deny-only' },
  });
  const session = await startedSession(server, { cwd: dir });
  expect([await session.decisionOn('ls'), await session.decisionOn('git push --force')]).toEqual([
    'none',
    'deny',
  ]);
  await runLore(['init', dir, '--permissions', 'allow'], { env });
  expect((await settings()).projectPermissions).toEqual({});
  expect(await session.decisionOn('ls')).toBe('allow');
  const wrong = await runLore(['init', dir, '--permissions', 'everything'], { env });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('deny-only')]);
});

test('on a terminal it asks which of three, once', async () => {
  const dir = project();
  const first = await onTerminal(['init', dir], '3\n');
  expect(first.stdout).toContain('1, 2 or 3 [1]');
  expect(first.stdout).toContain('mode judge-only');
  expect((await settings()).projectPermissions).toEqual({ [dir]: 'judge-only' });
  const again = await onTerminal(['init', dir]);
  expect(again.stdout).not.toContain('1, 2 or 3');
  expect(again.stdout).toContain('mode judge-only');
});

test('an agent’s shell cannot set it', async () => {
  const dir = project();
  const below = { ...env, CLAUDECODE: '1' };
  const { code, stderr } = await runLore(['init', dir, '--permissions', 'judge-only'], { env: below });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Only a person can do this')]);
  const set = await runLore(['settings', 'permissions', 'judge-only'], { env: below });
  expect([set.code, set.stderr]).toEqual([1, expect.stringContaining('Only a person can do this')]);
  expect((await settings()).permissions).toBe('allow');
});

test('lore settings shows and changes it, for all projects and for one that there is; doctor shows it', async () => {
  const dir = project();
  await hookSession(server, { cwd: dir }).start();
  expect((await onTerminal(['settings', 'permissions', 'deny-only'])).stdout).toContain('deny-only');
  const own = await onTerminal(['settings', 'permissions', 'judge-only', '-p', dir]);
  expect(own.stdout).toContain('judge-only');
  expect(await settings()).toMatchObject({
    permissions: 'deny-only',
    projectPermissions: { [dir]: 'judge-only' },
  });
  expect((await runLore(['doctor'], { env })).stdout).toContain(`mode deny-only; judge-only in `);
  const usual = await onTerminal(['settings', 'permissions', 'usual', '-p', dir]);
  expect(usual.stdout).not.toContain(`permissions in ${dir}`);
  const typo = await onTerminal(['settings', 'permissions', 'judge-only', '-p', 'nosuch']);
  expect([typo.code, typo.stdout]).toEqual([1, expect.stringContaining('You have no project nosuch')]);
  await onTerminal(['settings', 'permissions', 'allow']);
  expect((await settings()).permissions).toBe('allow');
});

test('lore explain says that the client still asks', async () => {
  const { stdout } = await runLore(['explain', 'gh pr create --fill'], { env });
  expect(stdout).toContain('The client still asks about it: it writes what others see.');
});
