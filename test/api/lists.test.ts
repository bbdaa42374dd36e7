import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

// What lists and histories tell that the phone page needs: pages, filters, who was offered a lesson, why it ended.

const server = await sharedServer({ model: false });

const LESSON = {
  project: 'app',
  lesson: 'Start the emulator with `npm run emulator` before the integration tests of the billing service',
  context: 'when integration tests cannot connect to port 8085',
  appliesTo: ['npm test'],
  keywords: ['emulator'],
};

test('sessions come in pages, by their status, with the lessons of each', async () => {
  const { key, userId } = await server.member();
  const cwd = `/home/dev/${randomUUID()}`;
  const played = [];
  for (let n = 0; n < 5; n++) {
    const session = hookSession(server, { key, cwd });
    await session.start();
    await session.bashWorks('ls');
    await session.send('SessionEnd', { reason: 'exit' });
    played.unshift(session.session_id);
  }
  const active = hookSession(server, { key, cwd });
  await active.start();
  await active.bashFails('make', 'Exit code 2\nmake: *** No rule to make target');
  played.unshift(active.session_id);
  await server.settled();
  const ask = async (query: string) => (await server.request('GET', `/v1/sessions?${query}`, { key })).body;

  const seen: string[] = [];
  let before = '';
  for (;;) {
    const { sessions } = await ask(`limit=2${before && `&before=${before}`}`);
    if (sessions.length === 0) break;
    expect(sessions.length).toBeLessThanOrEqual(2);
    seen.push(...sessions.map((one: { clientSessionId: string }) => one.clientSessionId));
    before = sessions.at(-1).id;
  }
  expect(seen).toEqual(played);
  expect((await ask('status=active')).sessions).toMatchObject([{ clientSessionId: active.session_id }]);
  expect((await ask('status=completed')).sessions).toHaveLength(5);
  const strange = randomUUID();
  expect(await ask(`before=${strange}`)).toMatchObject({ status: 400, errors: [{ field: 'before' }] });

  // one lesson that it led to, in two versions, and one that helped it
  const created = (await server.request('POST', '/v1/learnings', { key, body: LESSON })).body.learning;
  const [{ id }] = (await ask('status=active')).sessions;
  await server.rows(`update learnings set source_session_id = '${id}' where user_id = '${userId}'`);
  await server.rows(`insert into offers
      (user_id, session_id, dedup_key, event, position, kind, source_id, text, tokens, offered_at, outcome)
    select '${userId}', '${id}', 'k' || n, 'UserPromptSubmit', n, 'lesson', '${created.id}', 'a lesson', 5, now(), 'helped'
    from generate_series(1, 2) n`);
  expect((await ask('status=active')).sessions[0]).toMatchObject({
    learningsApplied: 1,
    learningsCreated: 1,
    errorsEncountered: 1,
  });
  expect((await ask('status=completed&limit=1')).sessions[0]).toMatchObject({
    learningsApplied: 0,
    learningsCreated: 0,
  });
  const { injections, inSessions } = (await server.request('GET', `/v1/learnings/${created.id}`, { key }))
    .body;
  expect(inSessions).toEqual({ told: 1, helped: 1, failed: 0 });
  expect(injections).toMatchObject([
    { session: active.session_id, outcome: 'helped' },
    { session: active.session_id, outcome: 'helped' },
  ]);
});

test('incidents can be asked for by session', async () => {
  const { key } = await server.member();
  const sessions = [hookSession(server, { key }), hookSession(server, { key })];
  for (const [n, session] of sessions.entries()) {
    await session.start();
    await session.bashFails('make', `Exit code 2\nmake: *** No rule to make target number${n}`);
  }
  await server.settled();
  for (const { session_id } of sessions) {
    const { incidents } = (await server.request('GET', `/v1/incidents?session=${session_id}`, { key })).body;
    expect(incidents).toMatchObject([{ sessionId: session_id }]);
  }
  const none = await server.request('GET', `/v1/incidents?session=${randomUUID()}`, { key });
  expect(none.body.incidents).toEqual([]);
});

test('a rejected lesson says why, to whom its history is shown', async () => {
  const { key } = await server.member();
  const { id } = (await server.request('POST', '/v1/learnings', { key, body: LESSON })).body.learning;
  const reason = encodeURIComponent('The emulator is gone, and its password=hunter2hunter2 with it');
  const retired = await server.request('POST', `/v1/learnings/${id}/retire?reason=${reason}`, { key });
  expect(retired.body.validUntil).not.toBeNull();
  // a second rejection changes nothing, and so keeps no reason
  await server.request('POST', `/v1/learnings/${id}/retire?reason=again`, { key });
  const whole = (await server.request('GET', `/v1/learnings/${id}`, { key })).body;
  expect(whole.judgements).toHaveLength(2);
  expect(whole.judgements[0]).toMatchObject({
    event: 'rejected',
    decision: 'discarded',
    evaluator: 'person',
  });
  expect(whole.judgements[0].reason).toContain('The emulator is gone');
  expect(whole.judgements[0].reason).not.toContain('hunter2');
  expect(whole.versions).toMatchObject([{ id, validUntil: retired.body.validUntil }]);
  const list = async (query: string) =>
    (await server.request('GET', `/v1/learnings?${query}`, { key })).body.learnings;
  expect(await list('status=active')).toEqual([]);
  expect(await list('status=ended')).toMatchObject([{ id }]);
  expect(await list(`status=ended&asOf=${whole.createdAt}`)).toEqual([]);
});

test('the nights say when the next one comes', async () => {
  const { next } = (await server.request('GET', '/v1/consolidation/runs')).body;
  const wait = Date.parse(next) - Date.now();
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(25 * 3_600_000);
});
