import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

/** A day of UTC (`2026-11-23`) on which something was counted, see sql/metrics/metrics_by_day.sql. */
export type MetricsDay = {
  day: string;
  sessions: number;
  /** sessions that met an error which their project had met before */
  repeating: number;
  errors: number;
  repeatedErrors: number;
  /** commands that were checked, and the milliseconds that they waited */
  checks: number;
  checkMs: { p50: number | null; p95: number | null };
};

/** Returns the caller's days since an instant, the oldest first. */
export async function metricsByDay(tx: Tx, since: Date): Promise<MetricsDay[]> {
  const rows = await query<Omit<MetricsDay, 'checkMs'> & { p50: number | null; p95: number | null }>(
    tx,
    sql`select day::text as day, sessions, repeating, errors, repeated_errors as "repeatedErrors", checks,
          check_p50 as p50, check_p95 as p95
        from metrics_by_day(${since.toISOString()}::timestamptz)`,
  );
  return rows.map(({ p50, p95, ...day }) => ({ ...day, checkMs: { p50, p95 } }));
}
