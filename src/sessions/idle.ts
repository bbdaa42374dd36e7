import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { sessions } from './schema.ts';

/**
 * Completes a session if it has had no event for `idleMinutes` and no SessionEnd (a crash, a closed lid). Returns it;
 * undefined if it goes on.
 */
export async function completeIfIdle(
  tx: Tx,
  id: string,
  idleMinutes: number,
): Promise<{ id: string; projectId: string; transcriptPath: string | null } | undefined> {
  const [ended] = await tx
    .update(sessions)
    .set({ status: 'completed', endedAt: sql`${sessions.lastActivity}`, outcome: 'idle' })
    .where(and(eq(sessions.id, id), isIdle(idleMinutes)))
    .returning({ id: sessions.id, projectId: sessions.projectId, transcriptPath: sessions.transcriptPath });
  return ended;
}

/** Returns the ids of the caller's sessions that `completeIfIdle` would complete. */
export async function idleSessions(tx: Tx, idleMinutes: number): Promise<string[]> {
  const rows = await tx.select({ id: sessions.id }).from(sessions).where(isIdle(idleMinutes));
  return rows.map(({ id }) => id);
}

const isIdle = (minutes: number) =>
  and(
    eq(sessions.status, 'active'),
    sql`${sessions.lastActivity} < now() - make_interval(mins => ${minutes}::int)`,
  );
