import { and, eq, isNull, sql } from 'drizzle-orm';
import { Problem } from '../base/errors/problem.ts';
import { query, type Tx } from '../db/open.ts';
import { addCitations, referencesAmong } from '../kinds/citations.ts';
import { wasOffered } from '../offers/offers.ts';
import type { Admission, Candidate, Evidence } from './candidate.ts';
import { betaConfidence } from './credit.ts';
import { keepDecision, noteDecision } from './requests.ts';
import { holdsIn } from './rules.ts';
import { learnings } from './schema.ts';
import { type Cause, missingOf, moveLesson } from './states.ts';

// A candidate is kept as it is, or merged into the lesson that says the same: in the same words, or by the same key. What
// only looks alike stays beside it.

/** Where a candidate comes from. It is stored with the lesson. */
export type Provenance = {
  projectId: string;
  sessionId: string | null;
  agentId: string | null;
  evaluator: string;
  /** the error that it answers; absent: none */
  incidentId?: string;
  error?: string;
  errorType?: string | null;
  signature?: string;
  target?: string | null;
  branch?: string | null;
  why: string | null;
  cause: Cause;
  /** what it is about and tells; '' if nothing in it is literal */
  sameKey: string;
  /** whether it is meant for all projects of the user; it holds there once it is active */
  everywhere?: boolean;
};

/** A candidate with what it rests on and where it comes from. `refused`: why it is not kept. */
type Made = { candidate: Candidate; evidence: Evidence; provenance: Provenance; refused?: string | null };

/**
 * Admits what an agent, a model, a person or code made, all by the same way, and records the decision in the same
 * transaction: a crash cannot count it twice.
 *
 * @param from the request that waited for it, or what led to it
 */
export async function admit(
  tx: Tx,
  { candidate, evidence, provenance, refused }: Made,
  from: { requestId: string } | { event: string; incidentId?: string },
): Promise<Admission> {
  const { projectId, sessionId, agentId } = provenance;
  const admission = refused ? discarded(refused) : await decide(tx, candidate, evidence, provenance);
  // a model that read a person's words is no person: who said what stands in the evidence
  const evaluator = (evidence.kind === 'said' && evidence.by) || provenance.evaluator;
  const of = 'requestId' in from ? from : { projectId, sessionId, agentId, ...from };
  await keepDecision(tx, of, { candidate, evidence, evaluator, ...admission });
  return admission;
}

/** Keeps a candidate. One project admits one at a time: two sessions may find the same. */
async function decide(
  tx: Tx,
  candidate: Candidate,
  evidence: Evidence,
  provenance: Provenance,
): Promise<Admission> {
  const { projectId, cause } = provenance;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${projectId}, 0))`);
  if (cause === 'forced') return discarded('it is a way around a safeguard, which only a person may state');
  const begins = cause === 'said' || cause === 'judged' ? 'active' : 'proposed';
  const [same] = await query<{ id: string }>(tx)`select id from learnings l
    where ${holdsIn(projectId)} and l.valid_until is null
      and says_same(l.lesson, l.same_key, ${candidate.lesson}, ${provenance.sameKey})
    order by l.status, l.created_at, l.id limit 1`;
  if (same === undefined) {
    const { evaluator, sessionId, agentId, incidentId, error, cause: _, ...about } = provenance;
    const id = await store(tx, {
      ...candidate,
      ...about,
      status: begins,
      priorConfidence: candidate.confidence,
      evaluatedBy: evaluator,
      sourceSessionId: sessionId,
      sourceSubagent: agentId,
      sourceIncidentId: incidentId,
      sourceError: error,
    });
    // who understands the error has answered it, so what code noticed is proposed no longer
    if (begins === 'active' && incidentId !== undefined) {
      const noticed = await query<Old>(tx)`select id, project_id as "projectId" from learnings
        where source_incident_id = ${incidentId} and evaluated_by = 'rules' and status = 'proposed'
          and valid_until is null order by id`;
      await supersede(tx, noticed, { reason: `${id} answers the same error`, evaluator });
    }
    const reason = missingOf(begins, incidentId !== undefined) ?? begins;
    return { decision: 'stored', reason, learningId: id };
  }
  const merged = await merge(tx, same.id, candidate, evidence, provenance);
  return { decision: 'merged', reason: `says the same as ${merged}`, learningId: merged };
}

/** The decision on a candidate that is not kept. */
const discarded = (reason: string): Admission => ({ decision: 'discarded', reason, learningId: null });

/**
 * Merges a candidate into the lesson that says the same. It counts as a success of that lesson, once a session. If a
 * person says it anew, the lesson takes the person's newest words. Returns the id of the version that is now in force.
 */
async function merge(
  tx: Tx,
  id: string,
  candidate: Candidate,
  evidence: Evidence,
  provenance: Provenance,
): Promise<string> {
  const { sessionId, cause, evaluator } = provenance;
  const [row] = await tx.select().from(learnings).where(eq(learnings.id, id)).for('update');
  if (!row) return id;
  const counts = !evidence.kind.startsWith('reported') && !(await countsAlready(tx, sessionId, row));
  const successCount = row.successCount + (counts ? 1 : 0);
  const confidenceOf = (prior: number) =>
    Math.max(row.confidence, betaConfidence(prior, successCount, row.failureCount));
  const everywhere = row.everywhere || provenance.everywhere === true;
  const differs = row.lesson !== candidate.lesson || everywhere !== row.everywhere;
  if (cause === 'said' && (row.evaluatedBy !== 'person' || differs)) {
    const priorConfidence = Math.max(row.priorConfidence, candidate.confidence);
    return newVersion(tx, id, {
      ...candidate,
      sameKey: provenance.sameKey,
      why: provenance.why ?? row.why,
      sourceSessionId: sessionId,
      sourceSubagent: null,
      ...{ everywhere, successCount, priorConfidence, confidence: confidenceOf(priorConfidence) },
    });
  }
  const confidence = confidenceOf(row.priorConfidence);
  await tx
    .update(learnings)
    .set({ successCount, confidence, lastConfirmedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(learnings.id, id));
  const elsewhere = sessionId !== null && sessionId !== row.sourceSessionId;
  const move =
    cause === 'said' || cause === 'judged'
      ? cause
      : elsewhere && evidence.kind === 'fixed'
        ? ('recurred' as const)
        : null;
  if (move !== null) await moveLesson(tx, id, move, { sessionId, evaluator });
  return id;
}

/**
 * Whether a session already counts for a lesson: it taught it, found the same, or was told it. In the last case it is
 * counted when the session is read.
 */
async function countsAlready(
  tx: Tx,
  sessionId: string | null,
  lesson: { id: string; sourceSessionId: string | null },
): Promise<boolean> {
  if (sessionId === null) return false;
  if (lesson.sourceSessionId === sessionId || (await wasOffered(tx, sessionId, lesson.id))) return true;
  const found = sql`select 1 from learning_requests
    where learning_id = ${lesson.id} and session_id = ${sessionId} and status = 'done' limit 1`;
  return (await query(tx, found)).length > 0;
}

/**
 * Puts a new version of a lesson in force, with a person's words, and ends the one before. What was counted stays. Returns
 * its id.
 *
 * @throws Problem (409) when the lesson is not in force any more
 */
export async function newVersion(
  tx: Tx,
  id: string,
  changes: Partial<typeof learnings.$inferInsert>,
): Promise<string> {
  const ended = await endLesson(tx, id);
  if (!ended) {
    throw new Problem({
      status: 409,
      title: 'Lesson has ended',
      detail: 'Another version took its place, or it was retired. Edit the current one.',
    });
  }
  const { id: supersedes, validFrom: _from, validUntil: _until, updatedAt: _updated, ...kept } = ended;
  return store(tx, {
    ...kept,
    ...changes,
    supersedes,
    status: 'active',
    evaluatedBy: 'person',
    // not now(), when this transaction began: one that began later may have been first
    validFrom: sql`(select valid_until from learnings where id = ${supersedes})` as never,
    lastConfirmedAt: sql`now()` as never,
  });
}

async function store(tx: Tx, lesson: typeof learnings.$inferInsert): Promise<string> {
  const [row] = await tx.insert(learnings).values(lesson).returning();
  const { id, projectId, appliesTo, evaluatedBy } = row as typeof learnings.$inferSelect;
  // what a person said of a file holds however the file changes
  const refs = evaluatedBy === 'person' ? [] : referencesAmong(appliesTo);
  await addCitations(tx, 'learning', [{ id, projectId, refs }]);
  return id;
}

/** Ends a lesson. The row stays, for questions about an earlier time. Returns what it was, if it was in force. */
export async function endLesson(tx: Tx, id: string) {
  const [ended] = await tx
    .update(learnings)
    // a row that began in this same transaction gets an empty period, so that the periods do not overlap
    .set({ validUntil: sql`greatest(now(), ${learnings.validFrom})`, updatedAt: sql`now()` })
    .where(and(eq(learnings.id, id), isNull(learnings.validUntil)))
    .returning();
  return ended;
}

/** Ends what a person said before about the very calls that the guard of a lesson is about: their newer words hold. */
export async function replaceOlder(tx: Tx, by: string): Promise<void> {
  const older = await query<Old>(tx)`
    select l.id, l.project_id as "projectId" from learnings n
      join guards g on g.user_id = n.user_id and g.lineage_id = n.lineage_id
      join guards o on o.user_id = g.user_id and o.project_id = g.project_id and o.lineage_id <> g.lineage_id
        and o.rule -> 'when' = g.rule -> 'when'
      join learnings l on l.user_id = o.user_id and l.lineage_id = o.lineage_id
    where n.user_id = auth.uid() and n.id = ${by}::uuid and l.valid_until is null and l.evaluated_by = 'person'
      and l.last_confirmed_at < n.last_confirmed_at
    order by l.id`;
  const reason = `${by}, which a person said later, is about the same calls`;
  await supersede(tx, older, { reason, evaluator: 'person' });
}

type Old = { id: string; projectId: string };

/** Ends lessons because of another one, and notes why. */
async function supersede(tx: Tx, old: Old[], why: { reason: string; evaluator: string }): Promise<void> {
  for (const { id, projectId } of old) {
    await endLesson(tx, id);
    await noteDecision(tx, { projectId, learningId: id, event: 'replaced', decision: 'superseded', ...why });
  }
}
