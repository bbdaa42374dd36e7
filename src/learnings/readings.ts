import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { hasUnanswered, resolveIncidents } from '../incidents/read-session.ts';
import { lastEvent } from '../sessions/calls.ts';
import { learningRequests } from './schema.ts';

// A session is read when its turn has ended, not at each call: only then is it known which of several tries was the one
// that helped, and what the agent says about it. A request of the kind `turn` asks for it. It is made with the first
// failure, so that a session that ends without a word is read too.

export const TURN = 'turn';

/** A session that has been silent for this long is read although its turn has no end: the client may have crashed. */
const QUIET_SECONDS = 60;

type Session = { id: string; projectId: string };

/** Asks for a session to be read once it has been silent for a while. */
export async function readWhenQuiet(tx: Tx, session: Session): Promise<void> {
  await tx
    .insert(learningRequests)
    .values({
      projectId: session.projectId,
      sessionId: session.id,
      event: TURN,
      runAfter: sql`now() + make_interval(secs => ${QUIET_SECONDS}::int)`,
    })
    .onConflictDoNothing();
}

/**
 * Asks for a session to be read now, if its project has errors that nothing has answered so far.
 *
 * @returns how many requests now wait, 0 or 1
 */
export async function readNow(tx: Tx, session: Session): Promise<number> {
  const { rowCount } = counted(
    await tx.execute(sql`
      insert into learning_requests (user_id, project_id, session_id, event)
        select auth.uid(), ${session.projectId}, ${session.id}, ${TURN} where ${hasUnanswered(session.projectId)}
      on conflict (user_id, session_id) where status = 'pending' and event = 'turn'
        do update set run_after = now()
      returning id`),
  );
  return rowCount;
}

/** The two drivers report the rows of a statement differently. */
const counted = (result: unknown): { rowCount: number } => ({
  rowCount: Array.isArray(result) ? result.length : ((result as { rows?: unknown[] }).rows?.length ?? 0),
});

/**
 * Reads a session and queues what may become a lesson. If the session's turn still goes on, puts the request off.
 */
export async function readSession(tx: Tx, request: { id: string }, session: Session): Promise<void> {
  const last = await lastEvent(tx, session.id);
  const ended = last === null || ['Stop', 'SubagentStop', 'SessionEnd'].includes(last.event);
  const quietAt = last === null ? 0 : last.at.getTime() + QUIET_SECONDS * 1_000;
  if (!ended && quietAt > Date.now()) {
    await tx
      .update(learningRequests)
      .set({ runAfter: new Date(quietAt), attempts: 0 })
      .where(eq(learningRequests.id, request.id));
    return;
  }
  // what is read now needs no second reading; an event that comes later asks for one of its own
  await tx
    .delete(learningRequests)
    .where(and(eq(learningRequests.id, request.id), eq(learningRequests.event, TURN)));
  for (const incidentId of await resolveIncidents(tx, session)) {
    await tx
      .insert(learningRequests)
      .values({ projectId: session.projectId, sessionId: session.id, incidentId, event: last?.event ?? TURN })
      .onConflictDoNothing();
  }
}
