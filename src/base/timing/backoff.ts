/** The limits of the pauses between tries, in milliseconds: the one after the first failure, and the longest. */
export type Backoff = { firstMs: number; maxMs: number };

/**
 * Returns how long to wait before the next try, in milliseconds: a random time up to a limit that doubles with each
 * failure. When a database comes back, everybody who waited for it would otherwise try at the same moment. This is “full
 * jitter” of Marc Brooker, Exponential Backoff And Jitter
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/): it needs the fewest tries. The mean pause
 * is half of the limit.
 *
 * @param failures how many tries have failed in a row, at least 1
 * @example backoffMs(3, { firstMs: 1_000, maxMs: 30_000 }) // between 0 and 4,000
 */
export const backoffMs = (failures: number, { firstMs, maxMs }: Backoff): number =>
  Math.random() * Math.min(maxMs, firstMs * 2 ** (failures - 1));
