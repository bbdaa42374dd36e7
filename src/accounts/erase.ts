import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';

/** Erases the codes of pairings from before an instant. Keys stay until they are revoked, or the account is deleted. */
export async function erase(tx: Tx, { before }: Erasure): Promise<Erased> {
  const gone = await query(
    tx,
    sql`delete from pairings where created_at < ${before}::timestamptz returning 1`,
  );
  return { pairings: gone.length };
}
