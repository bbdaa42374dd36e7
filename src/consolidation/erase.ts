import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { lessonsOf } from '../learnings/erase.ts';

/**
 * Erases the reports of nights from before an instant. Also erases what reports contain of lessons that the
 * erased evidence taught, because such a lesson may live on in other words. If a record itself is erased, a
 * trigger removes it from the reports. Call this before the lessons are erased.
 */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { before, keepLearned } = erasure;
  const lessons = keepLearned ? [] : await lessonsOf(tx, erasure);
  await query(
    tx,
    sql`delete from consolidation_items
        where record_id = any (${sql.param(lessons)}::uuid[]) or kept_id = any (${sql.param(lessons)}::uuid[])`,
  );
  const runs = await query(
    tx,
    sql`delete from consolidation_runs
        where started_at < ${before}::timestamptz and finished_at is not null returning 1`,
  );
  return { nights: runs.length };
}
