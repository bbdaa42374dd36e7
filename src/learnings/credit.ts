import { eq, inArray, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type Advice, adviceOf, adviceTold, follow, notFollowed } from '../incidents/fixes/fixes.ts';
import { loadIncidents } from '../incidents/incidents.ts';
import { earliest, type Follower } from '../incidents/steps.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';
import { learnings } from './schema.ts';
import { FALLS_BELOW, moveLesson } from './states.ts';

/** Weight of the first judgement, as a number of observed outcomes. */
const PRIOR_STRENGTH = 4;

/**
 * Returns a lesson's confidence: the mean of the Beta posterior (c₀·k + s) / (k + s + f). The first judgement c₀ counts
 * as k = `PRIOR_STRENGTH` pseudo-observations; s and f are the successes and failures counted since. Source: Gelman et
 * al., Bayesian Data Analysis, 3rd ed., §2.4 (binomial model with a conjugate Beta prior).
 */
export const betaConfidence = (prior: number, successes: number, failures: number): number =>
  (prior * PRIOR_STRENGTH + successes) / (PRIOR_STRENGTH + successes + failures);

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
 * Follows a session's story to settle the lessons that it was offered. A lesson helped if its error was met, its advice was
 * followed and then it passed. It failed if its advice was followed and the error stayed. If it held a call and the next one
 * did what it says, it was followed, and nobody knows whether that was needed. Otherwise nothing is counted. Returns null if no lesson waits to be settled.
 */
export async function followLessons(tx: Tx, sessionId: string): Promise<Follower | null> {
  const offered = await unsettledOffers(tx, sessionId, 'lesson');
  if (offered.length === 0) return null;
  const advice = await adviceOfLessons(
    tx,
    offered.map(({ sourceId }) => sourceId),
  );
  const followed = offered.map(({ sourceId: id, since, atCall }) => ({
    id,
    since: new Date(since),
    advice: advice.get(id),
    so: notFollowed(atCall),
  }));
  return {
    since: earliest(followed),
    see(steps) {
      for (const { advice, since, so } of followed)
        if (advice !== undefined)
          follow(
            advice,
            steps.filter(({ at }) => at >= since),
            so,
          );
    },
    async settle(tx) {
      for (const { id, so } of followed) {
        await settleOffers(tx, sessionId, id, so.outcome);
        if (so.outcome === 'unused' || so.outcome === 'unknown') continue;
        const counted = { sessionId, evaluator: 'rules' };
        await countOutcome(tx, id, so.outcome, counted);
        if (so.outcome === 'helped' && (await isFromElsewhere(tx, id, sessionId)))
          await moveLesson(tx, id, 'recurred', counted);
      }
      // a lesson that nobody makes use of is told less: the servers that hold it in memory read it again
      await query(tx)`
        select pg_notify('lore_learnings', s.user_id || ' ' || s.project_id) from sessions s where s.id = ${sessionId}`;
    },
  };
}

async function isFromElsewhere(tx: Tx, learningId: string, sessionId: string): Promise<boolean> {
  const [row] = await tx
    .select({ source: learnings.sourceSessionId })
    .from(learnings)
    .where(eq(learnings.id, learningId));
  return row !== undefined && row.source !== sessionId;
}

/**
 * Returns what lessons advise, by their ids. A lesson is left out if it belongs to no error, or to one whose answer
 * cannot be seen in a session.
 */
async function adviceOfLessons(tx: Tx, ids: string[]): Promise<Map<string, Advice>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({
      id: learnings.id,
      incidentId: learnings.sourceIncidentId,
      lesson: learnings.lesson,
      by: learnings.evaluatedBy,
    })
    .from(learnings)
    .where(inArray(learnings.id, ids));
  const found = await loadIncidents(
    tx,
    rows.flatMap(({ incidentId }) => incidentId ?? []),
  );
  const incidents = new Map(found.map((incident) => [incident.id, incident]));
  return new Map(
    rows.flatMap(({ id, incidentId, lesson, by }) => {
      const incident = incidents.get(incidentId ?? '');
      const told = incident
        ? by.startsWith('agent')
          ? adviceTold(incident, lesson)
          : adviceOf(incident)
        : null;
      return told === null ? [] : [[id, told] as const];
    }),
  );
}
