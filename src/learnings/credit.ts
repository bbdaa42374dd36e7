import { eq, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type Advice, adviceOf, outcomeOf } from '../distil/advice.ts';
import { loadIncident } from '../incidents/incidents.ts';
import { sessionSteps } from '../incidents/read-session.ts';
import { isCall } from '../incidents/steps.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';
import { sessionContext } from '../sessions/sessions.ts';
import { betaConfidence } from './confidence.ts';
import { learnings } from './schema.ts';
import { FALLS_BELOW, moveLesson } from './states.ts';

/**
 * Counts one more outcome of a lesson and updates its confidence. A lesson that is no person's word and has stopped
 * helping falls back to trial.
 */
export async function countOutcome(
  tx: Tx,
  learningId: string,
  outcome: 'helped' | 'failed',
  about: { sessionId: string | null; evaluator: string },
): Promise<void> {
  const [row] = await tx
    .select({
      prior: learnings.priorConfidence,
      successes: learnings.successCount,
      failures: learnings.failureCount,
      byPerson: sql<boolean>`${learnings.evaluatedBy} = 'person'`,
    })
    .from(learnings)
    .where(eq(learnings.id, learningId))
    .for('update');
  if (!row) return;
  const successes = row.successes + (outcome === 'helped' ? 1 : 0);
  const failures = row.failures + (outcome === 'failed' ? 1 : 0);
  const confidence = betaConfidence(row.prior, successes, failures);
  await tx
    .update(learnings)
    .set({
      successCount: successes,
      failureCount: failures,
      confidence,
      updatedAt: sql`now()`,
      ...(outcome === 'helped' && { lastConfirmedAt: sql`now()` }),
    })
    .where(eq(learnings.id, learningId));
  if (outcome === 'failed' && !row.byPerson && confidence < FALLS_BELOW)
    await moveLesson(tx, learningId, 'failing', about);
}

/**
 * Settles the lessons that a session was offered. A lesson helped if its advice was followed and then passed what had
 * failed. It failed if its advice was followed and the error stayed. Otherwise nothing is counted.
 */
export async function settleLessons(tx: Tx, sessionId: string): Promise<void> {
  const offered = await unsettledOffers(tx, sessionId, 'lesson');
  if (offered.length === 0) return;
  const steps = await sessionSteps(tx, sessionId, null);
  const { root } = await sessionContext(tx, sessionId);
  for (const { sourceId, since } of offered) {
    const advice = await adviceOfLesson(tx, sourceId);
    const later = steps.filter(({ at }) => at > new Date(since));
    const outcome = advice ? outcomeOf(advice, later, root) : 'unused';
    await settleOffers(tx, sessionId, sourceId, outcome);
    if (outcome === 'unused') continue;
    const counted = { sessionId, evaluator: 'rules' };
    await countOutcome(tx, sourceId, outcome, counted);
    // the error itself must have come again: advice that was followed before it proves nothing
    const met = later.find((step) => isCall(step) && step.signature === advice?.failed.signature);
    if (outcome === 'helped' && met && (await isFromElsewhere(tx, sourceId, sessionId)))
      await moveLesson(tx, sourceId, 'recurred', counted);
  } // a lesson that nobody makes use of is told less: the servers that hold it in memory read it again
  await query(
    tx,
    sql`select pg_notify('lore_learnings', s.user_id || ' ' || s.project_id) from sessions s where s.id = ${sessionId}`,
  );
}

async function isFromElsewhere(tx: Tx, learningId: string, sessionId: string): Promise<boolean> {
  const [row] = await tx
    .select({ source: learnings.sourceSessionId })
    .from(learnings)
    .where(eq(learnings.id, learningId));
  return row !== undefined && row.source !== sessionId;
}

/**
 * Returns what a lesson advises. Null if it belongs to no error, or to one whose answer cannot be seen in
 * a session.
 */
export async function adviceOfLesson(tx: Tx, id: string): Promise<Advice | null> {
  const [lesson] = await tx
    .select({ incidentId: learnings.sourceIncidentId })
    .from(learnings)
    .where(eq(learnings.id, id));
  return lesson?.incidentId ? adviceOfIncident(tx, lesson.incidentId) : null;
}

/**
 * Returns what the lesson of an incident advises; null if the incident is gone, or its answer cannot be
 * seen.
 */
export async function adviceOfIncident(tx: Tx, id: string): Promise<Advice | null> {
  const incident = await loadIncident(tx, id);
  return incident ? adviceOf(incident) : null;
}
