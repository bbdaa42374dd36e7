import { expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

// What chance alone does, and what Lore costs, in GET /v1/metrics.

const server = await sharedServer({ model: false });
const metrics = async (key: string) => (await server.request('GET', '/v1/metrics?days=1', { key })).body;

test('a control of enough sessions is compared with itself, and its halves stay the same', async () => {
  const { key } = await server.member();
  const session = hookSession(server, { key });
  await session.end();
  await server.settled();
  await server.rows(
    `with made as (
       insert into sessions (user_id, project_id, client_session_id, status, arm)
       select user_id, project_id, 'made ' || n, 'completed', 'withheld' from sessions, generate_series(1, 80) n
       where client_session_id = '${session.session_id}' returning user_id, id)
     insert into session_measures (user_id, session_id, started_at, prompts, calls, commands, errors, repeated_errors,
       working_ms)
     select user_id, id, now(), 1, 5, 5, 1, case when left(md5(id::text), 1) < '8' then 1 else 0 end,
       case when left(md5(id::text), 1) < '8' then 1000 else 2000 end from made`,
  );
  const control = async (of: string) => (await metrics(key)).comparison[of].control;
  const first = await control('repeatedErrors');
  expect(first.n[0] + first.n[1]).toBe(80);
  expect(first.change.value).toBe(1);
  expect(first.change.low).toBeLessThan(1);
  expect(first.sentence).toContain('by chance alone');
  expect((await control('duration')).change.value).toBeCloseTo(0.5, 10);
  expect(await control('repeatedErrors')).toEqual(first);
  // these had no value
  expect(await control('tokens')).toEqual({
    n: [0, 0],
    change: null,
    sentence: expect.stringContaining('too few to say'),
  });

  const { periods, answer } = (await metrics(key)).comparison;
  expect([answer, periods.now.n, periods.now.value, periods.before.n]).toEqual([
    'few',
    80,
    first.n[0] / 80,
    0,
  ]);
  expect(periods.sentence).toContain('Too few to compare');
});

test('says what it cost, what filters cut, and how large the index is', async () => {
  const { key } = await server.member();
  const before = await metrics(key);
  expect(before.told).toEqual({ sessions: 0, tokens: 0, median: null });
  expect(before.filters).toEqual({ searches: 0, inScope: 0, leftOut: 0, share: null });
  expect(before.indexSize).toEqual({ texts: 0, contentBytes: 0, indexBytes: 0, ratio: null });
  for (const [channel, content] of [
    ['bank', 'The sandbox of the bank refuses 500 euro'],
    ['shop', 'The checkout has two buttons'],
    ['shop', 'The basket forgets its coupon'],
    ['shop', 'The search field is too short'],
  ])
    await server.request('POST', '/v1/notes', {
      key,
      body: { project: 'app', agent: 'coder', channel, content },
    });
  await server.settled();
  const search = (body: object) =>
    server.request('POST', '/v1/search', { key, body: { query: 'what does the bank refuse', ...body } });
  await search({});
  await search({ channel: 'bank' });
  await server.settled();
  const { filters, indexSize, evals } = await metrics(key);
  expect(filters).toEqual({ searches: 1, inScope: 4, leftOut: 3, share: 0.75 });
  expect(indexSize).toMatchObject({ texts: 4, contentBytes: 40 + 28 + 29 + 29 });
  expect(indexSize.ratio).toBe(indexSize.indexBytes / indexSize.contentBytes);
  expect(indexSize.indexBytes).toBeGreaterThan(0);
  for (const { value, n, command } of evals) {
    expect([value >= 0 && value <= 1, n > 0]).toEqual([true, true]);
    expect(command).toMatch(/^npm run eval:/);
  }
});
