// How often would a sequence be seen if the steps of each episode came in a random order? The null model
// permutes the steps within each episode, as in Tonon & Vandin, “Permutation Strategies for Mining
// Significant Sequential Patterns” (ICDM 2019), but bounds the probabilities instead of sampling them.

/** Longest sequence, in steps. */
export const MAX_LENGTH = 6;
/** Only this many steps of an episode are looked at, from its beginning. */
export const MAX_STEPS = 60;
/** How many other steps may come between two steps of a sequence. */
export const MAX_GAP = 2;

/**
 * Numbers of ways to choose `length` positions of `steps` in their order with at most `gap` others between neighbours,
 * divided by the ways to choose as many in any order and at any distance.
 */
const CHAINS: Float64Array[] = [0, MAX_GAP].map((gap) => {
  const table = new Float64Array((MAX_LENGTH + 1) * (MAX_STEPS + 1));
  for (let steps = 1; steps <= MAX_STEPS; steps++) {
    let ends = new Float64Array(steps).fill(1);
    let orders = 1;
    for (let length = 1; length <= MAX_LENGTH; length++) {
      orders *= steps - length + 1;
      const ways = ends.reduce((sum, n) => sum + n, 0);
      table[length * (MAX_STEPS + 1) + steps] = orders > 0 ? ways / orders : 0;
      const next = new Float64Array(steps);
      for (let at = 0; at < steps; at++) {
        for (let to = at + 1; to <= Math.min(steps - 1, at + 1 + gap); to++)
          next[to] = (next[to] as number) + (ends[at] as number);
      }
      ends = next;
    }
  }
  return table;
});

/**
 * Returns an upper bound of the probability that a random order of an episode's steps shows a sequence: the
 * expected number of its places (Markov's inequality).
 *
 * @param copies product, over the steps of the sequence, of how often the episode has each
 */
export const chanceOf = (gapped: boolean, length: number, steps: number, copies: number): number =>
  Math.min(
    1,
    ((CHAINS[gapped ? 1 : 0] as Float64Array)[length * (MAX_STEPS + 1) + steps] as number) * copies,
  );

/**
 * Returns the natural logarithm of the probability of `seen` or more successes in `n` independent trials of mean
 * probability `p`. Where the probabilities differ and `seen` is above their sum, this is an upper bound: Hoeffding, “On
 * the distribution of the number of successes in independent trials” (Ann. Math. Statist. 27, 1956). It is a logarithm
 * because in large projects the probability itself would be 0 for all.
 */
export function logBinomialTail(n: number, p: number, seen: number): number {
  if (seen <= 0 || p >= 1) return 0;
  if (p <= 0) return Number.NEGATIVE_INFINITY;
  const first =
    logFactorial(n) -
    logFactorial(seen) -
    logFactorial(n - seen) +
    seen * Math.log(p) +
    (n - seen) * Math.log1p(-p);
  // each term is the one before it, times the odds
  let term = 1;
  let sum = 1;
  for (let k = seen; k < n && term > sum * 1e-12; k++) {
    term *= ((n - k) / (k + 1)) * (p / (1 - p));
    sum += term;
  }
  return Math.min(0, first + Math.log(sum));
}

const factorials = new Float64Array(4096);
for (let n = 2; n < factorials.length; n++) factorials[n] = (factorials[n - 1] as number) + Math.log(n);

/** Stirling's series beyond the table; its error is below 1e-12 there. */
const logFactorial = (n: number): number =>
  n < factorials.length
    ? (factorials[n] as number)
    : n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + 1 / (12 * n);
