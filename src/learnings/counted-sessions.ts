import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { outcomesOf, wasOffered } from '../offers/offers.ts';

// A session counts once for a lesson: as the one that taught it, as one that found the same, or as one that was offered
// it and used it.

/**
 * Returns whether a session already counts for a lesson; finding the same lesson again then counts nothing.
 * This also holds for a session that was offered the lesson, because it is counted when it ends.
 */
export async function countsAlready(
  tx: Tx,
  sessionId: string,
  lesson: { id: string; sourceSessionId: string | null },
): Promise<boolean> {
  if (lesson.sourceSessionId === sessionId || (await wasOffered(tx, sessionId, lesson.id))) return true;
  const found = await query(
    tx,
    sql`select 1 from learning_requests
        where learning_id = ${lesson.id} and session_id = ${sessionId} and status = 'done' limit 1`,
  );
  return found.length > 0;
}

/** The sessions for which a lesson holds, and those in which it was followed in vain. */
export type Counted = { good: Set<string>; bad: Set<string> };

/** Returns the sessions that count for each of these lessons. */
export async function countedSessions(tx: Tx, ids: string[]): Promise<Map<string, Counted>> {
  const counted = new Map(ids.map((id) => [id, { good: new Set<string>(), bad: new Set<string>() }]));
  const taught = await query<{ id: string; session: string }>(
    tx,
    sql`select id, source_session_id as session from learnings
        where id = any (${sql.param(ids)}::uuid[]) and source_session_id is not null
        union
        select learning_id, session_id from learning_requests
        where learning_id = any (${sql.param(ids)}::uuid[]) and session_id is not null and status = 'done'`,
  );
  for (const { id, session } of taught) counted.get(id)?.good.add(session);
  for (const { id, session, outcome } of await outcomesOf(tx, ids)) {
    counted.get(id)?.[outcome === 'helped' ? 'good' : 'bad'].add(session);
  }
  return counted;
}
