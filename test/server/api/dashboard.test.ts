import { expect, test } from 'vitest';
import { hookSession } from '../../support/hook-session.ts';
import { sharedServer } from '../../support/server.ts';

// What the phone page shows first, and what a person decides there.

const server = await sharedServer({ model: false });

/** Returns a member with a device, and what the device is shown. */
async function withDevice(cwd = '/home/dev/shop') {
  const { key, keyOf } = await server.member();
  const device = await keyOf('device');
  const dashboard = async (query = '') => {
    await server.settled();
    const { status, body } = await server.request('GET', `/v1/dashboard${query}`, { key: device });
    expect(status).toBe(200);
    return body;
  };
  const session = hookSession(server, { key, cwd });
  return { key, dashboard, session, cwd };
}

test('a new account has nothing to show, and says so in the same shape', async () => {
  const { dashboard } = await withDevice();
  const { now, today, ...rest } = await dashboard();
  expect([now, Object.values(today).filter(Boolean)]).toEqual([expect.any(String), []]);
  expect(rest).toEqual({
    ...{ projects: [], waiting: [], working: [], did: [], unchecked: [] },
    counts: { learnings: 0, waiting: 0 },
    attach: { command: 'lore init', attached: [] },
  });
});

test('counts the day, and tells how a project stands', async () => {
  const { key, session, dashboard, cwd } = await withDevice();
  await session.start();
  await session.prompt('Fix the login bug');
  for (const command of ['ls', 'git status', 'git push --force', 'frobnicate --all'])
    await session.before(command);
  await session.bashFails('npm test', 'Exit code 1\nError: no pool');
  const lesson = 'Start the emulator with `npm run emulator` before the integration tests of the shop';
  const body = { project: cwd, lesson, context: 'when the tests cannot connect', appliesTo: ['npm test'] };
  await server.request('POST', '/v1/learnings', { key, body });
  // what a person asks about with `lore explain` is no call
  for (const command of ['git push --force', 'rm -rf ~'])
    await server.request('POST', '/v1/commands/check', { key, body: { command, cwd } });
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
