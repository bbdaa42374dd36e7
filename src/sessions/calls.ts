import { and, asc, desc, eq, gt, gte, inArray, max, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import type { HookEvent } from './hook-event.ts';
import { events } from './schema.ts';

// The questions that other rooms may ask about a session's events: which tool calls were made, and when.

/** A tool call that succeeded, as the client reported it. */
export type Call = {
  tool: string | null;
  toolUseId: string | null;
  target: string | null;
  event: HookEvent;
  at: Date;
};

/** Returns the successful calls on any of these targets after an instant, the oldest first, at most 100. */
export async function callsOn(tx: Tx, sessionId: string, targets: string[], after: Date): Promise<Call[]> {
  if (targets.length === 0) return [];
  return select(tx, [
    eq(events.sessionId, sessionId),
    eq(events.event, 'PostToolUse'),
    inArray(events.target, targets),
    gt(events.occurredAt, after),
  ]);
}

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

async function select(tx: Tx, conditions: Parameters<typeof and>): Promise<Call[]> {
  const rows = await tx
    .select({
      tool: events.toolName,
      toolUseId: events.toolUseId,
      target: events.target,
      event: events.payload,
      at: events.occurredAt,
    })
    .from(events)
    .where(and(...conditions))
    .orderBy(asc(events.occurredAt), asc(events.id))
    .limit(100);
  return rows.map((row) => ({ ...row, event: row.event as HookEvent }));
}

/** Returns when a session's context was last compacted, in milliseconds since 1970; 0 if it never was. */
export async function lastCompaction(tx: Tx, sessionId: string): Promise<number> {
  const [row] = await tx
    .select({ at: max(events.occurredAt) })
    .from(events)
    .where(and(eq(events.sessionId, sessionId), eq(events.event, 'PostCompact')));
  return row?.at?.getTime() ?? 0;
}
