import { eq, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { settleDecisions } from '../facts/credit.ts';
import { leftUnanswered } from '../incidents/incidents.ts';
import { hasUnanswered, noteTries, resolveIncidents } from '../incidents/read-session.ts';
import { hasUnsettled } from '../offers/offers.ts';
import { lastEvent } from '../sessions/calls.ts';
import { lockSession, settleStatus } from '../sessions/sessions.ts';
import { settleSkills } from '../skills/credit.ts';
import { settleLessons } from './credit.ts';
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

/** A request for the lesson of an incident. */
export type Queued = { id: string; incidentId: string };

/** What ended: a whole turn or session, or only what a subagent had to do. */
type End = 'Stop' | 'SubagentStop' | 'SessionEnd' | 'recovery';

/**
 * Asks for a session to be read now, if its project has errors that nothing has answered so far, if a person stated
 * something in it, or if it ended and was offered lessons, decisions or skills.
 *
 * @returns how many requests now wait, 0 or 1
 */
export async function readNow(tx: Tx, session: Session, end: End): Promise<number> {
  const rows = await query(
    tx,
    sql`insert into learning_requests (user_id, project_id, session_id, event, evidence)
          select auth.uid(), ${session.projectId}, ${session.id}, ${TURN}, jsonb_build_object('end', ${end}::text)
          where ${hasUnanswered(session.projectId)}
            or exists (select 1 from learning_requests
                where session_id = ${session.id} and event = ${TURN} and status = 'pending')
            or (${end}::text = 'SessionEnd'
              and (${hasUnsettled(session.id, 'lesson')} or ${hasUnsettled(session.id, 'decision')}
                or ${hasUnsettled(session.id, 'skill')}))
        on conflict (user_id, session_id) where status = 'pending' and event = 'turn'
          do update set run_after = now(), evidence = excluded.evidence
        returning id`,
  );
  return rows.length;
}

/**
 * Reads a session and queues what may become a lesson. When it has ended, the lessons, decisions and skills that it was
 * offered are settled first, and if its last turn left an error that nothing answered, it has failed. If the session's
 * turn still goes on, puts the request off.
 *
 * @param holdSeconds for how long the rules leave the queued lessons to a model
 * @returns the requests that were queued; null if nothing was read
 */
export async function readSession(
  tx: Tx,
  requestId: string,
  session: Session,
  holdSeconds: number,
): Promise<Queued[] | null> {
  await lockSession(tx, session.id);
  // as it stands now: the session may have ended since the request was taken
  const [request] = await tx
    .select({ evidence: learningRequests.evidence })
    .from(learningRequests)
    .where(eq(learningRequests.id, requestId))
    .for('update');
  if (!request) return null;
  const end = request.evidence?.end as End | undefined;
  const last = await lastEvent(tx, session.id);
  const quietAt = (last?.at.getTime() ?? 0) + QUIET_SECONDS * 1_000;
  if (end === undefined && quietAt > Date.now()) {
    await tx
      .update(learningRequests)
      .set({ runAfter: new Date(quietAt), attempts: 0 })
      .where(eq(learningRequests.id, requestId));
    return null;
  }
  await tx.delete(learningRequests).where(eq(learningRequests.id, requestId));
  if (end === 'SessionEnd') {
    await settleLessons(tx, session.id);
    await settleDecisions(tx, session.id);
    await settleSkills(tx, session.id);
  }
  const queued: Queued[] = [];
  for (const incidentId of await resolveIncidents(tx, session, end === 'SubagentStop')) {
    const [row] = await tx
      .insert(learningRequests)
      .values({
        projectId: session.projectId,
        sessionId: session.id,
        incidentId,
        event: end ?? last?.event ?? TURN,
        runAfter: sql`now() + make_interval(secs => ${holdSeconds}::int)`,
      })
      .onConflictDoNothing()
      .returning({ id: learningRequests.id });
    if (row) queued.push({ id: row.id, incidentId });
  }
  if (end === 'SessionEnd') {
    await noteTries(tx, session.id);
    await settleStatus(tx, session.id, leftUnanswered(session.id));
  }
  return queued;
}
