import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { hasRunSince } from '../sessions/calls.ts';
import { ShownCheck } from './checks.ts';

// The calls that Lore did not let run: denied, or held once for a lesson. They are no errors of the agent, and what
// was to be done by them is neither done nor failed. Whoever tells of a session asks here.

const STOPPED = sql`k.decision in ('deny', 'hold')`;

/** A call of a session that Lore stopped; hold: a lesson stopped it once, so that it was read first. */
export const StoppedCall = ShownCheck.pick({
  ...({ code: true, tool: true, command: true, source: true } as const),
  ...({ rule: true, lessonId: true, reason: true, checkedAt: true } as const),
}).extend({ decision: z.enum(['deny', 'hold']) });
type StoppedCall = z.infer<typeof StoppedCall> & { toolUseId: string | null };

/** Returns the last `limit` calls of a session that were stopped, the oldest first. */
export async function stoppedIn(tx: Tx, sessionId: string, limit: number): Promise<StoppedCall[]> {
  const rows = await query<StoppedCall>(tx)`
    select k.code, k.tool, k.command, k.decision, k.source, k.rule, k.lesson_id as "lessonId", k.reason,
      to_json(k.checked_at) as "checkedAt", k.tool_use_id as "toolUseId"
    from command_checks k
    where k.session_id = ${sessionId} and ${STOPPED}
    order by k.checked_at desc, k.id desc limit ${limit}`;
  return rows.reverse();
}

/** Returns SQL for how many calls of a session were stopped. */
export const callsStopped = (sessionId: SQL): SQL =>
  sql`(select count(*)::int from command_checks k where k.session_id = ${sessionId} and ${STOPPED})`;

/** Returns whether all calls of a session, or of one of its subagents, were stopped, and there was at least one. */
export async function wasOnlyStopped(
  tx: Tx,
  sessionId: string,
  part: 'session' | { agentId: string },
): Promise<boolean> {
  const agentId = part === 'session' ? null : part.agentId;
  const stopped = await query(tx)`
    select 1 from command_checks k
    where k.session_id = ${sessionId} and ${STOPPED}
      and (${agentId}::text is null or exists (select from events e
        where e.session_id = k.session_id and e.tool_use_id = k.tool_use_id and e.agent_id = ${agentId}))
    limit 1`;
  return stopped.length > 0 && !(await hasRunSince(tx, sessionId, sql`'-infinity'`, agentId));
}

/** `held` calls count neither as allowed nor as denied; of some a person said that stopping them was right, or wrong. */
type Counts = Record<'checks' | 'allowed' | 'denied' | 'held' | 'heldRight' | 'heldWrong', number> &
  Record<'unverified' | 'overrides', number> &
  /** `safetyRate`: the share (0–1) of the decided commands that were allowed; null when there are none */
  Record<'safetyRate' | 'p50' | 'p95', number | null> &
  Record<'byRule' | 'bySource', Record<string, number>>;

/** Returns counts and latencies of the caller's checks since an instant. */
export async function commandMetrics(tx: Tx, since: Date) {
  const from = since.toISOString();
  const [row] = await query<Counts>(tx)`
    with c as (select * from command_checks
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
    from c`;
  const { p50, p95, ...counts } = row as NonNullable<typeof row>;
  return { ...counts, latencyMs: { p50, p95 } };
}

/**
 * Erases checks of commands, and the model's verdicts that only these checks asked for. A person's verdict is a
 * decision of theirs and no record of a session: it stays, unless the whole project or account is erased.
 */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { folders, before } = erasure;
  const sessions = sql`${sql.param(erasure.sessions)}::uuid[]`;
  const inFolder = (cwd: string) =>
    sql`is_inside(${sql.raw(cwd)}, ${sql.param(folders.own)}::text[], ${sql.param(folders.except)}::text[])`;
  const checkErased = sql`coalesce(k.session_id = any (${sessions}) or k.checked_at < ${before}::timestamptz
    or (k.session_id is null and ${inFolder('k.cwd')}), false)`;
  const verdicts = await query(tx)`
    delete from command_cache c
    where ${before === 'infinity'} or ${inFolder('c.cwd')}
      or (c.checked_by <> 'person' and (c.checked_at < ${before}::timestamptz or (
        exists (select from command_checks k where k.key = c.key and ${checkErased})
        and not exists (select from command_checks k where k.key = c.key and not ${checkErased}))))
    returning 1`;
  const [checks] = await query<{ n: string }>(tx)`
    select lore.erase_checks(${sessions}, ${before}::timestamptz, ${sql.param(folders.own)}::text[],
      ${sql.param(folders.except)}::text[]) as n`;
  return { checks: Number(checks?.n), verdicts: verdicts.length };
}
