import { eq, inArray, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { query } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { addCitations } from '../freshness/citations.ts';
import { referencesAmong } from '../freshness/references.ts';
import { wordRank } from '../search/word-rank.ts';
import { effectOn } from './advice.ts';
import { type Comparison, compareLessons } from './agreement.ts';
import { betaConfidence } from './confidence.ts';
import { contradiction, namesOther } from './contradiction.ts';
import { countsAlready } from './counted-sessions.ts';
import { adviceOfIncident, adviceOfLesson } from './credit.ts';
import { type Evidence, judge, REVIEW_AT, STORE_AT, type Verdict } from './judge.ts';
import { type Candidate, type DECISIONS, learnings } from './schema.ts';

type Decision = (typeof DECISIONS)[number];
export type Admission = { decision: Decision; reason: string; score: number; learningId: string | null };

export type Neighbour = { id: string; lesson: string; signature: string | null };
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
  /** why it is doubtful that the lesson transfers, so that a person must look at it first; null if it is not */
  doubt: string | null;
};

/** The provenance of a lesson that comes from no error: what a person or an agent said. */
export const FROM_NO_ERROR = {
  incidentId: null,
  error: null,
  errorType: null,
  signature: null,
  target: null,
  branch: null,
} satisfies Partial<Provenance>;

/** Returns the current lessons of a project that might say the same or the opposite, at most 30. */
export async function findNeighbours(
  tx: Tx,
  projectId: string,
  candidate: Candidate,
  signature: string | null,
): Promise<Neighbour[]> {
  const asked = `${candidate.lesson}\n${candidate.keywords.join(' ')}`;
  const rank = wordRank({ kind: 'learning', id: sql`l.id`, text: sql`l.lesson` }, asked);
  return query<Neighbour>(
    tx,
    sql`select l.id, l.lesson, l.signature from learnings l
        where l.project_id = ${projectId} and l.valid_until is null
        order by (l.signature is not distinct from ${signature} and l.signature is not null) desc,
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
 * Judges a candidate and carries out the decision. A candidate that contradicts current lessons replaces them. One
 * that repeats a lesson raises the confidence of that lesson. Any other is stored, kept for review or discarded by
 * its score.
 */
export async function admit(
  tx: Tx,
  candidate: Candidate,
  evidence: Evidence,
  provenance: Provenance,
  neighbours: Compared[],
): Promise<Admission> {
  const effects = await effectsOn(tx, provenance.incidentId, neighbours);
  const conflicts = neighbours.flatMap((n) => {
    const effect = effects.get(n.id);
    if (effect === 'same') return [];
    if (effect === 'replaces')
      return [{ id: n.id, reason: `replaces ${n.id}: what it tells was taken back, or tried in vain` }];
    const why = contradiction(candidate.lesson, n.lesson);
    return why ? [{ id: n.id, reason: `contradicts ${n.id}: ${why.reason}` }] : [];
  });
  const rivals = neighbours.filter((n) => !namesOther(candidate.lesson, n.lesson));
  // if the candidate replaces a lesson, it does not count as less new for being similar to it
  const verdict = judge(candidate, evidence, conflicts.length > 0 ? 0 : (rivals[0]?.similarity ?? 0));
  const outcome = (decision: Decision, reason: string, learningId: string | null): Admission => ({
    decision,
    reason,
    score: verdict.score,
    learningId,
  });
  if (verdict.refused) return outcome('discarded', verdict.reason, null);
  const twin = neighbours.find((n) => effects.get(n.id) === 'same');
  const sure = verdict.score >= STORE_AT && provenance.doubt === null;
  if (conflicts.length > 0 && sure && !twin) {
    const ids = conflicts.map((conflict) => conflict.id);
    const id = await supersede(tx, ids, candidate, provenance, verdict);
    return outcome('superseded', conflicts.map((conflict) => conflict.reason).join('; '), id);
  }
  const same = twin ?? (conflicts.length > 0 ? undefined : neighbours.find((n) => n.agreed !== null));
  if (same) {
    // a lesson that a model reports after a session was already counted when the session was read
    const counts = evidence.kind !== 'reported' && evidence.kind !== 'reported-resolved';
    await merge(tx, same.id, candidate, { sure, counts, sessionId: provenance.sessionId });
    const why = same === twin ? 'the same answer to the same error' : same.agreed;
    return outcome('merged', `agrees with ${same.id} (${why})`, same.id);
  }
  if (sure) {
    return outcome('stored', verdict.reason, await insert(tx, candidate, provenance, verdict, 'active'));
  }
  if (verdict.score >= REVIEW_AT) {
    const reason = provenance.doubt === null ? verdict.reason : `${provenance.doubt}; ${verdict.reason}`;
    return outcome('review', reason, await insert(tx, candidate, provenance, verdict, 'review'));
  }
  return outcome('discarded', verdict.reason, null);
}

/**
 * Compares what answered an incident with what the neighbours advise. Returns the effects by the neighbours'
 * ids.
 */
async function effectsOn(tx: Tx, incidentId: string | null, neighbours: Neighbour[]) {
  const effects = new Map<string, 'same' | 'replaces'>();
  const fresh = incidentId === null ? null : await adviceOfIncident(tx, incidentId);
  if (fresh === null) return effects;
  for (const { id } of neighbours) {
    const stored = await adviceOfLesson(tx, id);
    const effect = stored && effectOn(fresh, stored);
    if (effect) effects.set(id, effect);
  }
  return effects;
}

async function insert(
  tx: Tx,
  candidate: Candidate,
  provenance: Provenance,
  verdict: Verdict,
  status: 'active' | 'review',
  replaces: { lineageId?: string; supersedes?: string } = {},
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
): Promise<string> {
  const closed = await tx
    .update(learnings)
    // a row that began in this same transaction gets an empty period, so that the periods do not overlap
    .set({ validUntil: sql`greatest(now(), ${learnings.validFrom})`, updatedAt: sql`now()` })
    .where(inArray(learnings.id, ids))
    .returning({ id: learnings.id, lineageId: learnings.lineageId });
  const old = closed.find((row) => row.id === ids[0]);
  return insert(tx, candidate, provenance, verdict, 'active', {
    ...(old && { supersedes: old.id, lineageId: old.lineageId }),
  });
}

/**
 * Counts an agreeing candidate as a success of the stored lesson, adds its keywords, and may end the lesson's review. A
 * session counts once, however often it repeats the lesson.
 */
async function merge(
  tx: Tx,
  id: string,
  candidate: Candidate,
  { sure, counts, sessionId }: { sure: boolean; counts: boolean; sessionId: string | null },
): Promise<void> {
  const [row] = await tx.select().from(learnings).where(eq(learnings.id, id)).for('update');
  if (!row) return;
  const counted = sessionId !== null && (await countsAlready(tx, sessionId, row));
  const successes = row.successCount + (counted || !counts ? 0 : 1);
  await tx
    .update(learnings)
    .set({
      ...(sure && { status: 'active' as const }),
      successCount: successes,
      confidence: Math.max(row.confidence, betaConfidence(row.priorConfidence, successes, row.failureCount)),
      keywords: union(row.keywords, candidate.keywords, 20),
      appliesTo: union(row.appliesTo, candidate.appliesTo, 20),
      lastConfirmedAt: sql`now()`,
      updatedAt: sql`now()`,
    })
    .where(eq(learnings.id, id));
}

/** Returns both lists as one, without repetitions. */
export const union = (a: string[], b: string[], max: number) => [...new Set([...a, ...b])].slice(0, max);
