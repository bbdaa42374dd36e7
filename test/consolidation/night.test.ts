import { describe, expect, test } from 'vitest';
import { lastNight } from '../../src/consolidation/night.ts';
import { betaConfidence } from '../../src/learnings/credit.ts';
import { MIN_CONFIDENCE } from '../../src/offers/recall/recall.ts';
import { learn, learnings, lessonRecord } from '../learnings/mend.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

const RUNS = '/v1/consolidation/runs';
const ask = (key: string, method: string, path: string) => server.request(method, `${RUNS}${path}`, { key });

/** Lets a night run to its end and returns its report. */
async function night(key: string) {
  const begun = await ask(key, 'POST', '');
  expect(begun.status).toBe(200);
  await server.settled();
  const report = (await ask(key, 'GET', `/${begun.body.id}`)).body;
  expect(report).toMatchObject({ stage: 'done', error: null, finishedAt: expect.any(String) });
  return report;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** A lesson that was learned so many days ago. */
const lesson = (n: number, text: string, { age = 10 - n } = {}) =>
  lessonRecord(text, new Date(daysAgo(age)), `0000000${n}-0000-4000-8000-000000000000`);

/** Imports lessons as they are, so that admission does not merge them. */
async function stored(key: string, lessons: object[], fields: object = {}) {
  const records = lessons.map((one) => ({ ...one, ...fields }));
  const answer = await server.request('POST', '/v1/import', { key, body: { records } });
  expect(answer.body).toMatchObject({ imported: lessons.length, failed: [] });
  await server.settled();
}

/** All that a night may change, as it is stored, without the key by which it recognises what a lesson says. */
const everything = (userId: string) =>
  server.rows(
    `select to_jsonb(t) - 'same_key' as row from learnings t where user_id = '${userId}'
     union all select to_jsonb(t) from notes t where user_id = '${userId}'
     union all select to_jsonb(t) from learning_requests t where user_id = '${userId}' order by 1`,
  );

const EMULATOR = 'Start the ledger emulator on port 5432 before running the integration tests';
const SAME = `${EMULATOR}.`;
const AGAIN = EMULATOR.replaceAll(' ', '  ');

describe('a night', () => {
  test('merges what says the same, keeps the first, and joins what both counted', async () => {
    const { key, userId } = await server.member();
    await stored(key, [lesson(1, EMULATOR)], { successCount: 2, priorConfidence: 0.8 });
    await stored(key, [lesson(2, SAME)], { failureCount: 1, usageCount: 3, signature: 'abc' });
    const report = await night(key);
    expect(report.counts).toMatchObject({ merged: 1 });
    expect(report.items).toMatchObject([
      {
        action: 'merged',
        recordId: lesson(2, '').id,
        keptId: lesson(1, '').id,
        reason: expect.stringMatching(/the same words/),
      },
    ]);
    const [kept, ...others] = await learnings(server, key);
    expect(others).toEqual([]);
    expect(kept).toMatchObject({
      lesson: EMULATOR,
      // both were imported, so nobody knows of what sessions they are
      successCount: 2,
      failureCount: 1,
      usageCount: 3,
    });
    expect(kept.confidence).toBeCloseTo(betaConfidence(0.8, 2, 1), 5);
    const [row] = await server.rows(
      `select signature from learnings where user_id = '${userId}' and valid_until is null`,
    );
    expect(row.signature).toBe('abc');
  });

  test.each([
    ['another port', 'Start the ledger emulator on port 5433 before running the integration tests'],
    ['another service', 'Start the billing emulator on port 5432 before running the integration tests'],
    [
      'a flag more',
      'Start the ledger emulator on port 5432 with `--quiet` before running the integration tests',
    ],
    ['the opposite', 'Never start the ledger emulator on port 5432 before running the integration tests'],
  ])('never merges %s', async (_, text) => {
    const { key } = await server.member();
    await stored(key, [lesson(1, EMULATOR), lesson(2, text)]);
    expect((await night(key)).counts.merged).toBeUndefined();
  });

  test('changes nothing twice, is undone item by item and whole, and what is undone stays undone', async () => {
    const { key, userId } = await server.member();
    await stored(key, [lesson(1, EMULATOR), lesson(2, SAME), lesson(3, AGAIN)], { keywords: ['a'] });
    await stored(key, [lesson(4, 'Restart the mail queue with `make mail` after a deploy')], {
      confidence: 0.4,
    });
    const before = await everything(userId);
    const { id, items } = await night(key);
    const actions: string[] = items.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['merged', 'merged', 'closed']);
    const after = await everything(userId);
    expect((await night(key)).items).toEqual([]);
    expect(await everything(userId)).toEqual(after);
    const closed = items[actions.indexOf('closed')].id.slice(0, 8);
    expect((await ask(key, 'POST', `/${id}/undo?item=${closed}`)).body).toEqual({ undone: 1 });
    expect((await learnings(server, key)).length).toBe(2);
    expect((await ask(key, 'POST', `/${id}/undo`)).body).toEqual({ undone: 2 });
    expect(await everything(userId)).toEqual(before);
    expect((await ask(key, 'POST', `/${id}/undo`)).body).toEqual({ undone: 0 });
    expect((await night(key)).items).toEqual([]);
    expect(await everything(userId)).toEqual(before);
  });

  test('is not undone where a later change stands on it; counters that went on are counted back', async () => {
    const { key } = await server.member();
    await stored(key, [lesson(1, EMULATOR)], {});
    await stored(key, [lesson(2, SAME)], {});
    const first = await night(key);
    await stored(key, [lesson(3, AGAIN, { age: 30 })]);
    const second = await night(key);
    expect(second.items).toMatchObject([{ recordId: lesson(1, '').id, keptId: lesson(3, '').id }]);
    const refused = await ask(key, 'POST', `/${first.id}/undo`);
    expect(refused).toMatchObject({ status: 409, body: { title: 'A later change stands on it' } });
    expect(refused.body.detail).toContain(lesson(1, '').id.slice(0, 8));
    await server.request('POST', `/v1/learnings/${lesson(3, '').id}/feedback`, {
      key,
      body: { helpful: true },
    });
    expect((await ask(key, 'POST', `/${second.id}/undo`)).body).toEqual({ undone: 1 });
    expect((await ask(key, 'POST', `/${first.id}/undo`)).body).toEqual({ undone: 1 });
    const all = await learnings(server, key);
    expect(all.map((one: { successCount: number }) => one.successCount).sort()).toEqual([0, 0, 1]);
  });

  test('closes lessons that failed, or that nobody used for long; not those that were offered', async () => {
    const { key, userId } = await server.member();
    await stored(key, [lesson(1, 'Restart the mail queue with `make mail` after a deploy')], {
      confidence: 0.49,
    });
    await stored(key, [
      lesson(2, 'Rotate the signing keys with `make keys` in January', { age: 181 }),
      lesson(3, 'Warm the caches with `make warm` after a release', { age: 170 }),
    ]);
    await stored(key, [lesson(4, 'Compress the fixtures with `make zip` before a commit', { age: 300 })]);
    await learn(server, { key });
    await server.rows(`insert into offers (user_id, session_id, dedup_key, event, kind, source_id, position, text, tokens, offered_at)
      select user_id, id, 'x', 'UserPromptSubmit', 'lesson', '${lesson(4, '').id}', 0, 'x', 1, now() - interval '20 days'
      from sessions where user_id = '${userId}'`);
    const { items } = await night(key);
    expect(items).toMatchObject([
      { action: 'closed', recordId: lesson(1, '').id, reason: 'its confidence, 0.49, is below 0.5' },
      {
        action: 'closed',
        recordId: lesson(2, '').id,
        reason: expect.stringMatching(/^unused for 18[01] days/),
      },
    ]);
  });

  test('closes old reflections that nobody finds; never decisions, policies or what has a living link', async () => {
    const { key, userId } = await server.member();
    const note = (content: string, fields = {}) => ({
      project: 'app',
      content,
      confidence: 0.3,
      createdAt: daysAgo(200),
      ...fields,
    });
    const notes = [
      note('The parser might be slow with long lines'),
      note('The lexer might be slow with wide lines', { confidence: 0.5 }),
      note('We never rename tables', { messageType: 'policy' }),
      note('Tables are named in the plural', { messageType: 'decision' }),
      note('The old runner leaks file handles', { createdAt: daysAgo(170) }),
      note('The sorter allocates in a loop', {
        metadata: { breadcrumbs: { modified_files: ['src/sort.ts'] } },
      }),
      note('zebrafish tanks need cleaning'),
    ];
    await server.request('POST', '/v1/notes', { key, body: notes });
    await server.settled();
    const asked = { query: 'zebrafish tanks', project: 'app', limit: 1 };
    await server.request('POST', '/v1/search', { key, body: asked });
    await server.settled();
    const { items } = await night(key);
    expect(items).toMatchObject([
      { action: 'closed', kind: 'note', text: 'The parser might be slow with long lines' },
    ]);
    const [{ id }] = (await ask(key, 'GET', '')).body.runs;
    expect((await ask(key, 'POST', `/${id}/undo`)).body).toEqual({ undone: 1 });
    expect(
      await server.rows(`select 1 from notes where user_id = '${userId}' and valid_until is not null`),
    ).toEqual([]);
  });

  test('deletes old raw events and checks, and keeps what an incident cites', async () => {
    const { key, userId } = await server.member();
    const session = await learn(server, { key });
    await session.end();
    await server.request('POST', '/v1/commands/check', { key, body: { command: 'ls', cwd: '/tmp' } });
    await server.settled();
    const events = () =>
      server.rows(`select event, tool_use_id from events where user_id = '${userId}' order by id`);
    const all = (await events()).length;
    expect((await night(key)).counts.events).toBeUndefined();
    for (const [table, column] of [
      ['events', 'occurred_at'],
      ['command_checks', 'checked_at'],
    ])
      await server.rows(
        `update ${table} set ${column} = now() - interval '91 days' where user_id = '${userId}'`,
      );
    const { counts } = await night(key);
    const left = await events();
    const [incident] = await server.rows(
      `select tool_use_id, resolution ->> 'toolUseId' as answer from incidents where user_id = '${userId}'`,
    );
    expect(new Set(left.flatMap((one) => one.tool_use_id ?? []))).toEqual(
      new Set([incident.tool_use_id, incident.answer]),
    );
    // the prompt with which its episode begins
    expect(left.filter((one) => one.tool_use_id === null)).toMatchObject([{ event: 'UserPromptSubmit' }]);
    expect(counts).toMatchObject({ events: all - left.length, checks: 1 });
    expect((await night(key)).counts).toEqual({});
  });
});

describe('silence', () => {
  const health = async () => (await server.request('GET', '/health', { key: null })).body;
  // a busy database is waited for 20 ms only; then the last known state is told
  const told = (wanted: object) => expect.poll(health).toMatchObject(wanted);

  test('/health says when a night is missing for more than a day, and a worker makes up for it', async () => {
    await told({ consolidation: { ok: true } });
    const { userId, key } = await server.member();
    await server.rows(
      `update profiles set created_at = now() - interval '3 days' where user_id = '${userId}'`,
    );
    expect(await server.rows('select late from lore.consolidation_state()')).toEqual([{ late: true }]);
    await server.settled();
    expect((await ask(key, 'GET', '')).body.runs).toMatchObject([{ startedBy: 'timer', stage: 'done' }]);
    await told({ status: 'ok', consolidation: { ok: true, lastRun: expect.any(String) } });
    // one that failed for two days
    await server.rows(
      `update consolidation_runs set finished_at = now() - interval '2 days' where user_id = '${userId}'`,
    );
    await told({ status: 'degraded', consolidation: { ok: false } });
    await server.settled();
    expect((await ask(key, 'GET', '')).body.runs.length).toBe(1);
    await night(key);
    await told({ status: 'ok' });
  });

  test('/health says when texts wait for their vectors for a day', async () => {
    const { key, userId } = await server.member();
    await server.request('POST', '/v1/notes', {
      key,
      body: { project: 'app', content: 'a text that waits' },
    });
    await server.settled();
    await server.rows(
      `update search_documents set embedding_model = null, embed_after = now() - interval '25 hours' where user_id = '${userId}'`,
    );
    expect(await server.rows('select lore.embedding_stands_still() as still')).toEqual([{ still: true }]);
    await server.settled();
    expect(await server.rows('select lore.embedding_stands_still() as still')).toEqual([{ still: false }]);
  });
});

test('pg_cron calls the same functions for all users', async () => {
  const { key } = await server.member();
  await stored(key, [lesson(1, EMULATOR), lesson(2, SAME)], { confidence: 0.4 });
  const [{ nights }] = await server.rows('select lore.nights()');
  await server.rows(nights);
  await server.settled();
  const [run] = (await ask(key, 'GET', '')).body.runs;
  expect(run).toMatchObject({ startedBy: 'cron', stage: 'done', counts: { merged: 1 } });
  await server.rows(nights);
  await server.settled();
  const report = (await ask(key, 'GET', '/last')).body;
  expect(report).toMatchObject({ startedBy: 'cron', items: [] });
});

test('the limits in SQL are those in TypeScript', async () => {
  const [row] = await server.rows(
    'select lesson_floor() as floor, learning_confidence(0.8, 3, 1) as confidence',
  );
  expect(row.floor).toBe(MIN_CONFIDENCE);
  expect(row.confidence).toBeCloseTo(betaConfidence(0.8, 3, 1), 6);
});

test('a night is due at three, local time', () => {
  expect(lastNight(new Date(2026, 4, 5, 2, 59))).toEqual(new Date(2026, 4, 4, 3));
  expect(lastNight(new Date(2026, 4, 5, 3))).toEqual(new Date(2026, 4, 5, 3));
});
