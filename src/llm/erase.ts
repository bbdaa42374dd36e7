import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';

/** Erases the counts of model calls from the days before an instant. */
export async function erase(tx: Tx, { before }: Erasure): Promise<Erased> {
  const gone = await query(
    tx,
    sql`delete from llm_usage where day::timestamptz < date_trunc('day', ${before}::timestamptz) returning 1`,
  );
  return { modelUsage: gone.length };
}
