import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { type Leased, leaseRows, type Queue, workOn } from '../../src/db/queue.ts';
import { createLog } from '../../src/log.ts';
import { startLoop } from '../../src/timing/loop.ts';
import { testDatabase } from '../support/server.ts';

const database = await testDatabase();
// two servers would share a PostgreSQL; an embedded database has one server, whose workers stand for both here
const db = await database.open();
const second = database.url === undefined ? db : await database.open();
afterAll(async () => {
  await db.close();
  if (second !== db) await second.close();
});

const log = createLog('silent');
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

const lease = (on = db) =>
  asUser(on, claims, (tx) =>
    leaseRows(tx, QUEUE, { rows: 1, waiting: [sql`not dead`], returning: sql`error` }),
  );
const row = async () => {
  const [found] = await query<{ attempts: number; error: string | null; dead: boolean; due: number }>(
    db.drizzle,
    sql`select attempts, error, dead, extract(epoch from run_after - now())::float8 as due from parcels`,
  );
  return found;
};
const running = new AbortController().signal;
const job = (signal = running) => ({ db, claims, queue: QUEUE, log, signal });
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('a lease', () => {
  test('is renewed while the work takes longer than it, so that no other server takes the row', async () => {
    const rows = await lease();
    const taken: Leased[] = [];
    await workOn(job(), rows, async () => {
      for (let n = 0; n < 12; n++) {
        await sleep(250);
        taken.push(...(await lease(second)));
      }
    });
    expect(taken).toEqual([]);
    // afterwards nobody renews it
    await vi.waitFor(async () => expect(await lease(second)).toMatchObject([{ attempts: 2 }]), {
      timeout: 5_000,
      interval: 100,
    });
  });

  test('is not renewed once another server has the row', async () => {
    const rows = await lease();
    await workOn(job(), rows, async () => {
      await query(db.drizzle, sql`update parcels set attempts = 7, run_after = now() - interval '1 minute'`);
      await sleep(1_000);
      expect((await row())?.due).toBeLessThan(-50);
      throw new Error('too late');
    });
    expect(await row()).toMatchObject({ attempts: 7, error: null });
  });

  test('of work that stops with the server is given back at once, and it was no try', async () => {
    const stopping = new AbortController();
    const rows = await lease();
    const work = workOn(job(stopping.signal), rows, untilAborted);
    stopping.abort(new Error('the server stops'));
    await work;
    expect(await row()).toMatchObject({ attempts: 0, error: null, dead: false });
    expect(await lease(second)).toMatchObject([{ attempts: 1 }]);
  });

  test('of work that does not stop ends by itself, and the row is taken again', async () => {
    const stopping = new AbortController();
    const rows = await lease();
    let end = () => {};
    const deaf = new Promise<void>((resolve) => {
      end = resolve;
    });
    const work = workOn({ ...job(stopping.signal), maxEndMs: 300 }, rows, () => deaf);
    const before = performance.now();
    stopping.abort();
    await work;
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(await row()).toMatchObject({ attempts: 1, error: null });
    await vi.waitFor(async () => expect(await lease(second)).toMatchObject([{ attempts: 2 }]), {
      timeout: 5_000,
      interval: 100,
    });
    end();
  });

  test('of work that takes too long is given up, and that is a failure', async () => {
    const told = vi.fn();
    for (const attempt of [1, 2]) {
      const rows = await lease();
      expect(rows).toMatchObject([{ attempts: attempt }]);
      await workOn({ ...job(), maxJobMs: 200, maxEndMs: 200 }, rows, (signal) => {
        signal.addEventListener('abort', told);
        return new Promise(() => {});
      });
      expect(told).toHaveBeenCalledTimes(attempt);
      expect(await row()).toMatchObject({ error: 'it did not end within 0.2 s', dead: attempt === 2 });
      await query(db.drizzle, sql`update parcels set run_after = now()`);
    }
  });
});

test('rows that failed together are tried again at different times, never at once', async () => {
  await query(db.drizzle, sql`truncate parcels`);
  await query(db.drizzle, sql`insert into parcels select from generate_series(1, 40)`);
  for (let n = 0; n < 40; n++)
    await workOn(job(), await lease(), async () => {
      throw new Error('the service is away');
    });
  const pauses = await query<{ due: number }>(
    db.drizzle,
    sql`select extract(epoch from run_after - now())::float8 as due from parcels order by due`,
  );
  expect(new Set(pauses.map(({ due }) => Math.round(due))).size).toBeGreaterThan(10);
  expect(pauses.at(-1)?.due).toBeLessThanOrEqual(40);
  // the mean of 40 shares of 40 s; less than 8 s or more than 32 s has a chance of one in a billion
  const mean = pauses.reduce((sum, { due }) => sum + due, 0) / pauses.length;
  expect(mean).toBeGreaterThan(8);
  expect(mean).toBeLessThan(32);
});

test('a worker that does not end is left when it is stopped, and begins nothing more', async () => {
  const runs = vi.fn();
  const loop = startLoop({
    name: 'deaf',
    intervalMs: null,
    log,
    maxStopMs: 100,
    work: (signal) => {
      runs(signal);
      return new Promise(() => {});
    },
  });
  loop.wake();
  await loop.stop();
  loop.wake();
  expect(runs).toHaveBeenCalledOnce();
  expect(runs.mock.calls[0]?.[0].aborted).toBe(true);
});
