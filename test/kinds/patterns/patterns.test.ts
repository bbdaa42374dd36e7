import { beforeAll, describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../../support/hook-session.ts';
import { sharedServer } from '../../support/server.ts';

// Sessions of the client are counted by a night: what solved an error, and how tasks of one type begin.

const server = await sharedServer();
const CWD = '/home/dev/till';
const { key, userId } = await server.member('ann');
const ERROR = 'Exit code 1\nError: the ledger lock is stale: held by a process that is gone';
const OTHER = 'Exit code 1\nError: no till drawer answers at the serial port';
const STARTS = ['tool_sequence', 'bugfix: Edit → Bash test → Edit → Bash test → Edit'];

const session = () => hookSession(server, { key, cwd: CWD });
const night = async () => {
  await server.settled();
  // a lesson answers its error first
  await server.rows(`delete from learnings where user_id = '${userId}'`);
  expect((await server.request('POST', '/v1/consolidation/runs', { key })).status).toBe(200);
  await server.settled();
};
const patterns = async (status = 'active') =>
  (await server.request('GET', `/v1/patterns?project=${encodeURIComponent(CWD)}&status=${status}`, { key }))
    .body.patterns;
const ofType = async (type: string, status?: string) =>
  (await patterns(status)).find((one: { type: string }) => one.type === type);
const change = (id: string, body: object, own = key) =>
  server.request('PATCH', `/v1/patterns/${id}`, { key: own, body });

/** Plays a session that meets an error, runs a command and passes. */
async function lockedSession(vain = false) {
  const s = session();
  await s.start();
  await s.prompt('Open the till');
  const told = contextOf(await s.bashFails('node till.js', ERROR));
  if (vain) {
    await s.bashWorks('rm -f /tmp/till.lock', '');
    await s.bashFails('node till.js', ERROR);
    await s.bashWorks('./unlock --force', '');
  } else await s.bashWorks('rm -f /tmp/till.lock', '');
  await s.bashWorks('node till.js', 'open');
  await s.finish('The lock was stale, so I took it away.');
  return { told, id: s.session_id };
}

beforeAll(async () => {
  for (let i = 0; i < 3; i++) {
    const s = session();
    await s.start();
    await s.prompt(`Fix the bug in how receipt ${i} is rounded`);
    for (let step = 0; step < 3 + i; step++) {
      await s.edit(`${CWD}/src/receipt${i}.ts`, `a${step}`, `b${step}`);
      await s.edit(`${CWD}/src/money.ts`, `a${step}`, `b${step}`);
      await s.bashWorks('npm test', '1 passed');
    }
    await s.stop('Fixed.');
    await s.end();
  }
  // the same error, once solved by an edit: nobody knows what the command did to it
  const s = session();
  await s.start();
  await s.prompt('Open the drawer');
  for (let i = 0; i < 2; i++) {
    await s.bashFails('node drawer.js', OTHER);
    await s.edit(`${CWD}/src/drawer.ts`, 'a', 'b');
    await s.bashWorks('npm run link', '');
    await s.bashWorks('node drawer.js', 'open');
  }
  await s.end();
  expect((await lockedSession()).told).not.toContain('[this error before]');
  await night();
  expect(await ofType('error_recovery')).toBeUndefined();
  await lockedSession();
  await night();
});

test('what solved an error in two sessions, and how three tasks began, is listed', async () => {
  expect(await ofType('error_recovery')).toMatchObject({
    usageCount: 2,
    sessions: 2,
    successes: 2,
    failures: 0,
    template: { steps: ['run rm -f /tmp/till.lock'] },
  });
  const starts = await ofType('tool_sequence');
  expect([starts.type, starts.name]).toEqual(STARTS);
  expect(starts).toMatchObject({
    usageCount: 3,
    triggers: ['bugfix'],
    template: { commonFiles: ['src/money.ts'] },
  });
  expect(starts.seenIn).toHaveLength(3);
  expect(await patterns()).toHaveLength(2);
});

describe('told', () => {
  test('at its very error, without a lesson; the start of a task to nobody', async () => {
    const s = session();
    await s.start();
    expect(contextOf(await s.prompt('Fix the bug in how receipt 9 is rounded'))).not.toContain('Edit');
    expect(contextOf(await s.bashFails('node till.js', OTHER))).not.toContain('till.lock');
    const told = contextOf(await s.bashFails('node till.js', ERROR));
    expect(told).toContain('[this error before] `run rm -f /tmp/till.lock`, worked 2 of 2 times');
    await server.rows(`insert into learnings (status, user_id, project_id, lesson, context, evaluated_by, confidence,
        prior_confidence, signature, lineage_id)
      select 'active', user_id, project_id, 'Take the lock away first', 'when it is stale', 'rules', 0.9, 0.9,
        signature, gen_random_uuid() from patterns where user_id = '${userId}' and type = 'error_recovery'`);
    const next = session();
    await next.start();
    const lesson = contextOf(await next.bashFails('node till.js', ERROR));
    expect(lesson).toContain('Take the lock away first');
    expect(lesson).not.toContain('[this error before]');
    await s.end();
    await next.end();
    await server.rows(`delete from learnings where user_id = '${userId}'`);
  });

  test('what came of it is known after the next night', async () => {
    const helped = await lockedSession();
    expect(helped.told).toContain('[this error before]');
    const ignored = session();
    await ignored.start();
    expect(contextOf(await ignored.bashFails('node till.js', ERROR))).toContain('[this error before]');
    await ignored.end();
    await night();
    const outcomes = await server.rows(`select s.client_session_id as id, o.outcome from offers o
      join sessions s on s.id = o.session_id where o.kind = 'pattern' and o.user_id = '${userId}'`);
    expect(outcomes).toContainEqual({ id: helped.id, outcome: 'helped' });
    expect(outcomes).toContainEqual({ id: ignored.session_id, outcome: 'unused' });
  });
});

describe('a person', () => {
  test('sees that what nothing shows any more is closed', async () => {
    const { id } = await ofType('error_recovery');
    await server.rows(`update incidents set resolution = null where user_id = '${userId}'`);
    await night();
    expect(await ofType('error_recovery')).toBeUndefined();
    expect(await ofType('error_recovery', 'closed')).toMatchObject({ id });
  });

  test('rejects one: it is gone, also after the next night, until that is taken back', async () => {
    const { id } = await ofType('tool_sequence');
    await change(id, { status: 'rejected' });
    await night();
    expect(await ofType('tool_sequence')).toBeUndefined();
    expect(await ofType('tool_sequence', 'rejected')).toMatchObject({ id });
    expect((await change(id, { status: 'active' })).body).toMatchObject({ validUntil: null });
  });

  test('and only a person: not the key that an agent sees', async () => {
    const { id } = await ofType('tool_sequence');
    const made = await server.request('POST', '/v1/keys', { key, body: { name: 'hooks', scope: 'hooks' } });
    expect((await server.request('GET', `/v1/patterns/${id}`, { key: made.body.key })).status).toBe(200);
    expect((await change(id, { status: 'rejected' }, made.body.key)).status).toBe(403);
  });
});
