import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { sql } from 'drizzle-orm';
import { sign } from 'hono/jwt';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tokenSecret } from '../../src/accounts/tokens.ts';
import { asUser } from '../../src/db/as-user.ts';
import { driverOf, type Transaction } from '../../src/db/driver.ts';
import { query } from '../../src/db/open.ts';
import { startedSession } from '../support/hook-session.ts';
import { liveClient, subscribed } from '../support/live.ts';
import { startTestServer } from '../support/server.ts';

// The unmodified supabase-js against Lore's endpoint.

const server = await startTestServer({ LORE_MODEL_DIR: '' });
type Any = any;
type Member = { key: string; userId: string };

/** Adds a lesson as the database sees it, and returns its id. */
async function addLesson(
  userId: string,
  fields: { lesson?: string; confidence?: number } = {},
): Promise<string> {
  const { lesson = 'a lesson', confidence = 0.5 } = fields;
  const [row] = await asUser(server.db, { userId, role: 'member' }, async (tx) => {
    const [project] = await query<{ id: string }>(
      tx,
      sql`insert into projects (name) values ('live') on conflict (user_id, name) do update set name = 'live' returning id`,
    );
    return query<{ id: string }>(
      tx,
      sql`insert into learnings (project_id, status, lesson, context, confidence, prior_confidence, evaluated_by)
          values (${project?.id}, 'active', ${lesson}, 'c', ${confidence}, 0.5, 'test') returning id`,
    );
  });
  return row?.id as string;
}
const inOwnName = (userId: string, statement: string) =>
  asUser(server.db, { userId, role: 'member' }, (tx) => query<Any>(tx, sql.raw(statement)));

/** Subscribes to changes of lessons and returns what is heard. */
async function hearLessons(client: SupabaseClient, filter: object = {}): Promise<Any[]> {
  const heard: Any[] = [];
  const wanted = { event: '*', schema: 'public', table: 'learnings', ...filter } as Any;
  await subscribed(
    client.channel(`lessons ${Math.random()}`).on('postgres_changes', wanted, (change) => heard.push(change)),
  );
  return heard;
}

/** Adds a last lesson and waits until it is heard, so that whatever came before it would have been heard too. */
async function upTo(member: Member, heard: Any[], lesson = 'the last one'): Promise<string[]> {
  await addLesson(member.userId, { lesson, confidence: 1 });
  await expect.poll(() => heard.at(-1)?.new.lesson).toBe(lesson);
  return heard.map((change) => change.new.lesson).slice(0, -1);
}

describe('changes of rows', () => {
  test('come as on Supabase: an insert, an update, a delete with the primary key alone', async () => {
    const ann = await server.member();
    const heard = await hearLessons(await liveClient(server, ann.key));
    const id = await addLesson(ann.userId, { lesson: 'first' });
    await inOwnName(ann.userId, `update learnings set confidence = 0.75 where id = '${id}'`);
    await expect.poll(() => heard.length).toBe(2);
    await inOwnName(ann.userId, `delete from learnings where id = '${id}'`);
    await expect.poll(() => heard.length).toBe(3);
    const key = { user_id: ann.userId, id };
    expect(heard).toEqual([
      {
        schema: 'public',
        table: 'learnings',
        commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        eventType: 'INSERT',
        new: expect.objectContaining({
          ...key,
          lesson: 'first',
          confidence: 0.5,
          usage_count: 0,
          valid_until: null,
          keywords: [],
        }),
        old: {},
        errors: null,
      },
      expect.objectContaining({
        eventType: 'UPDATE',
        new: expect.objectContaining({ ...key, confidence: 0.75 }),
        old: key,
      }),
      expect.objectContaining({ eventType: 'DELETE', new: {}, old: key }),
    ]);
  });

  test('pass a filter', async () => {
    const ann = await server.member();
    const client = await liveClient(server, ann.key);
    const all = await hearLessons(client);
    const filtered: Record<string, Any[]> = {};
    for (const filter of ['confidence=gte.0.5', 'lesson=in.(low,high)', "lesson=eq.' or true --"])
      filtered[filter] = await hearLessons(client, { filter });
    await addLesson(ann.userId, { lesson: 'low', confidence: 0.25 });
    await addLesson(ann.userId, { lesson: 'even', confidence: 0.5 });
    await addLesson(ann.userId, { lesson: 'high', confidence: 0.75 });
    expect(await upTo(ann, all)).toEqual(['low', 'even', 'high']);
    const heard = Object.values(filtered).map((changes) => changes.map((change) => change.new.lesson));
    expect(heard).toEqual([['even', 'high', 'the last one'], ['low', 'high'], []]);
  });

  test.each([
    [{ table: 'sessions' }, 'no published table'],
    [{ filter: 'nothing=eq.1' }, 'column nothing does not exist'],
    [{ filter: 'confidence=eq.much' }, 'invalid input syntax'],
    [{ filter: 'lesson=match.(a+)+$' }, 'not supported'],
    [{ filter: 'confidence' }, 'malformed'],
  ])('cannot be had with %o', async (wrong, reason) => {
    const { key } = await server.member();
    const wanted = { event: '*', schema: 'public', table: 'learnings', ...wrong } as Any;
    const channel = (await liveClient(server, key)).channel('wrong').on('postgres_changes', wanted, () => {});
    await expect(subscribed(channel)).rejects.toThrow(reason);
  });

  test('reach nobody else, whatever they ask for', async () => {
    const [ann, bob] = [await server.member(), await server.member()];
    const client = await liveClient(server, bob.key);
    const heard = [
      await hearLessons(client),
      await hearLessons(client, { filter: `user_id=eq.${ann.userId}` }),
      await hearLessons(client, { schema: '*', table: '*' }),
    ];
    const own = await hearLessons(await liveClient(server, ann.key));
    const id = await addLesson(ann.userId, { lesson: 'a secret of Ann' });
    await inOwnName(ann.userId, `update learnings set confidence = 0.75 where id = '${id}'`);
    // of a row that is gone, what came before is not told
    await expect.poll(() => own.length).toBe(2);
    await inOwnName(ann.userId, `delete from learnings where id = '${id}'`);
    await expect.poll(() => own.length).toBe(3);
    await addLesson(bob.userId, { lesson: 'of Bob' });
    await expect.poll(() => heard[0]?.length).toBe(1);
    expect(JSON.stringify(heard)).not.toContain(ann.userId);
  });
});

test('what the phone page shows is published', async () => {
  const tables = await server.rows(
    `select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by 1`,
  );
  expect(tables.map((row) => row.tablename)).toEqual([
    ...[
      'command_cache',
      'command_checks',
      'consolidation_runs',
      'dashboard_projects',
      'incidents',
      'learnings',
    ],
    ...['notes', 'plan_steps', 'plans'],
  ]);
  const ann = await server.member();
  const heard: Any[] = [];
  const all = { event: '*', schema: 'public' } as const;
  const channel = (await liveClient(server, ann.key)).channel('page');
  await subscribed(channel.on('postgres_changes', all, (change) => heard.push(change)));
  const session = await startedSession(server, { key: ann.key, cwd: '/home/dev/live' });
  // a denial is told, what is allowed is not
  for (const command of ['ls', 'git push --force']) await session.decisionOn(command);
  const told = () => heard.filter((one) => one.table === 'command_checks').map((one) => one.new.command);
  await expect.poll(told).toEqual(['git push --force']);
  const project = () => heard.filter((one) => one.table === 'dashboard_projects').at(-1)?.new;
  await expect.poll(project).toMatchObject({ name: '/home/dev/live', status: 'active' });
});

const secret = () =>
  tokenSecret({ supabase: {} as never }, readFileSync(join(server.home, 'secret'), 'utf8').trim());
const tokenOf = (userId: string, seconds: number, role = 'authenticated') =>
  sign({ sub: userId, role, exp: Math.floor(Date.now() / 1_000) + seconds }, secret(), 'HS256');

describe('access', () => {
  /** Subscribes a channel and returns what it says of its state, and what the server says to it. */
  function watched(client: SupabaseClient, name = 'watched'): { states: string[]; said: Any[] } {
    const [states, said]: [string[], Any[]] = [[], []];
    const channel = client
      .channel(name)
      .on('postgres_changes', { event: '*', schema: 'public', table: 'learnings' }, () => {})
      .on('system', {}, (told: Any) => said.push(told));
    channel.subscribe((state, error) => states.push(error ? `${state} ${error.message}` : state));
    return { states, said };
  }

  test('a token that runs out closes its channels, unless it is refreshed', async () => {
    const ann = await server.member();
    const token = await tokenOf(ann.userId, 3);
    const lapsing = watched(await liveClient(server, ann.key, { token: async () => token }));
    let current = token;
    const client = await liveClient(server, ann.key, { token: async () => current });
    const refreshed = watched(client);
    await expect.poll(() => [lapsing.states, refreshed.states]).toEqual([['SUBSCRIBED'], ['SUBSCRIBED']]);
    current = await tokenOf(ann.userId, 600);
    await client.realtime.setAuth();
    await expect.poll(() => lapsing.states).toEqual(['SUBSCRIBED', 'CLOSED']);
    expect(lapsing.said.at(-1)).toMatchObject({
      extension: 'system',
      status: 'error',
      message: 'the token has expired',
    });
    expect(refreshed.states).toEqual(['SUBSCRIBED']);
  });

  test('a key that is revoked ends what was opened with it, and opens nothing more', async () => {
    const ann = await server.member();
    const device = (
      await server.request('POST', '/v1/keys', { key: ann.key, body: { name: 'phone', scope: 'device' } })
    ).body;
    const { body } = await server.request('POST', '/v1/token', { key: device.key });
    const client = await liveClient(server, ann.key, { token: async () => body.token });
    const lost = watched(client);
    const kept = watched(await liveClient(server, ann.key));
    await expect.poll(() => [lost.states, kept.states]).toEqual([['SUBSCRIBED'], ['SUBSCRIBED']]);
    await server.request('DELETE', `/v1/keys/${device.id}`, { key: ann.key });
    await expect.poll(() => lost.states).toEqual(['SUBSCRIBED', 'CLOSED']);
    const again = watched(client, 'again');
    await expect.poll(() => again.states[0]).toContain('CHANNEL_ERROR');
    expect(again.states[0]).toContain('revoked');
    expect(kept.states).toEqual(['SUBSCRIBED']);
  });

  test('only a good token opens a connection, under the name of this server, and the public key hears nothing', async () => {
    const { default: WebSocket } = await import('ws');
    const { key, userId } = await server.member();
    const { apiKey } = (await server.request('POST', '/v1/token', { key })).body;
    const { port } = new URL(server.url);
    const opened = (token: string, host = `localhost:${port}`) =>
      new Promise<number>((resolve) => {
        const url = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${token}`;
        const socket = new WebSocket(url, { headers: { host } });
        onTestFinished(() => socket.terminate());
        socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0));
        socket.on('open', () => resolve(101));
        socket.on('error', () => {});
      });
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const claims = { sub: userId, role: 'authenticated', exp };
    for (const wrong of [
      '',
      'nonsense',
      await tokenOf(userId, -5),
      await tokenOf(userId, 600, 'service_role'),
      await sign(claims, 'another secret of 32 characters!!', 'HS256'),
    ])
      expect(await opened(wrong)).toBe(401);
    expect(await opened(apiKey)).toBe(101);
    expect(await opened(apiKey, `evil.example:${port}`)).toBe(421);
    const { states } = watched(await liveClient(server, key, { token: async () => apiKey }));
    await expect.poll(() => states[0]).toContain('no published table');
  });
});

test('after the database was away, clients join again by themselves', async () => {
  const ann = await server.member();
  const heard: Any[] = [];
  const states: string[] = [];
  const wanted = { event: '*', schema: 'public', table: 'learnings' } as const;
  (await liveClient(server, ann.key))
    .channel('stays')
    .on('postgres_changes', wanted, (change) => heard.push(change))
    .subscribe((state) => states.push(state));
  await expect.poll(() => states).toEqual(['SUBSCRIBED']);
  if (server.db.engine === 'pglite') {
    const claims = { userId: ann.userId, role: 'member' } as const;
    const endless = asUser(server.db, claims, (tx) =>
      driverOf<Transaction>(tx).single('select pg_sleep(60)', 100),
    );
    await expect(endless).rejects.toThrow('timeout');
  } else {
    await server.rows(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`);
  }
  await expect.poll(() => states.filter((state) => state === 'SUBSCRIBED').length).toBe(2);
  expect(await upTo(ann, heard)).toEqual([]);
});

test('presence and private channels are refused', async () => {
  const { key } = await server.member();
  const desk = (await liveClient(server, key)).channel('desk').on('presence', { event: 'sync' }, () => {});
  await expect(subscribed(desk)).rejects.toThrow('keeps no presence');
  const own = (await liveClient(server, key)).channel('own', { config: { private: true } });
  await expect(subscribed(own)).rejects.toThrow('no private channels');
});
