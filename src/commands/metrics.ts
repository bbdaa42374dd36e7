import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

export type CommandMetrics = {
  checks: number;
  allowed: number;
  denied: number;
  /** calls that a person's rule or a lesson stopped; they count neither as allowed nor as denied */
  held: number;
  /** those of which a person said that stopping them was right, and wrong */
  heldRight: number;
  heldWrong: number;
  unverified: number;
  /** allowed ÷ (allowed + denied): the share (0–1) of the decided commands that were allowed; null when there are none */
  safetyRate: number | null;
  overrides: number;
  byRule: Record<string, number>;
  bySource: Record<string, number>;
  latencyMs: { p50: number | null; p95: number | null };
};

/** Returns counts and latencies of the caller's checks since an instant. */
export async function commandMetrics(tx: Tx, since: Date): Promise<CommandMetrics> {
  const from = since.toISOString();
  const [row] = await query<CommandMetrics & { p50: number | null; p95: number | null }>(
    tx,
    sql`with c as (select * from command_checks
          -- what somebody only asked about has no session
          where checked_at >= ${from}::timestamptz and session_id is not null)
        select count(*)::int as checks,
          count(*) filter (where decision = 'allow')::int as allowed,
          count(*) filter (where decision = 'deny' and source <> 'guard')::int as denied,
          count(*) filter (where source in ('guard', 'lesson'))::int as held,
          count(*) filter (where source = 'none')::int as unverified,
          count(*) filter (where judged = 'right')::int as "heldRight",
          count(*) filter (where judged = 'wrong')::int as "heldWrong",
          (count(*) filter (where decision = 'allow'))::float8
            / nullif(count(*) filter (where decision = 'allow' or decision = 'deny' and source <> 'guard'), 0)
            as "safetyRate",
          count(*) filter (where source = 'person')::int as overrides,
          coalesce((select jsonb_object_agg(rule, n) from
            (select rule, count(*) as n from c where rule is not null group by rule) r), '{}') as "byRule",
          coalesce((select jsonb_object_agg(source, n) from
            (select source, count(*) as n from c group by source) s), '{}') as "bySource",
          percentile_cont(0.5) within group (order by ms) filter (where tool is null)::float8 as p50,
          percentile_cont(0.95) within group (order by ms) filter (where tool is null)::float8 as p95
        from c`,
  );
  const { p50, p95, ...counts } = row as NonNullable<typeof row>;
  return { ...counts, latencyMs: { p50, p95 } };
}
