import { describe, expect, test } from 'vitest';
import { hookSession } from '../../support/hook-session.ts';
import { startTestServer } from '../../support/server.ts';

// What the phone page shows first, and what a person decides there.

const server = await startTestServer();

/** Returns a member with a device, and what the device is shown. */
async function withDevice(cwd = '/home/dev/shop') {
  const { key } = await server.member();
  const made = await server.request('POST', '/v1/keys', { key, body: { name: 'phone', scope: 'device' } });
  const device: string = made.body.key;
  const dashboard = async (query = '') => {
    await server.settled();
    const { status, body } = await server.request('GET', `/v1/dashboard${query}`, { key: device });
    expect(status).toBe(200);
    return body;
  };
  const session = hookSession(server, { key, cwd });
  const bash = (command: string, id = command) =>
    session.send('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: id });
  const decide = (code: string, decision: 'allow' | 'deny', once = false) =>
    server.request('POST', '/v1/commands/overrule', { key: device, body: { code, decision, once } });
  return { key, device, dashboard, session, bash, decide, cwd };
}

test('a new account has nothing to show, and says so in the same shape', async () => {
  const { dashboard } = await withDevice();
  const { now, today, ...rest } = await dashboard();
  expect([now, Object.values(today).filter(Boolean)]).toEqual([expect.any(String), []]);
  expect(rest).toEqual({
    ...{ projects: [], waiting: [], working: [], did: [], unchecked: [] },
    counts: { learnings: 0, waiting: 0 },
    attach: { command: 'lore init', inClone: false, attached: [] },
  });
});

test('counts the day, and tells how a project stands', async () => {
  const { key, session, bash, dashboard, cwd } = await withDevice();
  await session.start();
  await session.prompt('Fix the login bug');
  await bash('ls');
  await bash('git status');
  await bash('git push --force');
  await bash('frobnicate --all');
  await session.bashFails('npm test', 'Exit code 1\nError: no pool');
  const lesson = 'Start the emulator with `npm run emulator` before the integration tests of the shop';
  const body = { project: cwd, lesson, context: 'when the tests cannot connect', appliesTo: ['npm test'] };
  await server.request('POST', '/v1/learnings', { key, body });
  const told = await dashboard();
  const counts = { sessions: 1, learnings: 1, commands: 4, errors: 1 };
  expect(told.today).toMatchObject({
    ...{ ...counts, allowed: 2, denied: 1, held: 0, unverified: 1, stopped: 1, safetyRate: 2 / 3 },
  });
  expect(told.did).toMatchObject([{ kind: 'stopped', text: 'git push --force', project: cwd }]);
  expect(told.working).toMatchObject([
    { project: cwd, plan: null, title: 'Fix the login bug', waitingFor: null },
  ]);
  expect(told.projects).toEqual([
    {
      id: expect.any(String),
      name: cwd,
      status: 'active',
      reason: null,
      lastActivity: expect.any(String),
      lastTitle: 'Fix the login bug',
      activeSessions: 1,
      today: { ...counts, denied: 1 },
    },
  ]);
  expect(told.counts).toEqual({ learnings: 1, waiting: 1 });
  const { body: metrics } = await server.request('GET', '/v1/metrics?days=1', { key });
  expect(metrics.commands.safetyRate).toBe(told.today.safetyRate);
  expect(metrics.commands.unverified).toBe(told.today.unverified);
});

describe('what waits for a person', () => {
  test('a denied command is allowed from the phone, and the agent’s next try passes', async () => {
    const { session, bash, dashboard, decide, cwd } = await withDevice();
    await session.start();
    const denied = await bash('git push --force', '1');
    expect(denied.hookSpecificOutput.permissionDecision).toBe('deny');
    const [one, ...others] = (await dashboard()).waiting;
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      kind: 'command',
      project: cwd,
      title: 'git push --force',
      detail: expect.stringContaining('Instead:'),
      choices: ['once', 'always', 'keep'],
      catastrophic: false,
      cwd,
    });
    expect((await decide(one.id, 'allow', true)).status).toBe(200);
    expect((await dashboard()).waiting).toEqual([]);
    const allowed = await bash('git push --force', '2');
    expect(allowed.hookSpecificOutput.permissionDecision).toBe('allow');
    expect((await dashboard()).waiting).toEqual([]);
    // it held once
    await bash('git push --force', '3');
    expect((await dashboard()).waiting).toMatchObject([{ title: 'git push --force' }]);
  });

  test('a client that waits for a permission, until it goes on', async () => {
    const { session, dashboard, cwd } = await withDevice();
    await session.start();
    await session.prompt('Deploy it');
    const call = { tool_name: 'Bash', tool_input: { command: 'make deploy' }, tool_use_id: 't1' };
    await session.send('PermissionRequest', call);
    const told = await dashboard();
    expect(told.waiting).toMatchObject([
      { kind: 'client', project: cwd, title: 'Waits for a person to permit Bash: make deploy', choices: [] },
    ]);
    expect(told.projects[0]).toMatchObject({ status: 'blocked', reason: expect.stringContaining('permit') });
    await session.send('PostToolUse', { ...call, tool_response: { stdout: 'ok' } });
    expect((await dashboard()).waiting).toEqual([]);
  });

  test('a step that waits, until a person says that it does not, or its plan ends', async () => {
    const { key, device, dashboard, cwd } = await withDevice();
    const steps = [{ description: 'deploy it' }];
    const plan = (
      await server.request('POST', '/v1/plans', { key, body: { project: cwd, goal: 'Ship', steps } })
    ).body;
    const change = (waitingFor: string | null) =>
      server.request('PATCH', `/v1/plans/${plan.id}/steps/1`, { key: device, body: { waitingFor } });
    await change('the API key');
    expect((await dashboard()).waiting).toMatchObject([
      { kind: 'step', id: `${plan.id}/1`, title: 'deploy it', detail: 'waits for the API key', project: cwd },
    ]);
    expect((await change(null)).status).toBe(200);
    expect((await dashboard()).waiting).toEqual([]);
    await change('the API key');
    await server.request('PATCH', `/v1/plans/${plan.id}`, { key: device, body: { status: 'failed' } });
    expect((await dashboard()).waiting).toEqual([]);
  });
});
