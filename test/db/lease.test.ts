import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { leaseRows, type Queue, workOn } from '../../src/db/queue.ts';
import { joinServers } from '../../src/db/servers.ts';
import { testDatabase } from '../support/server.ts';

const db = await (await testDatabase()).open();
afterAll(() => db.close());

const claims: Claims = { userId: '00000000-0000-4000-8000-000000000001', role: 'member' };
const QUEUE: Queue = {
  name: 'parcels',
  table: 'parcels',
  columns: { attempts: 'attempts', runAfter: 'run_after', error: 'error' },
  leaseSeconds: 1,
  pauseSeconds: 10,
  maxAttempts: 2,
  dead: { is: sql`dead`, bury: sql`dead = true`, about: sql`'a parcel'` },
};
await query(
  db.drizzle,
  sql`create table parcels (id uuid primary key default gen_random_uuid(), attempts int not null default 0,
        run_after timestamptz not null default now(), error text, dead boolean not null default false)`,
);
await query(db.drizzle, sql`grant select, update, delete on parcels to lore_user`);
beforeEach(async () => {
  await query(db.drizzle, sql`truncate parcels`);
  await query(db.drizzle, sql`insert into parcels default values`);
});

const lease = () =>
  asUser(db, claims, (tx) =>
    leaseRows(tx, QUEUE, { rows: 1, waiting: [sql`not dead`], returning: sql`error` }),
  );
const row = async () =>
  (
    await query(
      db.drizzle,
      sql`select attempts, error, dead, extract(epoch from run_after - now())::float8 as due from parcels`,
    )
  )[0];
const job = (signal = new AbortController().signal) => ({
  ...{ db, claims, queue: QUEUE, log: createLog('silent'), signal },
});
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('a leased row is nobody else’s until the lease ends, when its work is told to stop and fails', async () => {
  const rows = await lease();
  const work = workOn(job(), rows, untilAborted);
  expect(await lease()).toEqual([]);
  await work;
  expect(await row()).toMatchObject({ attempts: 1, error: expect.stringContaining('timeout'), dead: false });
  // the pause after the first try is random, 40 s at most; the second try was the last
  expect((await row())?.due).toBeLessThanOrEqual(40);
  await query(db.drizzle, sql`update parcels set run_after = now()`);
  await workOn(job(), await lease(), () => Promise.reject(new Error('the service is away')));
  expect(await row()).toMatchObject({ attempts: 2, error: 'the service is away', dead: true });
});

test('a row that another server took meanwhile stays as that one left it', async () => {
  await workOn(job(), await lease(), async () => {
    await query(db.drizzle, sql`update parcels set attempts = 7`);
    throw new Error('too late');
  });
  expect(await row()).toMatchObject({ attempts: 7, error: null });
});

test('work that stops with the server gives its row back at once, and it was no try', async () => {
  const stopping = new AbortController();
  const work = workOn(job(stopping.signal), await lease(), untilAborted);
  stopping.abort(new Error('the server stops'));
  await work;
  expect(await row()).toMatchObject({ attempts: 0, error: null, dead: false });
  expect(await lease()).toMatchObject([{ attempts: 1 }]);
});

test('a row whose worker was killed is taken again when its lease has ended', async () => {
  await lease();
  await sleep(500);
  expect(await lease()).toEqual([]);
  await vi.waitFor(async () => expect(await lease()).toMatchObject([{ attempts: 2 }]), { timeout: 25_000 });
});

test('what a killed server had begun is free for one that starts alone', async () => {
  const due = () =>
    asUser(db, claims, (tx) =>
      query(tx, sql`select event, run_after <= now() as due from learning_requests order by event`),
    );
  await query(
    db.drizzle,
    sql`insert into profiles (user_id, name, role) values (${claims.userId}, 'ann', 'member')`,
  );
  await asUser(db, claims, async (tx) => {
    await query(tx, sql`insert into projects (name) values ('/home/dev/app')`);
    await query(
      tx,
      sql`insert into learning_requests (project_id, event, attempts, run_after)
          select id, 'leased', 1, now() + interval '110 seconds' from projects
          union all select id, 'put off', 0, now() + interval '50 seconds' from projects`,
    );
  });
  const { leave } = await joinServers({ db, log: createLog('silent'), secret: 'a secret' });
  expect(await due()).toEqual([
    { event: 'leased', due: true },
    { event: 'put off', due: false },
  ]);
  await leave();
});
