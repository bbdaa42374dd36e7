import { sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { settleDecisions } from '../facts/credit.ts';
import { errorsAtEnd } from '../incidents/at-end.ts';
import { hasUnanswered, noteTries, resolveIncidents } from '../incidents/read-session.ts';
import { settleLessons } from '../learnings/credit.ts';
import {
  endReading,
  putOffReading,
  queueRequests,
  releaseSaid,
  requestReading,
  requestReadingNow,
  TURN,
  takeReading,
} from '../learnings/requests.ts';
import { hasUnsettled } from '../offers/offers.ts';
import { lastEvent } from '../sessions/calls.ts';
import { lockSession, settleStatus } from '../sessions/sessions.ts';
import { settleSkills } from '../skills/credit.ts';

// A session is read when its turn has ended, not at each call: only then is it known which of several tries was the one
// that helped, and what the agent says about it. A request of the kind `turn` asks for it. It is made with the first
// failure, so that a session that ends without a word is read too.

/** A session that has been silent for this long is read although its turn has no end: the client may have crashed. */
export const QUIET_SECONDS = 60;

type Session = { id: string; projectId: string };

/** Asks for a session to be read once it has been silent for a while. */
export async function readWhenQuiet(tx: Tx, session: Session): Promise<void> {
  await requestReading(tx, session, QUIET_SECONDS);
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
export function readNow(tx: Tx, session: Session, end: End): Promise<number> {
  const { id } = session;
  const unsettled = sql`(${hasUnsettled(id, 'lesson')} or ${hasUnsettled(id, 'decision')} or ${hasUnsettled(id, 'skill')})`;
  const wanted = sql`(${hasUnanswered(session.projectId)} or ${end}::text = 'SessionEnd' and ${unsettled})`;
  return requestReadingNow(tx, session, end, wanted);
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
  const request = await takeReading(tx, requestId);
  if (!request) return null;
  const end = request.end as End | undefined;
  const last = await lastEvent(tx, session.id);
  const quietAt = (last?.at.getTime() ?? 0) + QUIET_SECONDS * 1_000;
  if (end === undefined && quietAt > Date.now()) {
    await putOffReading(tx, requestId, new Date(quietAt));
    return null;
  }
  await endReading(tx, requestId);
  if (end !== 'SubagentStop') await releaseSaid(tx, session.id);
  if (end === 'SessionEnd') {
    await settleLessons(tx, session.id);
    await settleDecisions(tx, session.id);
    await settleSkills(tx, session.id);
  }
  const queued: Queued[] = [];
  for (const incidentId of await resolveIncidents(tx, session, end === 'SubagentStop')) {
    const [id] = await queueRequests(tx, [
      {
        projectId: session.projectId,
        sessionId: session.id,
        incidentId,
        event: end ?? last?.event ?? TURN,
        waits: holdSeconds,
      },
    ]);
    if (id !== undefined) queued.push({ id, incidentId });
  }
  if (end === 'SessionEnd') {
    await noteTries(tx, session.id);
    await settleStatus(tx, session.id, (await errorsAtEnd(tx, session.id)).length > 0);
  }
  return queued;
}
