import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approveAll } from '../../learnings/mend.ts';
import { hookSession, startedSession } from '../../support/hook-session.ts';
import { startTestServer } from '../../support/server.ts';

const server = await startTestServer();

const tables: string[] = (
  await server.rows(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
).map((row) => row.relname);

/** Returns the tables in which a user has a row with this word, with the number of such rows. */
async function traces(userId: string, word: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of tables) {
    const rows = await server.rows(
      `select 1 from "${table}" t where user_id = '${userId}' and to_jsonb(t)::text like '%${word}%'`,
    );
    if (rows.length > 0) found[table] = rows.length;
  }
  return found;
}

const erase = async (key: string, body: object) => server.request('POST', '/v1/erase', { key, body });

/** Plays a session in which an error is resolved and learned from. All of its texts hold `word`. */
async function learn(key: string, word: string, options: { cwd: string; same?: boolean }) {
  // `same`: the lesson is the same whatever the word; only its context and its reason hold it
  const subject = options.same ? 'worker' : word;
  const error = `Exit code 1\nError: Cannot find module './${subject}.json'`;
  const session = await startedSession(server, {
    key,
    cwd: options.cwd,
    sessionId: `${word}-${randomUUID()}`,
  });
  await session.prompt(`Make the ${word} checks pass`);
  await session.bashFails('node check.js', error);
  await session.bashWorks(`npm run gen-${subject}`, 'written');
  await session.before(`frobnicate --${word}`);
  await session.bashWorks('node check.js', '42 checks passed');
  await session.finish(
    `The ${word} pool was too small for the workers, so I raised it to 20 in config.json.`,
  );
  return session;
}

describe('a session', () => {
  test('is erased with all that was made of it, and nothing else is', async () => {
    const [ann, bob] = [await server.member('ann'), await server.member('bob')];
    const session = await learn(ann.key, 'zebrafish', { cwd: '/home/dev/ledger' });
    await learn(ann.key, 'walrus', { cwd: '/home/dev/bakery' });
    // what is active is in the index too
    await approveAll(server, ann.key);
    await learn(bob.key, 'zebrafish', { cwd: '/home/dev/ledger' });
    const conversation = session.session_id;
    await server.request('POST', '/v1/notes', {
      key: ann.key,
      body: { project: '/home/dev/ledger', content: 'zebrafish note', conversation },
    });
    await server.settled();
    const kept = [await traces(ann.userId, 'walrus'), await traces(bob.userId, 'zebrafish')];
    const before = await traces(ann.userId, 'zebrafish');
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['events', 'incidents', 'learnings', 'learning_requests', 'command_checks']),
    );

    const dry = await erase(ann.key, { session: conversation, dryRun: true });
    expect(dry.status).toBe(200);
    expect(await traces(ann.userId, 'zebrafish')).toEqual(before);
    const done = await erase(ann.key, { session: conversation });
    expect(done.body).toEqual({ dryRun: false, erased: dry.body.erased });
    expect(done.body.erased).toMatchObject({
      sessions: 1,
      events: before.events,
      incidents: 1,
      candidates: 1,
      lessons: 1,
      notes: 1,
      episodes: 1,
      checks: before.command_checks,
      searchDocuments: 3,
    });
    expect(await traces(ann.userId, 'zebrafish')).toEqual({});
    expect([await traces(ann.userId, 'walrus'), await traces(bob.userId, 'zebrafish')]).toEqual(kept);
    expect((await erase(ann.key, { session: conversation })).status).toBe(404);
  });

  test('is erased together with what waits in the journal and what was refused', async () => {
    const { key, userId } = await server.member('carol');
    const session = hookSession(server, { key });
    for (let n = 0; n < 30; n++) await session.bashWorks(`make otter${n}`);
    // not awaited: these lines are in the journal when the erasure is asked for
    const { body } = await erase(key, { session: session.session_id });
    expect(body.erased.events).toBe(30);
    expect(await traces(userId, 'otter')).toEqual({});
    const onDisk = () =>
      readdirSync(server.home)
        .filter((name) => name.startsWith('journal-'))
        .map((name) => readFileSync(join(server.home, name), 'utf8'))
        .join('');
    const [name] = readdirSync(server.home).filter((file) => /^journal-[^.]+\.jsonl$/.test(file));
    const event = { hook_event_name: 'Notification', session_id: session.session_id, message: 'otter' };
    const line = (userId: string) => ({
      refusedAt: new Date().toISOString(),
      reason: 'a test',
      entry: { claims: { userId, role: 'member' }, at: new Date().toISOString(), event },
    });
    const other = (await server.member('other')).userId;
    const refused = join(server.home, (name as string).replace('.jsonl', '.refused.jsonl'));
    writeFileSync(refused, `${JSON.stringify(line(userId))}\n${JSON.stringify(line(other))}\n`);
    await session.bashWorks('make otter');
    expect((await erase(key, { session: session.session_id, dryRun: true })).body.erased.refusedEvents).toBe(
      1,
    );
    expect((await erase(key, { session: session.session_id })).body.erased).toMatchObject({
      refusedEvents: 1,
      events: 1,
    });
    expect(onDisk()).toContain(other);
    expect(onDisk()).not.toContain(userId);
    rmSync(refused);
  });
});

test('a lesson is erased with the session that taught it, also if another confirmed it, whose own record stays', async () => {
  const { key, userId } = await server.member('ellen');
  const cwd = '/home/dev/ledger';
  const first = await learn(key, 'narwhal', { cwd, same: true });
  await learn(key, 'beluga', { cwd, same: true });
  const lessons = `select id, lesson, source_session_id from learnings where user_id = '${userId}' and valid_until is null`;
  const [before] = await server.rows(lessons);
  const judgements = await server.rows(
    `select decision, learning_id from learning_requests where user_id = '${userId}' order by created_at`,
  );
  expect(judgements).toEqual([
    { decision: 'stored', learning_id: before.id },
    // it helped in another session, so it is active
    { decision: 'promoted', learning_id: before.id },
    { decision: 'merged', learning_id: before.id },
  ]);
  const { body } = await erase(key, { session: first.session_id });
  expect(body.erased).toMatchObject({ sessions: 1, lessons: 1 });
  expect(await server.rows(lessons)).toEqual([]);
  expect(await traces(userId, 'narwhal')).toEqual({});
  const left = await traces(userId, 'beluga');
  expect(left).toMatchObject({ events: expect.any(Number), incidents: 1 });
  expect(left.learnings).toBeUndefined();
});

describe('a project', () => {
  test('is erased whole, and not one inside its folder', async () => {
    const { key, userId } = await server.member('fay');
    const [outer, inner] = [`/home/dev/${randomUUID()}`, ''].map((path, i, all) =>
      i === 0 ? path : `${all[0]}/inner`,
    );
    await learn(key, 'heron', { cwd: outer as string });
    await learn(key, 'egret', { cwd: inner as string });
    for (const [word, cwd] of [
      ['heron', outer],
      ['egret', inner],
    ]) {
      await server.request('POST', '/v1/notes', { key, body: { project: cwd, content: `${word} note` } });
      const command = { command: `frobnicate ${word}`, cwd };
      const { code } = (await server.request('POST', '/v1/commands/check', { key, body: command })).body;
      await server.request('POST', '/v1/commands/overrule', { key, body: { code, decision: 'allow' } });
    }
    await server.settled();
    const kept = await traces(userId, 'egret');
    const dry = await erase(key, { project: outer, dryRun: true });
    const done = await erase(key, { project: outer });
    expect(done).toMatchObject({ status: 200 });
    expect(done.body.erased).toEqual(dry.body.erased);
    expect(done.body.erased).toMatchObject({ projects: 1, sessions: 1, notes: 1, lessons: 1, verdicts: 1 });
    expect(await traces(userId, 'heron')).toEqual({});
    expect(await traces(userId, 'egret')).toEqual(kept);
  });
});

describe('a time', () => {
  const DAY = '2026-05-01T00:00:00Z';
  /** Moves all that a user has into the past. */
  const age = async (userId: string) => {
    const moves = {
      sessions: ['started_at', 'last_activity', 'ended_at'],
      events: ['occurred_at'],
      incidents: ['opened_at', 'resolved_at'],
      offers: ['offered_at'],
      command_checks: ['checked_at'],
      learning_requests: ['created_at', 'finished_at'],
      learnings: ['created_at', 'valid_from'],
      notes: ['created_at'],
      projects: ['last_activity'],
    };
    for (const [table, columns] of Object.entries(moves)) {
      const set = columns.map((column) => `${column} = ${column} - interval '10 years'`).join(', ');
      await server.rows(`update ${table} set ${set} where user_id = '${userId}'`);
    }
    // a change of a plan would be a version of it
    await server.rows(
      `with quiet as (select set_config('lore.restoring', 'on', true))
       update plans set created_at = created_at - interval '10 years' from quiet where user_id = '${userId}'`,
    );
  };

  test('is erased: what is older goes, a session that went on since keeps its newer part', async () => {
    const { key, userId } = await server.member('gus');
    await learn(key, 'dodo', { cwd: '/home/dev/old' });
    const long = hookSession(server, { key, cwd: '/home/dev/long' });
    await long.prompt('dodo first');
    await long.bashWorks('make dodo');
    await server.request('POST', '/v1/notes', {
      key,
      body: { project: '/home/dev/old', content: 'dodo note' },
    });
    await server.settled();
    await age(userId);
    await long.bashWorks('make raven');
    await learn(key, 'raven', { cwd: '/home/dev/new' });
    const kept = await traces(userId, 'raven');
    const { body } = await erase(key, { before: DAY });
    expect(body.erased).toMatchObject({ sessions: 1, lessons: 1, notes: 1, projects: 1 });
    expect(await traces(userId, 'dodo')).toEqual({});
    expect(await traces(userId, 'raven')).toEqual(kept);
    const [session] = await server.rows(
      `select tools_used from sessions where client_session_id = '${long.session_id}'`,
    );
    expect(session.tools_used).toEqual({});
  });

  test('is erased without what was learned, if asked for', async () => {
    const { key, userId } = await server.member('hal');
    await learn(key, 'moa', { cwd: '/home/dev/old' });
    await server.request('POST', '/v1/notes', {
      key,
      body: { project: '/home/dev/old', content: 'moa note' },
    });
    await server.settled();
    await age(userId);
    const { body } = await erase(key, { before: DAY, keepLearned: true });
    expect(body.erased).toMatchObject({ sessions: 1, candidates: 1, lessons: 0 });
    // the lesson is on trial, so the index has only the note and the episode
    expect(await traces(userId, 'moa')).toEqual({ episodes: 1, learnings: 1, notes: 1, search_documents: 2 });
    expect(
      await server.rows(
        `select source_session_id, source_incident_id, source_error from learnings where user_id = '${userId}'`,
      ),
    ).toEqual([{ source_session_id: null, source_incident_id: null, source_error: null }]);
  });
});
