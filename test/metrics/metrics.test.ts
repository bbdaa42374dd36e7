import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { armOf } from '../../src/offers/holdout.ts';
import { ERROR, learn, mend } from '../learnings/mend.ts';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { transcriptFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';
import { measured } from './measured.ts';

const server = await startTestServer({ LORE_HOLDOUT: '0.5', LORE_MODEL_DIR: '' });
const folder = transcriptFolder();
type Any = any;
const metrics = async (key?: string): Promise<Any> =>
  (await server.request('GET', '/v1/metrics?days=1', { ...(key !== undefined && { key }) })).body;
const measure = async (key: string, name: string) =>
  (await metrics(key)).measures.find((one: Any) => one.name === name);

/** Returns a client's session id that falls into an arm. */
function idIn(userId: string, arm: 'memory' | 'withheld'): string {
  for (;;) {
    const id = randomUUID();
    if (armOf(userId, id, 0.5) === arm) return id;
  }
}
const play = (key: string, userId: string, arm: 'memory' | 'withheld' = 'memory') =>
  hookSession(server, { key, cwd: '/home/dev/app', sessionId: idIn(userId, arm) });

describe('the comparison', () => {
  test('says how many sessions are missing, and that it was never asked for', async () => {
    const { key, userId } = await server.member();
    expect((await metrics(key)).comparison.sentence).toContain('set LORE_HOLDOUT');
    for (const arm of ['memory', 'withheld'] as const) {
      const session = play(key, userId, arm);
      await session.bashWorks('npm test');
      await session.end();
    }
    await server.settled();
    expect((await metrics(key)).comparison).toMatchObject({
      sentence: 'Not enough sessions yet: 2 of 60.',
      answer: 'few',
      sessions: { memory: 1, withheld: 1 },
    });
  });

  test.each([
    // with memory, repeating; without, repeating
    // the interval by Newcombe's method 10, computed elsewhere
    [40, 4, 20, 12, '(95 % interval −69 to −25).', 'yes'],
    [40, 20, 20, 10, '(95 % interval −25 to +25).', 'chance'],
    [50, 5, 10, 8, '(95 % interval −85 to −37).', 'few'],
  ])('of %d sessions with memory (%d repeat an error) and %d without (%d)', async (...row) => {
    const [memory, repeatMemory, withheld, repeatWithheld, ending, answer] = row;
    const { key, userId } = await server.member();
    await measured(server, userId, key, { memory, repeatMemory, withheld, repeatWithheld });
    const { comparison } = await metrics(key);
    expect(comparison).toMatchObject({ answer, sessions: { memory, withheld } });
    const apart = repeatMemory / memory - repeatWithheld / withheld;
    expect(comparison.repeatedErrors.change.value).toBeCloseTo(apart, 10);
    expect(comparison.repeatedErrors.sentence.endsWith(ending)).toBe(true);
    if (answer === 'few')
      expect(comparison.sentence).toBe('Not enough sessions yet: 10 of 20 without memory.');
  });
});

test('days tell sessions, errors that came again, and how long commands waited', async () => {
  const { key, userId } = await server.member();
  const session = play(key, userId);
  await session.start();
  await session.before('npm test');
  await session.finish();
  const own = `where user_id = '${userId}'`;
  await server.rows(
    `with made as (
       insert into sessions (user_id, project_id, client_session_id, status)
       select user_id, project_id, 'day ' || n, 'completed' from sessions, generate_series(1, 3) n ${own}
       returning user_id, id, client_session_id)
     insert into session_measures (user_id, session_id, started_at, prompts, calls, commands, errors, repeated_errors)
     select user_id, id, case client_session_id when 'day 3' then timestamptz '2026-01-02 23:30+00' else
         date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' end, 1, 5, 5, 3,
       case client_session_id when 'day 1' then 2 else 0 end
     from made`,
  );
  await server.rows(`update command_checks set ms = 8 ${own}`);
  const byDay = async (days: number) =>
    (await server.request('GET', `/v1/metrics?days=${days}`, { key })).body.byDay;
  const today = {
    ...{
      day: new Date().toISOString().slice(0, 10),
      sessions: 2,
      repeating: 1,
      errors: 6,
      repeatedErrors: 2,
    },
    ...{ checks: 1, checkMs: { p50: 8, p95: 8 } },
  };
  expect(await byDay(30)).toEqual([today]);
  expect(await byDay(365)).toEqual([
    {
      ...{ day: '2026-01-02', sessions: 1, repeating: 0, errors: 3, repeatedErrors: 0 },
      ...{ checks: 0, checkMs: { p50: null, p95: null } },
    },
    today,
  ]);
  // nothing of others
  const other = await server.member();
  expect((await server.request('GET', '/v1/metrics?days=365', { key: other.key })).body.byDay).toEqual([]);
});

describe('a session', () => {
  test('tells what it applied, what it led to, its tokens and how it ended', async () => {
    const path = join(folder, `${randomUUID()}.jsonl`);
    const cwd = `/home/dev/${randomUUID()}`;
    const session = await mend(server, { cwd });
    const line = (id: string, output_tokens: number) => {
      const cached = { cache_creation_input_tokens: 500, cache_read_input_tokens: 90_000 };
      const message = { id, usage: { input_tokens: 10, ...cached, output_tokens } };
      appendFileSync(path, `${JSON.stringify({ type: 'assistant', message })}\n`);
    };
    // one message in two lines, of which the last has all of it
    line('m1', 1);
    line('m1', 90);
    line('m2', 400);
    await session.stop('I raised the pool in config.json, because the workers need 20 connections.');
    await session.send('SessionEnd', { reason: 'other', transcript_path: path });
    await server.settled();
    const get = async (id: string) => (await server.request('GET', `/v1/sessions/${id}`)).body;
    expect(await get(session.session_id)).toMatchObject({
      status: 'completed',
      tokens: 1510,
      learningsCreated: 1,
      learningsApplied: 0,
      audit: { status: 'waiting' }, // for an agent
    });
    // nobody waits for a model that is not there
    expect(await server.rows(`select 1 from session_audits where status = 'pending'`)).toEqual([]);

    const owner = (await server.request('GET', '/v1/me')).body.userId;
    const next = await startedSession(server, { cwd, sessionId: idIn(owner, 'memory') }, 'Run the checks');
    expect(contextOf(await next.bashFails('node check.js', ERROR))).toContain('npm run gen');
    await next.bashWorks('npm run gen', 'written');
    await next.bashWorks('node check.js');
    await next.prompt('And the linter');
    await next.bashFails('npm run lint', 'Exit code 1\nError: no config for the linter');
    await next.finish();
    // by their ids, so that the lesson can be asked for: what the first session taught, the second was told
    const [made] = (await get(session.session_id)).lessonsMade;
    expect(made).toEqual({
      id: expect.any(String),
      lesson: expect.stringContaining('config.json'),
      status: expect.stringMatching(/trial|active/),
      validUntil: null,
    });
    expect(await get(next.session_id)).toMatchObject({
      status: 'failed',
      learningsApplied: 1,
      lessonsMade: [],
    });
    expect((await server.request('GET', `/v1/learnings/${made.id}`)).status).toBe(200);

    // it goes on, and what was left is put right
    await next.prompt('Try again');
    await next.edit(`${cwd}/lint.config.js`, 'a', 'b');
    await next.bashWorks('npm run lint');
    await next.finish();
    expect(await get(next.session_id)).toMatchObject({ status: 'completed' });
  });
});

describe('the measures', () => {
  test('of what was offered: followed, used at a failure, passed over', async () => {
    const { key, userId } = await server.member();
    const first = await learn(server, { key, sessionId: idIn(userId, 'memory') });
    await first.finish();
    const used = play(key, userId);
    await used.start();
    await used.bashFails('node check.js', ERROR);
    await used.bashWorks('npm run gen', 'written');
    await used.bashWorks('node check.js');
    await used.end();
    await server.settled(); // proven now, so it is told before the call too
    const passed = play(key, userId);
    await passed.start();
    await passed.before('node check.js');
    await passed.bashWorks('node check.js');
    await passed.finish();
    expect(await measure(key, 'suggestionsAccepted')).toMatchObject({ n: 2, value: 0.5, met: null });
    expect(await measure(key, 'recoveriesUsed')).toMatchObject({ n: 1, value: 1 });
    expect(await measure(key, 'contextSkipped')).toMatchObject({ n: 2, value: 0.5, target: { max: 0.2 } });
    const { told } = await metrics(key);
    const lesson = told.byKind.find(({ kind }: Any) => kind === 'lesson');
    expect(lesson).toMatchObject({ sessions: 2, helped: 1, unused: 1, failed: 0, withheld: 0 });
    expect(told).toMatchObject({
      sessions: 2,
      tokens: told.byKind.reduce((sum: number, one: Any) => sum + one.tokens, 0),
    });
  });

  test('of search results: those that were rated, each by its last word', async () => {
    const { key } = await server.member();
    for (const content of ['The ledger rounds to cents', 'The ledger closes at midnight'])
      await server.request('POST', '/v1/notes', { key, body: { project: '/home/dev/app', content } });
    const { body } = await server.request('POST', '/v1/search', { key, body: { query: 'ledger' } });
    const [a, b] = body.results.map(({ id }: { id: string }) => id);
    const rate = (given: object, id = body.id) =>
      server.request('POST', `/v1/search/${id}/feedback`, { key, body: given });
    expect((await rate({ useful: [a, b] })).body).toEqual({ useful: [a, b], notUseful: [] });
    expect((await rate({ notUseful: [b.slice(0, 8)] })).body).toEqual({ useful: [a], notUseful: [b] });
    expect(await measure(key, 'precision')).toMatchObject({
      n: 2,
      value: 0.5,
      target: { min: 0.7 },
      met: null,
    });
    expect((await rate({ useful: [randomUUID()] })).status).toBe(400);
    expect((await rate({ useful: [a], notUseful: [a] })).body.errors[0].field).toBe('notUseful');
    expect((await rate({})).status).toBe(400);
    expect((await rate({ useful: [a] }, randomUUID())).status).toBe(404);
  });
});
