import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { query } from '../db/open.ts';
import { learningInjections, learnings } from './schema.ts';

/** How many observed outcomes the first judgement is worth. */
const PRIOR_STRENGTH = 4;

/**
 * Mean of the Beta posterior: the first judgement as `PRIOR_STRENGTH` pseudo-observations, then the outcomes counted
 * since: (c₀·k + s) / (k + s + f). See Gelman et al., Bayesian Data Analysis, 3rd ed., §2.4 (binomial model with a
 * conjugate Beta prior).
 *
 * @param prior first judgement, 0–1
 * @returns confidence, 0–1
 */
export function betaConfidence(prior: number, successes: number, failures: number): number {
  return (prior * PRIOR_STRENGTH + successes) / (PRIOR_STRENGTH + successes + failures);
}

/** One more outcome for a lesson. */
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
 * Settles the lessons that a session was given: one whose error came back afterwards loses; one whose situation (its
 * command or file) passed afterwards without that error gains; one whose situation did not arise stays as it was.
 */
export async function settleInjections(tx: Tx, sessionId: string): Promise<void> {
  const open = await tx
    .select({
      learningId: learningInjections.learningId,
      since: sql<string>`min(${learningInjections.injectedAt})`,
      signature: learnings.signature,
      target: learnings.target,
    })
    .from(learningInjections)
    .innerJoin(learnings, eq(learnings.id, learningInjections.learningId))
    .where(and(eq(learningInjections.sessionId, sessionId), isNull(learningInjections.outcome)))
    .groupBy(learningInjections.learningId, learnings.signature, learnings.target)
    .orderBy(asc(learningInjections.learningId));
  for (const given of open) {
    const outcome = await outcomeOf(tx, sessionId, given);
    await tx
      .update(learningInjections)
      .set({ outcome, settledAt: sql`now()` })
      .where(
        and(
          eq(learningInjections.sessionId, sessionId),
          eq(learningInjections.learningId, given.learningId),
          isNull(learningInjections.outcome),
        ),
      );
    if (outcome !== 'unused') await countOutcome(tx, given.learningId, outcome);
  }
}

async function outcomeOf(
  tx: Tx,
  sessionId: string,
  given: { since: string; signature: string | null; target: string | null },
): Promise<'helped' | 'failed' | 'unused'> {
  if (given.signature === null) return 'unused';
  const [seen] = await query<{ came_back: boolean; passed: boolean }>(
    tx,
    sql`select
      exists (select 1 from incidents i where i.session_id = ${sessionId} and i.signature = ${given.signature}
        and i.opened_at > ${given.since}::timestamptz) as came_back,
      exists (select 1 from events e where e.session_id = ${sessionId} and e.event = 'PostToolUse'
        and e.target = ${given.target} and e.occurred_at > ${given.since}::timestamptz
        and not exists (select 1 from incidents i where i.session_id = e.session_id and i.tool_use_id = e.tool_use_id)
      ) as passed`,
  );
  if (seen?.came_back) return 'failed';
  return seen?.passed ? 'helped' : 'unused';
}
