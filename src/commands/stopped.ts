import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { hasRunSince } from '../sessions/calls.ts';
import type { ShownCheck } from './checks.ts';

// The calls that Lore did not let run: denied, or held once for a lesson. They are no errors of the agent, and what
// was to be done by them is neither done nor failed. Whoever tells of a session asks here.

const STOPPED = sql`k.decision in ('deny', 'hold')`;

/** A call of a session that Lore stopped. */
export type StoppedCall = Pick<
  ShownCheck,
  'code' | 'tool' | 'command' | 'source' | 'rule' | 'lessonId' | 'reason' | 'checkedAt'
> & { decision: 'deny' | 'hold'; toolUseId: string | null };

/** Returns the last `limit` calls of a session that were stopped, the oldest first. */
export async function stoppedIn(tx: Tx, sessionId: string, limit: number): Promise<StoppedCall[]> {
  const rows = await query<StoppedCall>(
    tx,
    sql`select k.code, k.tool, k.command, k.decision, k.source, k.rule, k.lesson_id as "lessonId", k.reason,
          to_json(k.checked_at) as "checkedAt", k.tool_use_id as "toolUseId"
        from command_checks k
        where k.session_id = ${sessionId} and ${STOPPED}
        order by k.checked_at desc, k.id desc limit ${limit}`,
  );
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
  const stopped = await query(
    tx,
    sql`select 1 from command_checks k
        where k.session_id = ${sessionId} and ${STOPPED}
          and (${agentId}::text is null or exists (select from events e
            where e.session_id = k.session_id and e.tool_use_id = k.tool_use_id and e.agent_id = ${agentId}))
        limit 1`,
  );
  return stopped.length > 0 && !(await hasRunSince(tx, sessionId, sql`'-infinity'`, agentId));
}
