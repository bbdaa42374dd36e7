import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { loadIncident } from '../incidents/incidents.ts';
import { sessionSteps } from '../incidents/read-session.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';
import { sessionContext } from '../sessions/sessions.ts';
import { type Advice, adviceOf, outcomeOf } from './advice.ts';
import { betaConfidence } from './confidence.ts';
import { learnings } from './schema.ts';

/** Counts one more outcome of a lesson and updates its confidence. */
export async function countOutcome(tx: Tx, learningId: string, outcome: 'helped' | 'failed'): Promise<void> {
  const [row] = await tx
    .select({
      prior: learnings.priorConfidence,
      successes: learnings.successCount,
      failures: learnings.failureCount,
    })
    .from(learnings)
    .where(eq(learnings.id, learningId))
    .for('update');
  if (!row) return;
  const successes = row.successes + (outcome === 'helped' ? 1 : 0);
  const failures = row.failures + (outcome === 'failed' ? 1 : 0);
  await tx
    .update(learnings)
    .set({
      successCount: successes,
      failureCount: failures,
      confidence: betaConfidence(row.prior, successes, failures),
      updatedAt: sql`now()`,
      ...(outcome === 'helped' && { lastConfirmedAt: sql`now()` }),
    })
    .where(eq(learnings.id, learningId));
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
    if (outcome !== 'unused') await countOutcome(tx, sourceId, outcome);
  }
}

/**
 * Returns what a lesson tells to do. Null if it belongs to no error, or to one whose answer cannot be seen in
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
 * Returns what the lesson of an incident tells to do; null if the incident is gone, or its answer cannot be
 * seen.
 */
export async function adviceOfIncident(tx: Tx, id: string): Promise<Advice | null> {
  const incident = await loadIncident(tx, id);
  return incident ? adviceOf(incident) : null;
}
