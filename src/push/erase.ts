import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';

/**
 * Erases what devices were told of before an instant. Their addresses stay until they are signed out, as their keys do.
 */
export async function erase(tx: Tx, { before }: Erasure): Promise<Erased> {
  const gone = await query(tx, sql`delete from push_told where told_at < ${before}::timestamptz returning 1`);
  return { pushes: gone.length };
}
