import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';

/**
 * Returns the ids of the errors that an erasure of sessions or of a time erases. Errors of other sessions are
 * among them if an erased session answered them, because they contain what that session did.
 */
export async function incidentsToErase(
  tx: Tx,
  { sessions, before }: Pick<Erasure, 'sessions' | 'before'>,
): Promise<string[]> {
  const ids = sql.param(sessions);
  const rows = await query<{ id: string }>(
    tx,
  )`select id from incidents where session_id = any (${ids}::uuid[])
    or resolution ->> 'sessionId' = any (${ids}::text[]) or opened_at < ${before}::timestamptz`;
  return rows.map(({ id }) => id);
}

/** Erases the errors of `erasure.incidents`, see {@link incidentsToErase}. Returns their number. */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const gone = await query(
    tx,
  )`delete from incidents where id = any (${sql.param(erasure.incidents)}::uuid[]) returning 1`;
  return { incidents: gone.length };
}
