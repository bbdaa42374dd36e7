import { and, eq, inArray, sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { query, type Tx } from '../db/open.ts';
import type { Told } from '../facts/told-facts.ts';
import { incidentsByCall, loadIncident } from '../incidents/incidents.ts';
import { sessionSteps } from '../incidents/read-session.ts';
import { isCall, type Step } from '../incidents/steps.ts';
import { ModelUnavailable } from '../llm/call-gemini.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { sessionContext } from '../sessions/sessions.ts';
import { assistantWords } from '../sessions/transcript.ts';
import { FROM_NO_ERROR } from './admit.ts';
import { admitCandidate, type DistilServices, discarded, finish, judgeAndStore } from './admit-candidate.ts';
import { queueTold } from './admit-told.ts';
import { contentWords, jaccard } from './contradiction.ts';
import { FORCED } from './lasting.ts';
import { approveLearning, retireLearning } from './learnings.ts';
import { type ReadDecision, type ReadLesson, readByModel } from './read-by-model.ts';
import { type Queued, readSession } from './readings.ts';
import { learningRequests, learnings } from './schema.ts';
import type { TellsFact } from './statements/statements.ts';
import { evidenceOf } from './write-lesson.ts';

/**
 * How long the lessons of a turn wait for the model. If the server crashed meanwhile, the rules write them
 * after this.
 */
const HOLD_SECONDS = 120;
/** From this overlap of their words on, two lessons are about the same statement. */
const SAME_STATEMENT = 0.3;

type Session = { id: string; projectId: string };
type Turn = Awaited<ReturnType<typeof loadTurn>>;

/**
 * Reads a session when its turn has ended: resolves its errors and queues their lessons for the rules. With a
 * key, a model reads the turn first, and its lessons replace those of the rules. If the model gives no usable
 * answer, the rules write them.
 */
export async function readTurn(
  services: DistilServices,
  claims: Claims,
  requestId: string,
  session: Session,
): Promise<void> {
  const { db, ask } = services;
  const hold = ask === null ? 0 : HOLD_SECONDS;
  const queued = await asUser(db, claims, (tx) => readSession(tx, requestId, session, hold));
  if (queued === null || ask === null) return;
  const turn = await asUser(db, claims, (tx) => loadTurn(tx, session, queued));
  const release = (requests: Queued[], note: string | null) =>
    asUser(db, claims, (tx) => leaveToRules(tx, requests, note));
  if (!turn.worthReading) return release(queued, null);
  try {
    const { root: _root, transcriptPath, task, branch } = turn.context;
    const [from, to] = [turn.steps[0]?.at, turn.steps.at(-1)?.at];
    const words =
      claims.role === 'owner' && transcriptPath && from && to
        ? await assistantWords(transcriptPath, from, to)
        : '';
    const about = { project: turn.project, branch, task };
    const answer = await readByModel(ask, claims, about, turn.steps, words);
    const decided = answer.decided.filter(({ words }) => heardAs(turn.statements, words) === undefined);
    // a statement that becomes a decision does not become a lesson too
    turn.statements.push(
      ...decided.map(({ words }) => ({ lesson: words, learning_id: null, by: answer.model })),
    );
    const rest = new Map(queued.map((one) => [one.incidentId, one]));
    for (const lesson of answer.lessons) {
      if (lesson.toolUseId === null) await admitSaid(services, claims, session, turn, lesson, answer.model);
      else await admitFix(services, claims, session, turn, lesson, answer.model, rest);
    }
    if (answer.told.length + decided.length > 0) {
      await asUser(db, claims, async (tx) => {
        await queueTold(tx, session, 'Stop', await notHeard(tx, session, turn, answer.told), answer.model);
        await queueDecided(tx, session, decided, answer.model);
      });
    }
    await settleRest(services, claims, turn, [...rest.values()], answer);
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    services.log.warn({ reason: error.message }, 'no model for this turn; written by rules');
    await release(queued, error.message);
  }
}

async function loadTurn(tx: Tx, session: Session, queued: Queued[]) {
  const all = await sessionSteps(tx, session.id, null);
  const incidents = await incidentsByCall(tx, session.id);
  const fresh = new Set(queued.map(({ incidentId }) => incidentId));
  // the turn begins with its prompt; or earlier, with an error of an earlier turn that is answered only now
  const acted = all.findLastIndex((step) => step.kind !== 'prompt');
  const prompt = all.slice(0, Math.max(0, acted)).findLastIndex((step) => step.kind === 'prompt');
  const error = all.findIndex((step) => isCall(step) && fresh.has(incidents.get(step.toolUseId)?.id ?? ''));
  const begin = Math.max(0, error < 0 ? prompt : Math.min(prompt, error));
  const steps = all.slice(begin);
  const statements = await statementsSince(tx, session.id, steps[0]?.at ?? new Date());
  const [project] = await query<{ name: string }>(
    tx,
    sql`select ${projectNameOf(sql`${session.projectId}::uuid`)} as name`,
  );
  return {
    steps,
    incidents,
    statements,
    project: project?.name ?? '',
    context: await sessionContext(tx, session.id),
    worthReading: statements.some(({ by }) => by === null) || wasActedOn(steps),
  };
}

/**
 * Whether something failed and something was done about it. An error that went away by itself is not worth a
 * model call.
 */
function wasActedOn(steps: Step[]): boolean {
  const calls = steps.filter(isCall);
  return calls.some(
    (failed, i) =>
      failed.signature !== null &&
      calls.slice(i + 1).some(({ ok, edits, command, target }) => {
        return ok && target !== failed.target && (edits.length > 0 || command !== null);
      }),
  );
}

/**
 * Returns what the person has said since an instant, with the lesson that was made of it. `by` is the model
 * that read it; null if the rules did.
 */
const statementsSince = (tx: Tx, sessionId: string, since: Date) =>
  query<{ lesson: string; learning_id: string | null; by: string | null }>(
    tx,
    sql`select candidate->>'lesson' as lesson, learning_id, evidence->>'by' as by from learning_requests
        where session_id = ${sessionId} and evidence->>'kind' = 'said'
          and created_at >= ${since.toISOString()}::timestamptz - interval '1 minute'`,
  );

async function leaveToRules(tx: Tx, requests: Queued[], note: string | null): Promise<void> {
  const ids = requests.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .update(learningRequests)
    .set({ runAfter: sql`now()`, reason: note })
    .where(and(inArray(learningRequests.id, ids), eq(learningRequests.status, 'pending')));
}

/**
 * Judges the model's lesson about a failed call. It replaces the lesson of the rules, which is removed from
 * `rest`.
 */
async function admitFix(
  services: DistilServices,
  claims: Claims,
  session: Session,
  turn: Turn,
  lesson: ReadLesson,
  model: string,
  rest: Map<string, Queued>,
): Promise<void> {
  const found = turn.incidents.get(lesson.toolUseId ?? '');
  if (!found) return;
  // if one call answered several failures, they are one problem, and the lesson belongs to the first of them
  const twin = [...turn.incidents.values()].find(
    ({ id, resolution }) =>
      rest.has(id) && resolution !== null && resolution.toolUseId === found.resolution?.toolUseId,
  );
  const id = rest.has(found.id) ? found.id : (twin?.id ?? found.id);
  const queued = rest.get(id);
  if (lesson.invented !== null) {
    if (queued)
      await asUser(services.db, claims, (tx) => leaveToRules(tx, [queued], inventedIn(lesson, model)));
    rest.delete(id);
    return;
  }
  const incident = await asUser(services.db, claims, (tx) => loadIncident(tx, id));
  const requestId = queued?.id ?? (await asUser(services.db, claims, (tx) => newRequest(tx, session, id)));
  // judged already, in an earlier turn
  if (!incident || requestId === null) return;
  rest.delete(id);
  const evidence = incident.resolution ? evidenceOf(incident.resolution) : ({ kind: 'read' } as const);
  if (lesson.lasting === 'local') {
    const { why: _why, ...candidate } = lesson.written;
    const decision = discarded('it does not transfer, says the model');
    return asUser(services.db, claims, (tx) => finish(tx, requestId, candidate, evidence, model, decision));
  }
  await judgeAndStore(services, claims, requestId, {
    written: lesson.written,
    evaluator: model,
    note: null,
    incident,
    evidence,
    doubt: doubtOf(lesson),
  });
}

const inventedIn = ({ invented }: ReadLesson, model: string) =>
  `the lesson of ${model} named ${invented}, which the record does not hold`;

/** Ways around a safeguard wait for a person, whatever the model says. */
const doubtOf = ({ lasting, written }: ReadLesson): string | null =>
  FORCED.test(written.lesson)
    ? 'it was forced'
    : lasting === 'doubtful'
      ? 'the model doubts that it transfers'
      : null;

async function newRequest(tx: Tx, session: Session, incidentId: string | null): Promise<string | null> {
  const [row] = await tx
    .insert(learningRequests)
    .values({
      projectId: session.projectId,
      sessionId: session.id,
      incidentId,
      event: 'Stop',
      attempts: 1,
      runAfter: sql`now() + make_interval(secs => ${HOLD_SECONDS}::int)`,
    })
    .onConflictDoNothing()
    .returning({ id: learningRequests.id });
  return row?.id ?? null;
}

/**
 * Handles a lesson that the model read in the person's words. If the rules already have it, it keeps the
 * person's own words, and the model only decides whether it waits for review. If they do not, it is judged
 * like any other lesson.
 */
async function admitSaid(
  services: DistilServices,
  claims: Claims,
  session: Session,
  turn: Turn,
  lesson: ReadLesson,
  model: string,
): Promise<void> {
  if (lesson.invented !== null) return;
  const { why, ...candidate } = lesson.written;
  const heard = heardAs(turn.statements, candidate.lesson);
  if (heard) {
    const { learning_id: id } = heard;
    if (id !== null) await asUser(services.db, claims, (tx) => decideReview(tx, id, lesson));
    return;
  }
  if (lesson.lasting === 'local') return;
  const doubt = doubtOf(lesson);
  const said = turn.steps.flatMap((step) => (step.kind === 'prompt' ? [step.text] : [])).join('\n');
  const evidence = { kind: 'said', words: said.slice(0, 1000), doubtful: doubt !== null } as const;
  const provenance = {
    projectId: session.projectId,
    sessionId: session.id,
    agentId: null,
    ...FROM_NO_ERROR,
    evaluator: model,
    why,
    doubt,
  };
  await admitCandidate(services, claims, candidate, evidence, provenance, async (tx, admission) => {
    const requestId = await newRequest(tx, session, null);
    if (requestId !== null) await finish(tx, requestId, candidate, evidence, model, admission);
  });
}

type Heard = Turn['statements'][number];

/** Returns the statement of the person that says the same as a text; undefined if there is none. */
const heardAs = (statements: Heard[], text: string): Heard | undefined => {
  const words = contentWords(text);
  return statements.find(({ lesson }) => jaccard(words, contentWords(lesson)) >= SAME_STATEMENT);
};

/** Queues the decisions that the model read in the person's words. */
async function queueDecided(tx: Tx, session: Session, decided: ReadDecision[], model: string): Promise<void> {
  for (const { words, decision } of decided) {
    await tx.insert(learningRequests).values({
      projectId: session.projectId,
      sessionId: session.id,
      event: 'Stop',
      candidate: {
        lesson: words,
        context: 'What the person decided for this project',
        keywords: [],
        appliesTo: ['project'],
        confidence: 0.7,
      },
      evidence: { kind: 'said', words, doubtful: false, decision, by: model },
    });
  }
}

/**
 * Returns the facts that the model read in the person's words, without those that the rules found, in
 * whatever words.
 */
async function notHeard(tx: Tx, session: Session, { steps }: Turn, told: TellsFact[]): Promise<TellsFact[]> {
  const since = (steps[0]?.at ?? new Date()).toISOString();
  const heard = await query<{ told: Told }>(
    tx,
    sql`select evidence->'told' as told from learning_requests
        where session_id = ${session.id} and evidence->>'kind' = 'told'
          and created_at >= ${since}::timestamptz - interval '1 minute'`,
  );
  const known = new Set(heard.map((one) => coreOf(one.told)));
  return told.filter((one) => !known.has(coreOf(one.told)));
}

/** Returns the core of what is told: the value of a fact, or the two ends of a relation. */
const coreOf = (told: Told): string =>
  'relation' in told ? [told.from.key, told.to.key].sort().join(' – ') : String(told.value).toLowerCase();

/** Lets the model decide about a statement that waits in review. One that is active stays so. */
async function decideReview(tx: Tx, id: string, { lasting, written }: ReadLesson): Promise<void> {
  const [row] = await tx.select({ status: learnings.status }).from(learnings).where(eq(learnings.id, id));
  if (row?.status !== 'review' || FORCED.test(written.lesson)) return;
  if (lasting === 'lasting') await approveLearning(tx, id);
  if (lasting === 'local') await retireLearning(tx, id);
}

/**
 * Discards requests that the model saw and found no lesson in. Those that it did not see or had no room for
 * go to the rules.
 */
async function settleRest(
  services: DistilServices,
  claims: Claims,
  turn: Turn,
  rest: Queued[],
  { shown, full, model }: { shown: Set<string>; full: boolean; model: string },
): Promise<void> {
  const seen = new Set([...shown].flatMap((call) => turn.incidents.get(call)?.id ?? []));
  for (const one of rest) {
    await asUser(services.db, claims, async (tx) => {
      if (full || !seen.has(one.incidentId)) return leaveToRules(tx, [one], null);
      const incident = await loadIncident(tx, one.incidentId);
      const evidence = incident?.resolution ? evidenceOf(incident.resolution) : ({ kind: 'none' } as const);
      const decision = discarded('the model found nothing to learn from it');
      await finish(tx, one.id, null, evidence, model, decision);
    });
  }
}
