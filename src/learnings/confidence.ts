// The formula. What counts as a success or failure of a lesson: `countOutcome` in credit.ts, and a lesson that is met again
// in admit.ts.

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
