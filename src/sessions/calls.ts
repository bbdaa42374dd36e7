import { and, desc, eq, gte, inArray, max, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import type { HookEvent } from './hook-event.ts';
import { events } from './schema.ts';

// The questions that other rooms may ask about a session's events: which tool calls were made, and when.

/** One event of a session, as reading it needs it. */
export type SessionEvent = { event: HookEvent; target: string | null; at: Date };

/** Reading a session looks at no more than its last events. */
const MAX_READ = 1000;
const READ = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SubagentStop'];

/** Returns what happened in a session, the oldest first: its last 1,000 prompts, calls and ends of turns. */
export async function sessionEvents(tx: Tx, sessionId: string, since: Date | null): Promise<SessionEvent[]> {
  const rows = await tx
    .select({ event: events.payload, target: events.target, at: events.occurredAt })
    .from(events)
    .where(
      and(
        eq(events.sessionId, sessionId),
        inArray(events.event, READ),
        since === null ? undefined : gte(events.occurredAt, since),
      ),
    )
    .orderBy(desc(events.occurredAt), desc(events.id))
    .limit(MAX_READ);
  return rows.reverse().map((row) => ({ ...row, event: row.event as HookEvent }));
}

/** Returns the call that started a background task, by the id that the client gave the task; null if there is none. */
export async function backgroundCall(
  tx: Tx,
  sessionId: string,
  taskId: string,
): Promise<SessionEvent | null> {
  const [row] = await tx
    .select({ event: events.payload, target: events.target, at: events.occurredAt })
    .from(events)
    .where(
      and(
        eq(events.sessionId, sessionId),
        eq(events.toolName, 'Bash'),
        sql`${events.payload} -> 'tool_response' ->> 'backgroundTaskId' = ${taskId}`,
      ),
    )
    .limit(1);
  return row ? { ...row, event: row.event as HookEvent } : null;
}

/** Returns a session's last event; null if it has none. */
export async function lastEvent(tx: Tx, sessionId: string): Promise<{ event: string; at: Date } | null> {
  const [row] = await tx
    .select({ event: events.event, at: events.occurredAt })
    .from(events)
    .where(eq(events.sessionId, sessionId))
    .orderBy(desc(events.occurredAt), desc(events.id))
    .limit(1);
  return row ?? null;
}

/** Returns when a session's context was last compacted, in milliseconds since 1970; 0 if it never was. */
export async function lastCompaction(tx: Tx, sessionId: string): Promise<number> {
  const [row] = await tx
    .select({ at: max(events.occurredAt) })
    .from(events)
    .where(and(eq(events.sessionId, sessionId), eq(events.event, 'PostCompact')));
  return row?.at?.getTime() ?? 0;
}

/** Returns the skills that a session's client had in its own folders when it last started; none if it did not tell. */
export async function skillsAtStart(tx: Tx, sessionId: string): Promise<string[]> {
  const [row] = await tx
    .select({ lore: sql<HookEvent['lore']>`${events.payload} -> 'lore'` })
    .from(events)
    .where(and(eq(events.sessionId, sessionId), eq(events.event, 'SessionStart')))
    .orderBy(desc(events.occurredAt))
    .limit(1);
  return row?.lore?.skills ?? [];
}

/** Returns SQL for when a person wrote the next prompt of a session, until an instant; null if none came. */
export const nextPrompt = (sessionId: SQL, after: SQL, until: SQL): SQL =>
  sql`(select min(e.occurred_at) from events e
       where e.session_id = ${sessionId} and e.event = 'UserPromptSubmit'
         and e.occurred_at > ${after} and e.occurred_at <= ${until}
         and not starts_with(ltrim(e.payload ->> 'prompt'), '<task-notification>'))`;

/** Returns SQL for the subagent whose event a delivery was; null for the session's own agent. */
export const agentOfDelivery = (sessionId: SQL, dedupKey: SQL): SQL =>
  sql`(select e.agent_id from events e where e.session_id = ${sessionId} and e.dedup_key = ${dedupKey})`;
