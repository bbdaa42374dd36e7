// Intervals that hold the true value in 95 of 100 cases. Each formula names its source; a library for these few lines
// would have to be kept up to date.

export type Interval = { low: number; high: number };

/** The 0.975 quantile of the normal distribution. */
const Z = 1.959964;

/**
 * Returns Wilson's score interval of a share. Unlike the usual one it also holds for small numbers and near 0 and 1.
 * E. B. Wilson, JASA 22 (1927) 209–212.
 */
export function wilson(part: number, whole: number): Interval {
  const p = part / whole;
  const z2 = Z * Z;
  const middle = (p + z2 / (2 * whole)) / (1 + z2 / whole);
  const half = (Z * Math.sqrt((p * (1 - p)) / whole + z2 / (4 * whole * whole))) / (1 + z2 / whole);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/**
 * Returns the interval of the difference of two independent shares, a − b.
 * R. G. Newcombe, Statistics in Medicine 17 (1998) 873–890, method 10.
 */
export function newcombe(a: [part: number, whole: number], b: [part: number, whole: number]): Interval {
  const [p, q] = [a[0] / a[1], b[0] / b[1]];
  const [x, y] = [wilson(...a), wilson(...b)];
  return {
    low: p - q - Math.hypot(p - x.low, y.high - q),
    high: p - q + Math.hypot(x.high - p, q - y.low),
  };
}

/** A sample of logarithms: its size, mean and variance; null where the sample is too small for it. */
export type Logs = { n: number; mean: number | null; variance: number | null };

/**
 * Returns the ratio of two geometric means, a / b, with its interval: Welch's t test on logarithms, because durations
 * and counts of tokens are skewed. Null if a sample has fewer than two values.
 * B. L. Welch, Biometrika 34 (1947) 28–35.
 */
export function ratio(a: Logs, b: Logs): ({ value: number } & Interval) | null {
  if (a.n < 2 || b.n < 2) return null;
  const [va, vb] = [(a.variance ?? 0) / a.n, (b.variance ?? 0) / b.n];
  const difference = (a.mean ?? 0) - (b.mean ?? 0);
  const freedom = (va + vb) ** 2 / (va ** 2 / (a.n - 1) + vb ** 2 / (b.n - 1));
  // samples without any variance have no interval
  const half = va + vb === 0 ? 0 : studentQuantile(freedom) * Math.sqrt(va + vb);
  return {
    value: Math.exp(difference),
    low: Math.exp(difference - half),
    high: Math.exp(difference + half),
  };
}

/**
 * Returns the 0.975 quantile of Student's t distribution. Abramowitz and Stegun, Handbook of Mathematical Functions,
 * 26.7.5: off by less than 1 % from 3 degrees of freedom on.
 */
export function studentQuantile(freedom: number): number {
  const v = Math.max(freedom, 1);
  return (
    Z +
    (Z ** 3 + Z) / (4 * v) +
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * v ** 2) +
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / (384 * v ** 3) +
    (79 * Z ** 9 + 776 * Z ** 7 + 1482 * Z ** 5 - 1920 * Z ** 3 - 945 * Z) / (92_160 * v ** 4)
  );
}

/**
 * Returns one ratio for several strata, each weighted by how sure it is (inverse variance of the logarithm; see
 * Cochrane Handbook, 10.3). Strata with fewer than two values on a side are left out; null if none is left.
 */
export function ratioOverStrata(strata: { a: Logs; b: Logs }[]): ({ value: number } & Interval) | null {
  const used = strata.filter(({ a, b }) => a.n >= 2 && b.n >= 2);
  if (used.length === 0) return null;
  // equal values say too little about how much values differ: a floor keeps one such stratum from deciding alone
  const weighed = used.map(({ a, b }) => ({
    difference: (a.mean ?? 0) - (b.mean ?? 0),
    weight: 1 / Math.max((a.variance ?? 0) / a.n + (b.variance ?? 0) / b.n, 1e-6),
  }));
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const mean = weighed.reduce((sum, { difference, weight }) => sum + difference * weight, 0) / total;
  const half = Z / Math.sqrt(total);
  return { value: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}
