import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { failedCalls, sawError } from '../incidents/incidents.ts';
import { settleOffers, unsettledOffers } from '../offers/offers.ts';
import { callsOn } from '../sessions/calls.ts';
import { learnings } from './schema.ts';

/** Weight of the first judgement, as a number of observed outcomes. */
const PRIOR_STRENGTH = 4;

/**
 * Returns a lesson's confidence: the mean of the Beta posterior (c₀·k + s) / (k + s + f). The first judgement c₀ counts
 * as k = `PRIOR_STRENGTH` pseudo-observations; s and f are the successes and failures counted since. Source: Gelman et
 * al., Bayesian Data Analysis, 3rd ed., §2.4 (binomial model with a conjugate Beta prior).
 *
 * @param prior first judgement, 0–1
 * @returns confidence, 0–1
 */
export function betaConfidence(prior: number, successes: number, failures: number): number {
  return (prior * PRIOR_STRENGTH + successes) / (PRIOR_STRENGTH + successes + failures);
}

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
 * Settles the lessons that a session was offered. A lesson fails if its error came back after the offer. It helped if
 * its command or file was used afterwards without that error. If neither happened, its confidence does not change.
 */
export async function settleLessons(tx: Tx, sessionId: string): Promise<void> {
  for (const { sourceId, since } of await unsettledOffers(tx, sessionId, 'lesson')) {
    const [lesson] = await tx
      .select({ signature: learnings.signature, target: learnings.target })
      .from(learnings)
      .where(eq(learnings.id, sourceId));
    const outcome = lesson ? await outcomeOf(tx, sessionId, lesson, new Date(since)) : 'unused';
    await settleOffers(tx, sessionId, sourceId, outcome);
    if (outcome !== 'unused') await countOutcome(tx, sourceId, outcome);
  }
}

async function outcomeOf(
  tx: Tx,
  sessionId: string,
  { signature, target }: { signature: string | null; target: string | null },
  since: Date,
): Promise<'helped' | 'failed' | 'unused'> {
  if (signature === null) return 'unused';
  if (await sawError(tx, sessionId, signature, since)) return 'failed';
  const calls = await callsOn(tx, sessionId, target === null ? [] : [target], since);
  const ids = calls.flatMap(({ toolUseId }) => toolUseId ?? []);
  // a call with exit code 0 may still show an error in its output
  const failed = await failedCalls(tx, sessionId, ids);
  return calls.some(({ toolUseId }) => toolUseId === null || !failed.has(toolUseId)) ? 'helped' : 'unused';
}
