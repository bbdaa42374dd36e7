import { eq, type SQL, sql } from 'drizzle-orm';
import { Problem } from '../../base/errors/problem.ts';
import { rulesAsking } from '../../commands/checks.ts';
import { asUser, type Claims } from '../../db/as-user.ts';
import { query, type Tx } from '../../db/open.ts';
import { errorsAtEnd } from '../../incidents/at-end.ts';
import { followErrors, hasUnanswered } from '../../incidents/follow-errors.ts';
import { isCall, type SessionStep, toSteps } from '../../incidents/steps.ts';
import { followSkills } from '../../kinds/skills/runs.ts';
import { ModelUnavailable } from '../../llm/ask.ts';
import { hasUnsettled } from '../../offers/offers.ts';
import { lastEvent } from '../../sessions/calls.ts';
import { lockSession, type SessionIds, sessionOfId, settleStatus } from '../../sessions/sessions.ts';
import { lastTurn, PIECE, type Place, storyPiece } from '../../sessions/story.ts';
import { rejections } from '../../sessions/transcript-person.ts';
import { lastingSentence } from '../asking/lasting.ts';
import { followLessons } from '../credit.ts';
import { answerGuard } from '../guards/guards.ts';
import { saidIn } from '../language/stated-rules.ts';
import { endReading, QUIET_SECONDS, requestReadingNow, TURN } from '../requests.ts';
import { learningRequests } from '../schema.ts';
import { admitIncident } from './admit-incident.ts';
import { askModel, type DistilServices } from './ask-model.ts';
import { type Giver, keepRule, remember } from './hand-in.ts';
import { queueSaid } from './said.ts';

// A session is read when its turn has ended, not at each call: only then is it known which of several tries was the one
// that helped, and what the agent says about it. A request of the kind `turn` asks for it. It is made with the first
// failure, so that a session that ends without a word is read too.

/** What ended: a turn, a session, or one that was found in the client's record. */
type End = 'Stop' | 'SessionEnd' | 'recovery';

/**
 * Asks for a session to be read now, if its project has errors that nothing has answered so far, if a person stated
 * something in it, or if it ended and was offered lessons or skills.
 *
 * @returns how many requests now wait, 0 or 1
 */
export function readNow(tx: Tx, session: SessionIds, end: End): Promise<number> {
  const { id } = session;
  const unsettled = sql`(${hasUnsettled(id, 'lesson')} or ${hasUnsettled(id, 'skill')})`;
  const wanted: SQL = sql`(${hasUnanswered(session.projectId)} or ${end}::text = 'SessionEnd' and ${unsettled})`;
  return requestReadingNow(tx, session, end, wanted);
}

/**
 * Reads a session when its turn has ended: resolves its errors, keeps the lessons that code can write of them, and at the
 * session's end credits what it was offered. If a model is set up, it is asked what an agent would be asked otherwise, and
 * what it hands in goes through the same checks.
 */
export async function readTurn(
  services: DistilServices,
  claims: Claims,
  { id, sessionId, projectId }: { id: string; sessionId: string; projectId: string },
): Promise<void> {
  const { db, ask } = services;
  const session = { id: sessionId, projectId };
  // without a model only what a person said to a rejected call is read in the turn; it stands in the owner's transcripts
  const wanted = ask !== null || claims.role === 'owner';
  let reading: Reading | null = null;
  let steps: SessionStep[] = [];
  const see = (of: Reading, piece: SessionStep[]): void => {
    for (const one of [...of.credits, of.errors]) one?.see(piece);
    steps = [...steps, ...piece].slice(-PIECE);
  };
  // the story is read once for all, in pieces, and seen between the transactions; the last piece in the one that settles
  for (let place: Place | null = null; ; ) {
    const next = await asUser(db, claims, async (tx) => {
      await lockSession(tx, sessionId);
      const of: Reading | null = reading ?? (await beginReading(tx, id, session, wanted));
      if (of === null) return null;
      const { events, end } = await storyOf(tx, sessionId, of, place);
      const piece = await toSteps(tx, sessionId, events);
      if (end !== null) return { of, piece, end };
      see(of, piece);
      await settle(tx, id, session, of);
      return { of, piece, end };
    });
    if (next === null) return;
    reading = next.of;
    if (next.end === null) break;
    see(reading, next.piece);
    place = next.end;
  }
  const turn = turnIn(steps);
  await hearRejections(services, claims, session, reading, turn);
  if (ask !== null && isWorthReading(turn))
    await readByModel({ ...services, ask }, claims, session, reading, turn);
}

type Reading = NonNullable<Awaited<ReturnType<typeof beginReading>>>;

/** Returns the next piece of a session's story; nothing if nobody needs it. */
const storyOf = (tx: Tx, sessionId: string, { since }: Reading, place: Place | null) =>
  since === undefined ? Promise.resolve({ events: [], end: null }) : storyPiece(tx, sessionId, since, place);

/** Finds out who has to follow a session's story, and since when. Returns null if its turn still goes on. */
async function beginReading(tx: Tx, requestId: string, session: SessionIds, wanted: boolean) {
  const ofRequest = eq(learningRequests.id, requestId);
  const [request] = await tx.select().from(learningRequests).where(ofRequest).for('update');
  if (!request) return null;
  const end = request.evidence?.end as End | undefined;
  const last = await lastEvent(tx, session.id);
  const quietAt = (last?.at.getTime() ?? 0) + QUIET_SECONDS * 1_000;
  if (end === undefined && quietAt > Date.now()) {
    const at = new Date(quietAt).toISOString();
    await query(tx)`update learning_requests set run_after = ${at}::timestamptz, attempts = 0
      where id = ${requestId}`;
    return null;
  }
  const ended = end === 'SessionEnd';
  // the end of a turn settles that turn, and the end of a session all of it
  const { began, recent } = await lastTurn(tx, session.id);
  const notBefore = end === 'Stop' ? earliestOf([began, recent]) : end === undefined ? recent : null;
  const errors = await followErrors(tx, session, { notBefore, ended });
  const credits = ended
    ? [await followLessons(tx, session.id), await followSkills(tx, session)].flatMap((one) => one ?? [])
    : [];
  // of a long turn its end
  const tail = began === null || (recent !== null && recent > began) ? recent : began;
  const needs = [...credits, ...(errors ? [errors] : []), ...(wanted ? [{ since: tail }] : [])];
  const context = await sessionOfId(tx, session.id);
  if (!context) return null;
  const event = end ?? last?.event ?? TURN;
  /** null: since the session's beginning; undefined: nobody needs the story */
  const since = needs.length === 0 ? undefined : earliestOf(needs.map(({ since }) => since));
  return { end, event, credits, errors, context, began, since };
}

/** Returns the earliest of several instants; null, the beginning, is before all others. */
const earliestOf = (instants: (Date | null)[]): Date | null =>
  instants.reduce((a, b) => (a === null || b === null ? null : a < b ? a : b));

/**
 * Settles what can be settled by a story: what may become a lesson of code does. When the session has ended, the lessons
 * and skills that it was offered are credited, and if its last turn left an error that nothing answered, it has failed.
 */
async function settle(
  tx: Tx,
  requestId: string,
  { id: sessionId }: SessionIds,
  { end, event, credits, errors }: Reading,
): Promise<void> {
  // if the session has ended meanwhile, the request stays, and it is read once more
  await endReading(tx, requestId, end);
  // what the person said is judged now, because the turn in which they said it has ended
  await query(tx)`
    update learning_requests set run_after = now()
    where session_id = ${sessionId} and status = 'pending' and evidence ->> 'kind' = 'said'`;
  // first, because it locks the project, and whoever does so locks lessons afterwards
  for (const incidentId of (await errors?.settle(tx)) ?? []) await admitIncident(tx, incidentId, event);
  for (const credit of credits) await credit.settle(tx);
  if (end === 'SessionEnd' && (await errorsAtEnd(tx, sessionId)).length > 0)
    await settleStatus(tx, sessionId, 'failed');
}

/** Returns the steps since the last prompt before which something was done. */
function turnIn(all: SessionStep[]): SessionStep[] {
  const acted = all.findLastIndex((step) => step.kind !== 'prompt');
  const prompt = all.slice(0, Math.max(0, acted)).findLastIndex((step) => step.kind === 'prompt');
  return all.slice(Math.max(0, prompt));
}

/** Whether a turn has what an agent would be asked about: an error after which something else passed, or a sentence that may last. */
function isWorthReading(steps: SessionStep[]): boolean {
  const calls = steps.filter(isCall);
  const failed = calls.findIndex(({ signature }) => signature !== null);
  return (
    steps.some((step) => step.kind === 'prompt' && lastingSentence(step.text) !== null) ||
    (failed >= 0 && calls.slice(failed).some(({ ok, target }) => ok && target !== calls[failed]?.target))
  );
}

/** Asks a model about a turn, and keeps what it hands in. */
async function readByModel(
  services: DistilServices & { ask: NonNullable<DistilServices['ask']> },
  claims: Claims,
  { id: sessionId, projectId }: SessionIds,
  { context: { task, branch } }: Reading,
  turn: SessionStep[],
): Promise<void> {
  try {
    const { answer, model } = await askModel(services.ask, claims, { task, branch }, turn);
    const by: Giver = { by: 'model', evaluator: model, projectId, sessionId, agentId: null, event: 'Stop' };
    // what it left out, or may not say: nobody is there to hear it
    const ignored = (error: unknown) => (error instanceof Problem ? null : Promise.reject(error));
    for (const one of answer.remember) await remember(services, claims, one, by).catch(ignored);
    for (const rule of answer.rules) await keepRule(services, claims, rule, by).catch(ignored);
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    services.log.warn({ reason: error.message }, 'no model for this turn');
  }
}

/** Hears what a person meant by rejecting a call. No hook reports that; only the transcript has it. */
async function hearRejections(
  { db }: DistilServices,
  claims: Claims,
  session: SessionIds,
  { context: { transcriptPath }, began }: Reading,
  turn: SessionStep[],
): Promise<void> {
  const [first, last] = [turn[0]?.at, turn.at(-1)?.at];
  if (claims.role !== 'owner' || transcriptPath === null || !first || !last) return;
  // of a long turn only the last steps are here
  const rejected = await rejections(transcriptPath, began !== null && began < first ? began : first, last);
  if (rejected.length === 0) return;
  await asUser(db, claims, async (tx) => {
    const said = rejected.flatMap(({ hint }) => (hint === null ? [] : saidIn(hint)));
    await queueSaid(tx, session, 'rejection', said);
    // a “no” to the question of a rule that nobody had confirmed confirms it
    const ids = rejected.map(({ toolUseId }) => toolUseId);
    for (const lesson of await rulesAsking(tx, session.id, ids)) await answerGuard(tx, lesson, 'no', '');
  });
}
