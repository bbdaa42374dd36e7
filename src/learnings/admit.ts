import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { query } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { type Advice, effectOn } from '../fixes/fixes.ts';
import { addCitations } from '../freshness/citations.ts';
import { referencesAmong } from '../freshness/references.ts';
import { wordRank } from '../search/word-rank.ts';
import { type Comparison, compareLessons } from './agreement.ts';
import type { Candidate } from './candidate.ts';
import { betaConfidence } from './confidence.ts';
import { contradiction, namesOther } from './contradiction.ts';
import { countsAlready } from './counted-sessions.ts';
import { adviceOfLessons } from './credit.ts';
import { type Evidence, judge, KEEP_AT, type Verdict } from './judge.ts';
import { type DECISIONS, learnings } from './schema.ts';
import { type Cause, firstState, moveLesson, type Status } from './states.ts';

type Decision = (typeof DECISIONS)[number];
export type Admission = { decision: Decision; reason: string; score: number; learningId: string | null };

export type Neighbour = {
  id: string;
  lesson: string;
  status: Status;
  byPerson: boolean;
  signature: string | null;
  sameKey: string | null;
};
type Compared = Neighbour & Comparison;

/** Where a candidate comes from. It is stored with the lesson. */
export type Provenance = {
  projectId: string;
  sessionId: string | null;
  agentId: string | null;
  incidentId: string | null;
  evaluator: string;
  error: string | null;
  errorType: string | null;
  signature: string | null;
  target: string | null;
  branch: string | null;
  why: string | null;
  /** why it is kept, which decides the state in which it begins */
  cause: Extract<Cause, 'noticed' | 'proposed' | 'forced' | 'said' | 'judged' | 'doubted'>;
  /** what it is about and tells; '' if nothing in it is literal */
  sameKey: string;
  /** what it tells to do; null if it belongs to no error, or to one whose answer cannot be seen */
  advice: Advice | null;
};

/** The provenance of a lesson that comes from no error: what a person or an agent said. */
export const FROM_NO_ERROR = {
  incidentId: null,
  error: null,
  errorType: null,
  signature: null,
  target: null,
  branch: null,
  advice: null,
} satisfies Partial<Provenance>;

/** Returns the current lessons of a project that might say the same or the opposite, at most 30. */
export async function findNeighbours(
  tx: Tx,
  candidate: Candidate,
  { projectId, signature, sameKey }: Pick<Provenance, 'projectId' | 'signature' | 'sameKey'>,
): Promise<Neighbour[]> {
  const asked = `${candidate.lesson}\n${candidate.keywords.join(' ')}`;
  const rank = wordRank({ kind: 'learning', id: sql`l.id`, text: sql`l.lesson` }, asked);
  return query<Neighbour>(
    tx,
    sql`select l.id, l.lesson, l.status, l.evaluated_by = 'person' as "byPerson", l.signature,
          l.same_key as "sameKey" from learnings l
        where l.project_id = ${projectId} and l.valid_until is null
        order by (l.same_key = ${sameKey} and l.same_key <> '') is true desc,
          (l.signature is not distinct from ${signature} and l.signature is not null) desc,
          ${rank} desc nulls last, l.id
        limit 30`,
  );
}

/** Returns the neighbours, each compared with a lesson, the most similar first. */
export async function compare(
  embedder: Embedder,
  userId: string,
  lesson: string,
  neighbours: Neighbour[],
): Promise<Compared[]> {
  if (neighbours.length === 0) return [];
  const compared = await compareLessons(
    embedder,
    userId,
    neighbours.map((n) => [lesson, n.lesson]),
  );
  return neighbours
    .map((n, i) => ({ ...n, ...(compared[i] as Comparison) }))
    .sort((a, b) => b.similarity - a.similarity);
}

/**
 * Judges a candidate and carries out the decision. One that says what a lesson says already is merged into it; if it
 * comes from another session in which the advice helped, that lesson becomes active. One that contradicts current
 * lessons replaces them, unless it is only on trial. Any other is stored, or discarded by its score. What a person says
 * is never discarded.
 */
export async function admit(
  tx: Tx,
  candidate: Candidate,
  evidence: Evidence,
  provenance: Provenance,
  neighbours: Compared[],
): Promise<Admission> {
  const effects = await effectsOn(tx, provenance.advice, neighbours);
  const twin =
    neighbours.find((n) => effects.get(n.id) === 'same') ??
    neighbours.find((n) => isSame(n, candidate, provenance));
  const conflicts = twin ? [] : conflictsOf(candidate, provenance, neighbours, effects);
  const rivals = neighbours.filter((n) => !namesOther(candidate.lesson, n.lesson));
  // if the candidate replaces a lesson, it does not count as less new for being similar to it
  const verdict = judge(candidate, evidence, conflicts.length > 0 ? 0 : (rivals[0]?.similarity ?? 0));
  const outcome = (decision: Decision, reason: string, learningId: string | null): Admission => ({
    decision,
    reason,
    score: verdict.score,
    learningId,
  });
  // what was said or handed in is judged by what comes of it
  const given = provenance.cause === 'said' || provenance.cause === 'proposed';
  if (verdict.refused && !given) return outcome('discarded', verdict.reason, null);
  const same = twin ?? (conflicts.length > 0 ? undefined : neighbours.find((n) => n.agreed !== null));
  if (same) {
    const why = same === twin ? 'it tells the same' : same.agreed;
    const merged = await merge(tx, same, candidate, evidence, provenance);
    return outcome('merged', `agrees with ${merged} (${why})`, merged);
  }
  const begins = firstState(provenance.cause);
  // what is only on trial replaces nothing that was promoted, unless what was done shows that it was wrong
  const replaced = conflicts.filter(
    ({ neighbour, effect }) =>
      begins === 'active' || neighbour.status === 'trial' || (effect && !neighbour.byPerson),
  );
  if (replaced.length > 0 && begins !== 'review') {
    const ids = replaced.map(({ neighbour }) => neighbour.id);
    const id = await supersede(tx, ids, candidate, provenance, verdict, begins);
    return outcome('superseded', replaced.map(({ reason }) => reason).join('; '), id);
  }
  if (verdict.score < KEEP_AT && !given) return outcome('discarded', verdict.reason, null);
  const id = await insert(tx, candidate, provenance, verdict, begins);
  return outcome(begins === 'review' ? 'review' : 'stored', `${begins}: ${verdict.reason}`, id);
}

/** Whether a lesson has the key of a candidate and names the same numbers: “5 retries” is not “7 retries”. */
function isSame(neighbour: Neighbour, candidate: Candidate, { sameKey }: Provenance): boolean {
  const numbers = (text: string) => [...new Set(text.match(/\d+/g))].sort().join();
  return (
    sameKey !== '' && neighbour.sameKey === sameKey && numbers(neighbour.lesson) === numbers(candidate.lesson)
  );
}

/** Returns the lessons that cannot hold beside a candidate. `effect`: what was done in the sessions shows it. */
function conflictsOf(
  candidate: Candidate,
  { incidentId }: Provenance,
  neighbours: Compared[],
  effects: Map<string, Effect>,
) {
  return neighbours.flatMap((neighbour) => {
    const { id, lesson, signature } = neighbour;
    if (effects.get(id) === 'replaces') {
      const reason = `replaces ${id}: what it tells was taken back, or tried in vain`;
      return [{ neighbour, effect: true, reason }];
    }
    // of two answers to errors, what was done decides: their words tell of failing and passing in either case
    if (incidentId !== null && signature !== null) return [];
    const why = contradiction(candidate.lesson, lesson);
    return why ? [{ neighbour, effect: false, reason: `contradicts ${id}: ${why.reason}` }] : [];
  });
}

type Effect = 'same' | 'replaces';

/** Compares advice with that of the neighbours. Returns the effects by the neighbours' ids. */
async function effectsOn(
  tx: Tx,
  fresh: Advice | null,
  neighbours: Neighbour[],
): Promise<Map<string, Effect>> {
  const effects = new Map<string, Effect>();
  if (fresh === null) return effects;
  const ids = neighbours.map(({ id }) => id);
  for (const [id, stored] of await adviceOfLessons(tx, ids)) {
    const effect = effectOn(fresh, stored);
    if (effect) effects.set(id, effect);
  }
  return effects;
}

async function insert(
  tx: Tx,
  candidate: Candidate,
  provenance: Provenance,
  verdict: Pick<Verdict, 'confidence' | 'score'>,
  status: Status,
  replaces: Partial<typeof learnings.$inferInsert> = {},
): Promise<string> {
  const [row] = await tx
    .insert(learnings)
    .values({
      projectId: provenance.projectId,
      status,
      lesson: candidate.lesson,
      context: candidate.context,
      why: provenance.why,
      errorType: provenance.errorType,
      keywords: candidate.keywords,
      appliesTo: candidate.appliesTo,
      signature: provenance.signature,
      target: provenance.target,
      branch: provenance.branch,
      sameKey: provenance.sameKey,
      confidence: verdict.confidence,
      priorConfidence: verdict.confidence,
      qualityScore: verdict.score,
      evaluatedBy: provenance.evaluator,
      sourceSessionId: provenance.sessionId,
      sourceSubagent: provenance.agentId,
      sourceIncidentId: provenance.incidentId,
      sourceError: provenance.error,
      ...replaces,
    })
    .returning({ id: learnings.id });
  const { id } = row as { id: string };
  const { projectId } = provenance;
  await addCitations(tx, 'learning', [{ id, projectId, refs: referencesAmong(candidate.appliesTo) }]);
  return id;
}

/** Closes the lessons that the candidate contradicts, and stores it in the lineage of the most similar one. */
async function supersede(
  tx: Tx,
  ids: string[],
  candidate: Candidate,
  provenance: Provenance,
  verdict: Verdict,
  begins: Status,
): Promise<string> {
  const closed = await tx
    .update(learnings)
    // a row that began in this same transaction gets an empty period, so that the periods do not overlap
    .set({ validUntil: sql`greatest(now(), ${learnings.validFrom})`, updatedAt: sql`now()` })
    .where(inArray(learnings.id, ids))
    .returning({ id: learnings.id, lineageId: learnings.lineageId });
  const old = closed.find((row) => row.id === ids[0]);
  return insert(tx, candidate, provenance, verdict, begins, {
    ...(old && { supersedes: old.id, lineageId: old.lineageId }),
  });
}

/** Whether something other than the failed call was done that a lesson can advise, and then it passed. */
const provesAdvice = (evidence: Evidence): boolean =>
  evidence.kind === 'variant' || (evidence.kind === 'resolved' && evidence.edits + evidence.commands > 0);

/**
 * Merges a candidate into the lesson that tells the same. It counts as a success of that lesson, once a session. If a
 * person says it anew, the lesson takes the person's newest words. Returns the id of the version that is now in force.
 */
async function merge(
  tx: Tx,
  { id, lesson }: Neighbour,
  candidate: Candidate,
  evidence: Evidence,
  provenance: Provenance,
): Promise<string> {
  const { sessionId, cause, evaluator } = provenance;
  const [row] = await tx.select().from(learnings).where(eq(learnings.id, id)).for('update');
  if (!row) return id;
  // a lesson that a model reports after a session was already counted when the session was read
  const counts = evidence.kind !== 'reported' && evidence.kind !== 'reported-resolved';
  const counted = sessionId !== null && (await countsAlready(tx, sessionId, row));
  const successes = row.successCount + (counted || !counts ? 0 : 1);
  const person = row.evaluatedBy === 'person';
  const known = {
    successCount: successes,
    confidence: Math.max(row.confidence, betaConfidence(row.priorConfidence, successes, row.failureCount)),
    keywords: union(row.keywords, candidate.keywords, 20),
    appliesTo: union(row.appliesTo, candidate.appliesTo, 20),
    lastConfirmedAt: sql`now()`,
    updatedAt: sql`now()`,
  };
  if (cause === 'said' && (!person || lesson !== candidate.lesson)) {
    return reword(tx, row, candidate, provenance, known.confidence, successes);
  }
  await tx.update(learnings).set(known).where(eq(learnings.id, id));
  const elsewhere = sessionId !== null && sessionId !== row.sourceSessionId;
  const promotes = cause === 'noticed' && elsewhere && provesAdvice(evidence) ? ('recurred' as const) : cause;
  if (promotes !== 'noticed') await moveLesson(tx, id, promotes, { sessionId, evaluator });
  return id;
}

/** Gives a lesson the newest words of the person who said it again, as a new version that keeps what was counted. */
async function reword(
  tx: Tx,
  old: typeof learnings.$inferSelect,
  candidate: Candidate,
  provenance: Provenance,
  confidence: number,
  successes: number,
): Promise<string> {
  await tx
    .update(learnings)
    .set({ validUntil: sql`greatest(now(), ${learnings.validFrom})`, updatedAt: sql`now()` })
    .where(and(eq(learnings.id, old.id), isNull(learnings.validUntil)));
  const prior = Math.max(old.priorConfidence, candidate.confidence);
  return insert(tx, candidate, provenance, { confidence, score: old.qualityScore }, 'active', {
    lineageId: old.lineageId,
    supersedes: old.id,
    priorConfidence: prior,
    confidence: Math.max(confidence, betaConfidence(prior, successes, old.failureCount)),
    usageCount: old.usageCount,
    successCount: successes,
    failureCount: old.failureCount,
    signature: old.signature,
    target: old.target,
    errorType: old.errorType,
    branch: old.branch,
    why: provenance.why ?? old.why,
    sourceIncidentId: old.sourceIncidentId,
    sourceError: old.sourceError,
    appliesTo: union(old.appliesTo, candidate.appliesTo, 20),
    keywords: union(old.keywords, candidate.keywords, 20),
  });
}

/** Returns both lists as one, without repetitions. */
export const union = (a: string[], b: string[], max: number) => [...new Set([...a, ...b])].slice(0, max);
