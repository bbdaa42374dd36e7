import { and, asc, eq, gt, inArray, lte, max } from 'drizzle-orm';
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

/**
 * Returns the successful calls of the given tools, the oldest first, at most 100.
 *
 * @param period `after` is excluded, `until` is included
 */
export async function callsBetween(
  tx: Tx,
  sessionId: string,
  tools: string[],
  period: { after: Date; until: Date },
): Promise<Call[]> {
  return select(tx, [
    eq(events.sessionId, sessionId),
    eq(events.event, 'PostToolUse'),
    gt(events.occurredAt, period.after),
    lte(events.occurredAt, period.until),
    inArray(events.toolName, tools),
  ]);
}

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

/** Returns how many calls, failed ones included, a session made in a period. Stops counting at `max`. */
export async function countCalls(
  tx: Tx,
  sessionId: string,
  period: { after: Date; until: Date },
  max: number,
): Promise<number> {
  const found = await tx
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        eq(events.sessionId, sessionId),
        inArray(events.event, ['PostToolUse', 'PostToolUseFailure']),
        gt(events.occurredAt, period.after),
        lte(events.occurredAt, period.until),
      ),
    )
    .limit(max);
  return found.length;
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
