import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureOwner } from '../../src/accounts/accounts.ts';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { createUpkeep } from '../../src/db/upkeep.ts';
import { reindex } from '../../src/search/reindex.ts';
import { embedded } from '../support/needs.ts';
import { testDatabase } from '../support/server.ts';

const NOTES = 1_000;
const db = await (await testDatabase()).open();
afterAll(() => db.close());

// On PostgreSQL the counters come late, and autovacuum does this work at times of its own.
embedded.describe('the embedded engine', () => {
  const upkeep = createUpkeep(db);
  let me: Claims;
  const all = (statement: ReturnType<typeof sql>) => query<Record<string, number>>(db.drizzle, statement);

  /** Writes notes number `from` to `to`, as rows: HTTP would take longer. */
  const write = (from: number, to: number) =>
    asUser(db, me, (tx) =>
      query(
        tx,
        sql`insert into notes (project_id, channel, content, created_at)
            select p.id, 'c', 'note ' || n, now() - make_interval(days => n)
            from projects p, generate_series(${from}::int, ${to}::int) n`,
      ),
    );

  /** The engine may keep its counters back for a second. */
  const counted = () => all(sql`select pg_stat_force_next_flush()`);

  beforeAll(async () => {
    me = { userId: await ensureOwner(db, { key: 'key', source: 'key file', inFolder: null }), role: 'owner' };
    await asUser(db, me, (tx) => query(tx, sql`insert into projects (name) values ('many')`));
    // The statements are planned here, while the tables are as good as empty.
    await write(1, 100);
    await upkeep();
    await write(101, NOTES);
    await counted();
    await upkeep();
  });

  test('vacuums a table with many dead rows, once nobody writes to it', async () => {
    const vacuumed = async () => {
      await counted();
      await upkeep();
      return (
        await all(
          sql`select vacuum_count::int as n from pg_stat_user_tables where relname = 'search_documents'`,
        )
      )[0]?.n;
    };
    // each note's document is written anew, and its old row is dead
    await reindex(db, me);
    expect(await vacuumed()).toBe(0);
    for (let n = 0; n < 2; n++) {
      await write(5_000 + n, 5_000 + n);
      expect(await vacuumed()).toBe(0);
    }
    expect(await vacuumed()).toBe(1);
    expect(await vacuumed()).toBe(1);
  });
});
