import { sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { errorsAtEnd } from '../incidents/at-end.ts';
import { followErrors, hasUnanswered } from '../incidents/follow-errors.ts';
import type { Follower, SessionStep } from '../incidents/steps.ts';
import { toSteps } from '../incidents/to-steps.ts';
import { followLessons } from '../learnings/credit.ts';
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
import { lockSession, type SessionIds, settleStatus } from '../sessions/sessions.ts';
import { lastTurn, PIECE, type Place, storyPiece, type Turn } from '../sessions/story.ts';
import { followSkills } from '../skills/offer-skill.ts';

// A session is read when its turn has ended, not at each call: only then is it known which of several tries was the one
// that helped, and what the agent says about it. A request of the kind `turn` asks for it. It is made with the first
// failure, so that a session that ends without a word is read too.
//
// Its story is loaded once, in pieces, for all who settle something by it. Only the last piece is read in the transaction
// that settles. If the server is killed before that, the reading begins anew.

/** A session that has been silent for this long is read although its turn has no end: the client may have crashed. */
export const QUIET_SECONDS = 60;

/** Asks for a session to be read once it has been silent for a while. */
export async function readWhenQuiet(tx: Tx, session: SessionIds): Promise<void> {
  await requestReading(tx, session, QUIET_SECONDS);
}

/** What ended: a whole turn or session, or only what a subagent had to do. */
type End = 'Stop' | 'SubagentStop' | 'SessionEnd' | 'recovery';

/**
 * Asks for a session to be read now, if its project has errors that nothing has answered so far, if a person stated
 * something in it, or if it ended and was offered lessons, decisions or skills.
 *
 * @returns how many requests now wait, 0 or 1
 */
export function readNow(tx: Tx, session: SessionIds, end: End): Promise<number> {
  const { id } = session;
  const unsettled = sql`(${hasUnsettled(id, 'lesson')} or ${hasUnsettled(id, 'decision')} or ${hasUnsettled(id, 'skill')})`;
  const wanted = sql`(${hasUnanswered(session.projectId)} or ${end}::text = 'SessionEnd' and ${unsettled})`;
  return requestReadingNow(tx, session, end, wanted);
}

/** A reading that is under way: who follows the session's story, and how far it was read. */
type Reading = {
  end: End | undefined;
  /** the event after which it is read */
  event: string;
  credits: Follower[];
  errors: Follower<string[]> | null;
  turn: Turn;
  /** the last steps that were read, at most a piece of them */
  steps: SessionStep[];
  /** since when somebody needs the story; null: since the session's beginning; undefined: nobody needs it */
  since: Date | null | undefined;
  after: Place | null;
};

/** What was read: the last steps of the turn, from its beginning if they reach so far. */
export type Read = { steps: SessionStep[]; turn: Turn };
/** A piece of a story that was read, for {@link seePiece}. */
type Piece = { reading: Reading; piece: SessionStep[] };

/**
 * Reads the next piece of a session's story. With the last one, settles what can be settled by it: what may become a
 * lesson is queued. When the session has ended, the lessons, decisions and skills that it was offered are credited, and
 * if its last turn left an error that nothing answered, it has failed. If the session's turn still goes on, puts the
 * request off.
 *
 * @param wanted whether the steps of the turn are needed
 * @param begun the reading, if pieces were read before
 * @returns a piece if more is to come: it must be given to `seePiece`, outside of the transaction. Null if nothing was to
 *   be read
 */
export async function readSession(
  tx: Tx,
  requestId: string,
  session: SessionIds,
  wanted: boolean,
  begun: Reading | null,
): Promise<Read | Piece | null> {
  await lockSession(tx, session.id);
  // as it stands now: the session may have ended since the request was taken
  const request = await takeReading(tx, requestId);
  if (!request) return null;
  const end = request.end as End | undefined;
  const reading =
    begun !== null && begun.end === end
      ? begun
      : await beginReading(tx, requestId, session, { end, turn: wanted });
  if (reading === null) return null;
  if (reading.since !== undefined) {
    const { events, end: place } = await storyPiece(tx, session.id, reading.since, reading.after);
    const piece = await toSteps(tx, session.id, events);
    if (place !== null) return { reading: { ...reading, after: place }, piece };
    see(reading, piece, true);
  }
  await endReading(tx, requestId);
  if (end !== 'SubagentStop') await releaseSaid(tx, session.id);
  for (const credit of reading.credits) await credit.settle(tx);
  const about = { projectId: session.projectId, sessionId: session.id, event: reading.event };
  const answered = (await reading.errors?.settle(tx)) ?? [];
  await queueRequests(
    tx,
    answered.map((incidentId) => ({ ...about, incidentId })),
  );
  if (end === 'SessionEnd' && (await errorsAtEnd(tx, session.id)).length > 0)
    await settleStatus(tx, session.id, 'failed');
  return { steps: reading.steps, turn: reading.turn };
}

/** Shows a piece of the story to all who follow it. Takes as long as there are calls in it, so call it between transactions. */
export function seePiece({ reading, piece }: Piece): Reading {
  see(reading, piece, false);
  return reading;
}

function see(reading: Reading, piece: SessionStep[], last: boolean): void {
  for (const one of [...reading.credits, reading.errors]) one?.see(piece, last);
  reading.steps = [...reading.steps, ...piece].slice(-PIECE);
}

/** Finds out who has to follow a session's story, and since when. Returns null if its turn still goes on. */
async function beginReading(
  tx: Tx,
  requestId: string,
  session: SessionIds,
  { end, turn: wanted }: { end: End | undefined; turn: boolean },
): Promise<Reading | null> {
  const last = await lastEvent(tx, session.id);
  const quietAt = (last?.at.getTime() ?? 0) + QUIET_SECONDS * 1_000;
  if (end === undefined && quietAt > Date.now()) {
    await putOffReading(tx, requestId, new Date(quietAt));
    return null;
  }
  const turn = await lastTurn(tx, session.id);
  const ended = end === 'SessionEnd';
  const errors = await followErrors(tx, session, {
    // the end of a turn settles that turn, and the end of a session all of it
    notBefore:
      end === 'Stop' ? turn.before : end === 'SubagentStop' || end === undefined ? turn.recent : null,
    explained: end === 'SubagentStop',
    ended,
  });
  const credits = ended
    ? [await followLessons(tx, session.id), await followSkills(tx, session)].flatMap((one) => one ?? [])
    : [];
  const needs = [...credits, ...(errors ? [errors] : []), ...(wanted ? [{ since: turn.tail }] : [])];
  return {
    end,
    event: end ?? last?.event ?? TURN,
    credits,
    errors,
    turn,
    steps: [],
    since: needs.length === 0 ? undefined : earliestOf(needs.map(({ since }) => since)),
    after: null,
  };
}

/** Returns the earliest of several instants; null, the beginning, is before all others. */
const earliestOf = (instants: (Date | null)[]): Date | null =>
  instants.reduce((a, b) => (a === null || b === null ? null : a < b ? a : b));
