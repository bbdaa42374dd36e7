import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';

/** Counts how a session that has ended went (sql/metrics). Returns its different errors and its tool calls. */
export async function measureSession(tx: Tx, sessionId: string): Promise<{ errors: number; calls: number }> {
  const [counted] = await query<{ errors: number; calls: number }>(
    tx,
    sql`select errors, calls from measure_session(${sessionId}::uuid)`,
  );
  return counted ?? { errors: 0, calls: 0 };
}

/**
 * Erases the counts of sessions that began before an instant. The counts of an erased session go with the
 * session.
 */
export async function erase(tx: Tx, { sessions, before }: Erasure): Promise<Erased> {
  const gone = await query(
    tx,
    sql`delete from session_measures
        where session_id = any (${sql.param(sessions)}::uuid[]) or started_at < ${before}::timestamptz returning 1`,
  );
  return { sessionMeasures: gone.length };
}
