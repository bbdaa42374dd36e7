import { sql } from 'drizzle-orm';
import { type Database, query } from './open.ts';

// The embedded engine has no autovacuum. Without statistics the planner believes that tables stay as small as they were
// when a statement was first planned; without vacuum, dead rows stay. PostgreSQL's autovacuum does both by itself.

/** Rows to look at per table are 300 times this. PostgreSQL's default of 100 takes ten times as long. */
const STATISTICS_TARGET = 10;

type Table = { name: string; writes: number; analyze: boolean; vacuum: boolean };

/**
 * Returns a function that does for the embedded engine what autovacuum does for PostgreSQL. On PostgreSQL it
 * does nothing. Call it every few seconds. A call analyzes each table that has changed enough. It vacuums at
 * most one table, to which nothing was written since the call before, so that few requests wait for it. It
 * always returns false, so it is not called again at once.
 */
export function createUpkeep(db: Database): () => Promise<boolean> {
  /** rows written to each table until the last call */
  let before = new Map<string, number>();
  /** how much the database had written when there was nothing to do */
  let calmAt: string | undefined;
  return async () => {
    if (db.engine !== 'pglite') return false;
    const [written] = await query<{ at: string }>(db.drizzle)`select pg_current_wal_insert_lsn()::text as at`;
    if (written?.at === calmAt) return false;
    const tables = await query<Table>(db.drizzle, CHANGED);
    for (const { name } of tables.filter((table) => table.analyze)) {
      await db.drizzle.transaction(async (tx) => {
        await tx.execute(sql.raw(`set local default_statistics_target = ${STATISTICS_TARGET}`));
        await tx.execute(sql.raw(`analyze ${name}`));
      });
    }
    const resting = tables.find((table) => table.vacuum && before.get(table.name) === table.writes);
    before = new Map(tables.map(({ name, writes }) => [name, writes]));
    if (resting) await db.drizzle.execute(sql.raw(`vacuum ${resting.name}`));
    calmAt = tables.length === 0 ? written?.at : undefined;
    return false;
  };
}

// By autovacuum's own defaults for ANALYZE; vacuum takes longer, so it waits for more. The counters of changed rows are lost
// at each start, so then only the size of a table is known.
const CHANGED = sql`select t.* from (
  select c.oid::regclass::text as name, (s.n_tup_ins + s.n_tup_upd + s.n_tup_del)::float8 as writes,
    s.n_mod_since_analyze > 50 + 0.1 * rows or pages > 50 + 2 * c.relpages as analyze,
    s.n_dead_tup + s.n_ins_since_vacuum > 1000 + 0.2 * rows or pages > 50 and c.relallvisible = 0 as vacuum
  from pg_stat_user_tables s
  join pg_class c on c.oid = s.relid,
    lateral (select greatest(c.reltuples, 0) as rows, pg_relation_size(c.oid) / 8192 as pages) size) t
  where t.analyze or t.vacuum`;
