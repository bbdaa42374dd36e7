import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { query } from '../../src/db/open.ts';
import { testDatabase } from '../support/server.ts';

const db = await (await testDatabase()).open();
afterAll(() => db.close());

const notify = (payload: string) => query(db.drizzle, sql`select pg_notify('news', ${payload})`);

test('notifications of committed transactions reach every listener until it stops listening', async () => {
  const heard: string[][] = [[], []];
  let connected = 0;
  const stops = [];
  for (const list of heard) {
    stops.push(
      await db.listen(
        'news',
        (payload) => list.push(payload),
        () => connected++,
      ),
    );
  }
  expect(connected).toBe(2);
  await db.drizzle
    .transaction(async (tx) => {
      await tx.execute(sql`select pg_notify('news', 'rolled back')`);
      throw new Error('on purpose');
    })
    .catch(() => {});
  await notify('first');
  await expect.poll(() => heard).toEqual([['first'], ['first']]);
  await stops[0]?.();
  await notify('second');
  await expect.poll(() => heard[1]).toEqual(['first', 'second']);
  expect(heard[0]).toEqual(['first']);
  await stops[1]?.();
});

if (db.engine === 'postgres') {
  test('a broken connection is opened again, and listeners are informed', async () => {
    const heard: string[] = [];
    let connected = 0;
    const stop = await db.listen(
      'news',
      (payload) => heard.push(payload),
      () => connected++,
    );
    await query(
      db.drizzle,
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query ilike 'listen%'`,
    );
    await expect.poll(() => connected).toBe(2);
    await notify('again');
    await expect.poll(() => heard).toEqual(['again']);
    await stop();
  });
}
