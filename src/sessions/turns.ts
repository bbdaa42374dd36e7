import { asc, eq, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { turns } from './schema.ts';

/** Keeps the turns of a session, so that they can be searched. Keeping them again changes nothing. */
export async function keepTurns(tx: Tx, sessionId: string, which: 'last' | 'all'): Promise<void> {
  await query(tx, sql`select keep_turns(${sessionId}, ${which === 'all'})`);
}

/** Returns up to `limit` turns of a session, the oldest first, by the client's id. */
export async function listTurns(tx: Tx, session: string, limit: number) {
  return tx
    .select({
      id: turns.id,
      prompt: turns.prompt,
      answer: turns.said,
      startedAt: turns.startedAt,
      endedAt: turns.endedAt,
    })
    .from(turns)
    .where(eq(turns.session, session))
    .orderBy(asc(turns.startedAt), asc(turns.id))
    .limit(limit);
}
