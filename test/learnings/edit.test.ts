import { expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

// Lessons as a person reads and words them on the page.

const server = await sharedServer();
const PROJECT = '/home/dev/shop';

async function withDevice() {
  const { key, keyOf } = await server.member();
  const device = await keyOf('device');
  const ask = (method: string, path: string, body?: object) =>
    server.request(method, path, { key: device, ...(body && { body }) });
  const state = async (lesson: string, more: object = {}) => {
    const usual = {
      context: 'when the tests cannot connect',
      keywords: ['emulator'],
      appliesTo: ['npm test'],
    };
    const body = { project: PROJECT, lesson, ...usual, ...more };
    return (await server.request('POST', '/v1/learnings', { key, body })).body.learning;
  };
  return { key, ask, state };
}

test('an edited lesson is a new version of its lineage; the old one is still found as of then', async () => {
  const { key, ask, state } = await withDevice();
  const old = await state('Start the emulator with `npm run emulator` before the tests of the shop');
  await ask('POST', `/v1/learnings/${old.id}/feedback`, { helpful: true });
  const before = new Date().toISOString();
  const changed = await ask('PATCH', `/v1/learnings/${old.id}`, {
    lesson: 'Start the emulator with `make emulator` before the tests of the shop',
    why: 'npm run emulator is gone',
  });
  expect(changed).toMatchObject({
    status: 200,
    body: {
      lesson: 'Start the emulator with `make emulator` before the tests of the shop',
      context: 'when the tests cannot connect',
      keywords: ['emulator'],
      why: 'npm run emulator is gone',
      status: 'active',
      evaluatedBy: 'person',
      supersedes: old.id,
      successCount: 1,
      validUntil: null,
      createdAt: expect.stringContaining(old.createdAt.slice(0, 19)),
    },
  });
  const list = async (query: string) =>
    (await ask('GET', `/v1/learnings${query}`)).body.learnings.map((l: { id: string }) => l.id);
  expect(await list('')).toEqual([changed.body.id]);
  expect(await list(`?asOf=${before}`)).toEqual([old.id]);
  await server.settled();
  const found = await ask('POST', '/v1/search', { query: 'start the emulator', kinds: ['learning'] });
  expect(found.body.results.map((r: { id: string }) => r.id)).toEqual([changed.body.id]);
  // the version that has ended can neither be worded anew nor approved
  expect((await ask('PATCH', `/v1/learnings/${old.id}`, { lesson: 'x' })).status).toBe(409);
  const approved = await server.request('POST', `/v1/learnings/${old.id}/approve`, { key });
  expect(approved).toMatchObject({ status: 409, body: { title: 'Lesson has ended' } });
});

test('a lesson under review is in force once a person has worded it, and secrets are taken out', async () => {
  const { key, ask, state } = await withDevice();
  const { id } = await state('Start the emulator with `npm run emulator` before the tests of the bakery');
  const { userId } = (await server.request('GET', '/v1/me', { key })).body;
  await server.rows(`update learnings set status = 'proposed' where user_id = '${userId}'`);
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const { body } = await ask('PATCH', `/v1/learnings/${id}`, { lesson: `Log in with ${secret} first` });
  expect(body.status).toBe('active');
  expect(body.lesson).not.toContain(secret);
});

test('two who edit the same version: one of them is told that it has ended', async () => {
  const { ask, state } = await withDevice();
  const { id } = await state('Start the emulator with `npm run emulator` before the tests of the mill');
  const edit = (n: number) => ask('PATCH', `/v1/learnings/${id}`, { context: `in case ${n}` });
  const answers = await Promise.all([edit(1), edit(2), edit(3)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('lessons are listed in pages, and found by words that each stand somewhere', async () => {
  const { ask, key } = await withDevice();
  const { userId } = (await server.request('GET', '/v1/me', { key })).body;
  await server.rows(`with p as (insert into projects (user_id, name) values ('${userId}', '${PROJECT}') returning id)
    insert into learnings (user_id, project_id, status, lesson, context, confidence, prior_confidence,
        evaluated_by, keywords, created_at)
    select '${userId}', p.id, 'active', 'Lesson ' || n || ' about 100% of_it', 'when it is ' || n, 0.8, 0.8, 'person',
      case when n = 7 then array['Zebrafish'] else '{}' end,
      -- some were made in the same moment
      '2026-01-01'::timestamptz + (n / 3) * interval '1 day'
    from p, generate_series(1, 25) n`);
  const list = async (query: string): Promise<{ id: string }[]> =>
    (await ask('GET', `/v1/learnings?${query}`)).body.learnings;
  const seen = await list('limit=10');
  for (let page = seen; page.length === 10; seen.push(...page))
    page = await list(`limit=10&before=${page.at(-1)?.id}`);
  expect([seen.length, new Set(seen.map(({ id }) => id)).size]).toEqual([25, 25]);
  for (const [words, count] of [
    ...[
      ['zebraFISH', 1],
      ['lesson 7', 2],
      ['zebrafish lesson', 1],
      ['zebrafish walrus', 0],
    ],
    ...[
      ['100% of_it', 25],
      ['1%0', 0],
      ['of%it', 0],
    ],
  ] as [string, number][])
    expect([words, (await list(`q=${encodeURIComponent(words)}`)).length]).toEqual([words, count]);
});
