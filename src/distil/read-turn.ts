import { sql } from 'drizzle-orm';
import { rulesAsking } from '../commands/checks.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { query, type Tx } from '../db/open.ts';
import { answerGuard } from '../guards/guards.ts';
import { incidentsByCall, loadIncident } from '../incidents/incidents.ts';
import { isCall, type SessionStep } from '../incidents/steps.ts';
import { contentWords, jaccard } from '../language/content-words.ts';
import { mayLast, type TellsFact } from '../language/read-prompt.ts';
import { rulesIn } from '../language/standing.ts';
import type { ToldStatement } from '../language/told-facts.ts';
import { type Admission, discarded } from '../learnings/admit.ts';
import {
  finishRequest,
  queueRequests,
  releaseRequests,
  saidSince,
  toldSince,
} from '../learnings/requests.ts';
import { ModelUnavailable } from '../llm/ask.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { type SessionIds, sessionContext } from '../sessions/sessions.ts';
import { assistantWords, rejections } from '../sessions/transcript.ts';
import { admitCandidate, type Made } from './admit-candidate.ts';
import { madeOf } from './admit-incident.ts';
import { saidBy } from './admit-said.ts';
import { queueTold } from './admit-told.ts';
import { guardByModel, guardLiterally } from './guard-lesson.ts';
import { candidateOf, queueSaid } from './hear-person.ts';
import { causeByModel } from './lasting-by-model.ts';
import { type ReadDecision, type ReadLesson, readByModel } from './read-by-model.ts';
import { type Queued, type Read, readSession, seePiece } from './readings.ts';
import type { DistilRequest } from './request.ts';
import type { DistilServices } from './services.ts';
import { evidenceOf } from './write-lesson.ts';

/**
 * How long the lessons of a turn wait for the model. If the server crashed meanwhile, the rules write them
 * after this.
 */
const HOLD_SECONDS = 120;
/** From this overlap of their words on, two lessons are about the same statement. */
const SAME_STATEMENT = 0.3;

type Turn = Awaited<ReturnType<typeof loadTurn>>;
type Reading = {
  services: DistilServices;
  claims: Claims;
  session: SessionIds;
  turn: Turn;
  model: string;
  /** what else is to be kept of the answer, in one transaction at its end */
  notes: ((tx: Tx) => Promise<void>)[];
};

/**
 * Reads a session when its turn has ended: resolves its errors and queues their lessons for the rules. If a model is set
 * up, it reads the turn first, and its lessons replace those of the rules. If it gives no usable answer, the rules write
 * them.
 */
export async function readTurn(
  services: DistilServices,
  claims: Claims,
  request: Extract<DistilRequest, { kind: 'turn' }>,
): Promise<void> {
  const { db, ask, log } = services;
  const session = { id: request.sessionId, projectId: request.projectId };
  // without a model only what a person said to a rejected call is read in the turn; it stands in the owner's transcripts
  const options = {
    holdSeconds: ask === null ? 0 : HOLD_SECONDS,
    turn: ask !== null || claims.role === 'owner',
  };
  let reading: Parameters<typeof readSession>[4] = null;
  let read: { queued: Queued[]; turn: Turn } | null = null;
  while (read === null) {
    const next = await asUser(db, claims, async (tx) => {
      const found = await readSession(tx, request.id, session, options, reading);
      if (found === null || 'piece' in found) return found;
      return { queued: found.queued, turn: await loadTurn(tx, session, found) };
    });
    if (next === null) return;
    if ('piece' in next) reading = seePiece(next);
    else read = next;
  }
  const { queued, turn } = read;
  await hearRejections(services, claims, session, turn);
  if (ask === null) return;
  const release = (note: string | null) =>
    asUser(db, claims, (tx) =>
      releaseRequests(
        tx,
        queued.map(({ id }) => id),
        note,
      ),
    );
  if (!turn.worthReading) return release(null);
  try {
    const words = await wordsOfAgent(claims, turn);
    const { task, branch } = turn.context;
    const about = { project: turn.project, branch, task, sessionId: session.id };
    const answer = await readByModel(ask, claims, about, turn.steps, words);
    const { model } = answer;
    await keepAnswer({ services, claims, session, turn, model, notes: [] }, answer, queued);
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    log.warn({ reason: error.message }, 'no model for this turn; only what rules notice is kept');
    await release(error.message);
  }
}

async function loadTurn(tx: Tx, session: SessionIds, { steps: all, queued, turn }: Read) {
  const incidents = await incidentsByCall(tx, session.id);
  const fresh = new Set(queued.map(({ incidentId }) => incidentId));
  // the turn begins with its prompt; or earlier, with an error of an earlier turn that is answered only now
  const acted = all.findLastIndex((step) => step.kind !== 'prompt');
  const prompt = all.slice(0, Math.max(0, acted)).findLastIndex((step) => step.kind === 'prompt');
  const error = all.findIndex((step) => isCall(step) && fresh.has(incidents.get(step.toolUseId)?.id ?? ''));
  const begin = Math.max(0, error < 0 ? prompt : Math.min(prompt, error));
  const steps = all.slice(begin);
  const first = steps[0]?.at ?? new Date();
  // of a long turn only the last steps are here
  const since = turn.began !== null && turn.began < first ? turn.began : first;
  const [project] = await query<{ name: string }>(
    tx,
    sql`select ${projectNameOf(sql`${session.projectId}::uuid`)} as name`,
  );
  return {
    steps,
    since,
    incidents,
    said: await saidSince(tx, session.id, since),
    told: await toldSince<ToldStatement>(tx, session.id, since),
    project: project?.name ?? '',
    context: await sessionContext(tx, session.id),
    worthReading: steps.some((step) => step.kind === 'prompt' && mayLast(step.text)) || wasActedOn(steps),
  };
}

/**
 * Whether something failed and something was done about it. An error that went away by itself is not worth a
 * model call.
 */
function wasActedOn(steps: SessionStep[]): boolean {
  const calls = steps.filter(isCall);
  return calls.some(
    (failed, i) =>
      failed.signature !== null &&
      calls.slice(i + 1).some(({ ok, edits, line, target }) => {
        return ok && target !== failed.target && (edits.length > 0 || line !== null);
      }),
  );
}

/** Returns the instants between which a turn happened, and the transcript of it that may be read; null if none may. */
function transcriptOf(claims: Claims, { steps, since: from, context }: Turn) {
  const to = steps.at(-1)?.at;
  const path = claims.role === 'owner' ? context.transcriptPath : null;
  return path && to ? { path, from, to } : null;
}

async function wordsOfAgent(claims: Claims, turn: Turn): Promise<string> {
  const read = transcriptOf(claims, turn);
  return read === null ? '' : assistantWords(read.path, read.from, read.to);
}

/** Hears what a person meant by rejecting a call. No hook reports that; only the transcript has it. */
async function hearRejections(
  { db }: DistilServices,
  claims: Claims,
  session: SessionIds,
  turn: Turn,
): Promise<void> {
  const read = transcriptOf(claims, turn);
  if (read === null) return;
  const rejected = await rejections(read.path, read.from, read.to);
  if (rejected.length === 0) return;
  const known = new Set(turn.said.map(({ words }) => words));
  const rules = rejected
    .flatMap(({ hint }) => (hint === null ? [] : rulesIn(hint)))
    .filter((words) => !known.has(words));
  const said = { rules, remember: [], decisions: [] };
  await asUser(db, claims, async (tx) => {
    if (rules.length > 0) await queueSaid(tx, session, 'rejection', said, 0);
    // a “no” to the question of a rule that nobody had confirmed confirms it
    const ids = rejected.map(({ toolUseId }) => toolUseId);
    for (const lesson of await rulesAsking(tx, session.id, ids)) await answerGuard(tx, lesson, 'no', '');
  });
}

type Answer = Awaited<ReturnType<typeof readByModel>>;

/** Keeps what a model read in a turn. */
async function keepAnswer(reading: Reading, answer: Answer, queued: Queued[]): Promise<void> {
  const { services, claims, session, turn, model, notes } = reading;
  const rest = new Map(queued.map((one) => [one.incidentId, one]));
  const decided = answer.decided.filter(({ words }) => heardAs(turn, words) === undefined);
  for (const lesson of answer.lessons) {
    if (lesson.toolUseId !== null) await admitFix(reading, lesson, rest);
    // a statement that becomes a decision does not become a lesson too
    else if (!decided.some(({ words }) => alike(words, lesson.written.lesson)))
      await admitSaidByModel(reading, lesson);
  }
  const known = new Set(turn.told.map(coreOf));
  const told = answer.told.filter((one: TellsFact) => !known.has(coreOf(one.told)));
  await asUser(services.db, claims, async (tx) => {
    for (const note of notes) await note(tx);
    await queueTold(tx, session, 'Stop', told, model);
    await queueDecided(tx, session, decided, model);
  });
  // by itself: it fails if the rules have judged one of them meanwhile
  await asUser(services.db, claims, (tx) => settleRest(tx, reading, [...rest.values()], answer));
}

/**
 * Judges the model's lesson about a failed call. It replaces the lesson of the rules, which is removed from
 * `rest`.
 */
async function admitFix(reading: Reading, lesson: ReadLesson, rest: Map<string, Queued>): Promise<void> {
  const { services, claims, session, turn, model } = reading;
  const found = turn.incidents.get(lesson.toolUseId ?? '');
  if (!found) return;
  // if one call answered several failures, they are one problem, and the lesson belongs to the first of them
  const twin = [...turn.incidents.values()].find(
    ({ id, resolution }) =>
      rest.has(id) && resolution !== null && resolution.toolUseId === found.resolution?.toolUseId,
  );
  const id = rest.has(found.id) ? found.id : (twin?.id ?? found.id);
  const queued = rest.get(id);
  rest.delete(id);
  if (lesson.invented !== null) {
    const note = `the lesson of ${model} named ${lesson.invented}, which the record does not hold`;
    if (queued) reading.notes.push((tx) => releaseRequests(tx, [queued.id], note));
    return;
  }
  let requestId = queued?.id;
  const finish = (tx: Tx, { candidate, evidence }: Made, admission: Admission) =>
    finishRequest(tx, requestId as string, { candidate, evidence, evaluator: model, admission });
  await admitCandidate(
    services,
    claims,
    async (tx) => {
      requestId ??= await newRequest(tx, session, id);
      // judged already, in an earlier turn
      if (requestId === undefined) return null;
      const incident = await loadIncident(tx, id);
      if (!incident) return null;
      const evidence = incident.resolution ? evidenceOf(incident.resolution) : ({ kind: 'read' } as const);
      const cause = causeByModel(lesson.written.lesson, lesson.lasting, lesson.general);
      const made = madeOf(incident, lesson.written, evidence, { evaluator: model, cause });
      if (lesson.lasting !== 'local') return made;
      await finish(tx, made, discarded('it does not transfer, says the model'));
      return null;
    },
    (tx, admission, made) => finish(tx, made, admission),
  );
}

const newRequest = async (tx: Tx, session: SessionIds, incidentId: string | null) =>
  (
    await queueRequests(tx, [
      {
        projectId: session.projectId,
        sessionId: session.id,
        incidentId,
        event: 'Stop',
        waits: HOLD_SECONDS,
      },
    ])
  )[0];

/**
 * Keeps what the model read in the person's words: the sentence to the letter, and its guard. If the rules heard the
 * sentence too, the model only gives it a guard.
 */
async function admitSaidByModel(reading: Reading, lesson: ReadLesson): Promise<void> {
  const { services, claims, session, turn, model } = reading;
  const { invented, words, guard, lasting, written } = lesson;
  if (invented !== null || words === null || lasting !== 'lasting') return;
  const heard = heardAs(turn, words);
  if (heard && !heard.pending) {
    if (guard !== null) reading.notes.push((tx) => guardByModel(tx, heard.learningId, guard));
    return;
  }
  const candidate = { ...candidateOf(heard?.words ?? words), keywords: written.keywords };
  const evidence = {
    kind: 'said',
    words: candidate.lesson,
    stands: null,
    ...(heard === undefined && { by: model }),
  } as const;
  const about = { projectId: session.projectId, sessionId: session.id };
  const provenance = { ...saidBy(about, candidate.lesson), why: written.why };
  let requestId = heard?.id;
  await admitCandidate(
    services,
    claims,
    async (tx) => {
      requestId ??= await newRequest(tx, session, null);
      return requestId === undefined ? null : { candidate, evidence, provenance };
    },
    async (tx, admission) => {
      const evaluator = heard ? 'person' : model;
      await finishRequest(tx, requestId as string, { candidate, evidence, evaluator, admission });
      if (guard === null) await guardLiterally(tx, admission.learningId);
      else await guardByModel(tx, admission.learningId, guard);
    },
  );
}

const alike = (a: string, b: string): boolean => jaccard(contentWords(a), contentWords(b)) >= SAME_STATEMENT;

/** Returns what the rules heard of the person that says the same as a text; undefined if there is nothing. */
const heardAs = ({ said }: Turn, text: string) => said.find(({ words }) => alike(words, text));

/** Queues the decisions that the model read in the person's words. */
async function queueDecided(
  tx: Tx,
  session: SessionIds,
  decided: ReadDecision[],
  model: string,
): Promise<void> {
  await queueRequests(
    tx,
    decided.map(({ words, decision }) => ({
      projectId: session.projectId,
      sessionId: session.id,
      event: 'Stop',
      candidate: {
        ...candidateOf(words),
        context: 'What the person decided for this project',
        confidence: 0.7,
      },
      evidence: { kind: 'said', words, stands: null, decision, by: model },
    })),
  );
}

/** Returns the core of what is told: the value of a fact, or the two ends of a relation. */
const coreOf = (told: ToldStatement): string =>
  'relation' in told ? [told.from.key, told.to.key].sort().join(' – ') : String(told.value).toLowerCase();

/**
 * Discards requests that the model saw and found no lesson in. Those that it did not see or had no room for
 * go to the rules.
 */
async function settleRest(
  tx: Tx,
  { turn, model }: Reading,
  rest: Queued[],
  { shown, full }: Pick<Answer, 'shown' | 'full'>,
): Promise<void> {
  const byId = new Map(
    [...turn.incidents].map(([call, { id, resolution }]) => [id, { seen: shown.has(call), resolution }]),
  );
  for (const { id, incidentId } of rest) {
    const incident = byId.get(incidentId);
    if (full || !incident?.seen) {
      await releaseRequests(tx, [id], null);
      continue;
    }
    const evidence = incident.resolution ? evidenceOf(incident.resolution) : ({ kind: 'none' } as const);
    const admission = discarded('the model found nothing to learn from it');
    await finishRequest(tx, id, { candidate: null, evidence, evaluator: model, admission });
  }
}
