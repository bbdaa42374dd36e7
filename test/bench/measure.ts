import { loadavg } from 'node:os';

/** One line of the table. `limit` is the largest allowed number; without a limit the number is only printed. */
export type Row = { what: string; value: string; limit?: string; ok?: boolean };

/** What an attack found out: whether Lore held, and the numbers. */
export type Found = { held: boolean; lines: string[] };

/** Returns the percentile at `share` (0–1) by the nearest-rank method. */
function percentile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (numbers: number[]) => percentile(numbers, 0.5);

export const row = (what: string, value: number, unit: string, limit?: number): Row => ({
  what,
  value: `${format(value)} ${unit}`,
  ...(limit !== undefined && { limit: `≤ ${format(limit)} ${unit}`, ok: value <= limit }),
});

/** Returns a row with three percentiles and the maximum, in milliseconds. The limit is on the p95 or on the maximum. */
export function percentiles(
  what: string,
  numbers: number[],
  limit: { p95?: number | undefined; max?: number } = {},
): Row {
  const at = (share: number) => percentile(numbers, share);
  const name = limit.max === undefined ? 'p95' : 'max';
  const most = limit.max ?? limit.p95;
  return {
    what: `${what} (${numbers.length})`,
    value: [0.5, 0.95, 0.99, 1].map((share) => format(at(share)).padStart(6)).join(' '),
    ...(most !== undefined && {
      limit: `${name} ≤ ${most} ms`,
      ok: at(name === 'max' ? 1 : 0.95) <= most,
    }),
  };
}

const format = (n: number) => (Number.isInteger(n) ? String(n) : n.toFixed(n < 10 ? 2 : n < 100 ? 1 : 0));

export const load = () => loadavg()[0]?.toFixed(1);
