import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { workingStates } from './schema.ts';
import { itemsOf, type WorkingState, workingStateOf } from './working-state.ts';

// Working states as they are saved, restored and counted.

type OfSession = { id: string; clientId: string; root: string | null };
type Measured = 'transcript' | 'events';

/** Saves what a session is working on. Saving it again for the same event changes nothing. Returns the id of its row. */
export async function saveWorkingState(
  tx: Tx,
  session: OfSession,
  about: {
    reason: 'filled' | 'compaction';
    eventKey: string;
    trigger?: string | null;
    tokens?: { count: number; measured: Measured };
    at: Date;
  },
): Promise<string> {
  const { reason, eventKey, trigger = null, tokens, at } = about;
  const state = await workingStateOf(tx, session);
  await tx
    .insert(workingStates)
    .values({
      sessionId: session.id,
      reason,
      eventKey,
      trigger,
      state,
      itemsSaved: itemsOf(state).length,
      tokensBefore: tokens?.count ?? null,
      measured: tokens?.measured ?? null,
      savedAt: at,
    })
    .onConflictDoNothing();
  const [row] = await tx
    .select({ id: workingStates.id })
    .from(workingStates)
    .where(and(eq(workingStates.sessionId, session.id), eq(workingStates.eventKey, eventKey)));
  return (row as { id: string }).id;
}

const ofSession = (sessionId: string, ...more: (SQL | undefined)[]) =>
  and(eq(workingStates.sessionId, sessionId), ...more);

/** Returns the state that was saved before the compaction that has just been made; null if none was. */
export async function stateToRestore(
  tx: Tx,
  sessionId: string,
): Promise<{ id: string; state: WorkingState } | null> {
  const [row] = await tx
    .select({ id: workingStates.id, state: workingStates.state, restoredAt: workingStates.restoredAt })
    .from(workingStates)
    .where(ofSession(sessionId, eq(workingStates.reason, 'compaction')))
    .orderBy(desc(workingStates.savedAt))
    .limit(1);
  return row && row.restoredAt === null ? { id: row.id, state: row.state } : null;
}

/**
 * Notes that a state was restored, and how many of its items the agent was shown.
 *
 * @param shown the text of the offer
 */
export async function noteRestored(tx: Tx, id: string, shown: string, at: Date): Promise<void> {
  const [row] = await tx
    .select({ state: workingStates.state })
    .from(workingStates)
    .where(eq(workingStates.id, id));
  if (!row) return;
  const itemsRestored = itemsOf(row.state).filter((item) => shown.includes(item)).length;
  await tx
    .update(workingStates)
    .set({ itemsRestored, restoredAt: at })
    .where(and(eq(workingStates.id, id), isNull(workingStates.restoredAt)));
}

/** A figure belongs to the session's last compaction before it, if that was at most this long before. */
const FIGURE_WITHIN = sql`interval '15 minutes'`;

/**
 * Notes the tokens before and after a compaction. Figures of the client's transcript replace estimates.
 *
 * @param at when it was compacted
 */
export async function noteTokens(
  tx: Tx,
  sessionId: string,
  figures: { before?: number | null; after?: number | null; measured: Measured; at: Date },
): Promise<void> {
  const { before = null, after = null, measured, at } = figures;
  const time = sql`${at.toISOString()}::timestamptz`;
  await query(
    tx,
    sql`update working_states w set measured = ${measured},
          tokens_before = coalesce(${before}::int, w.tokens_before),
          tokens_after = coalesce(${after}::int, w.tokens_after)
        where w.id = (
            select l.id from working_states l
            where l.session_id = ${sessionId} and l.reason = 'compaction' and l.saved_at <= ${time}
              and l.saved_at > ${time} - ${FIGURE_WITHIN}
            order by l.saved_at desc limit 1)
          and (w.measured is distinct from 'transcript' or ${measured} = 'transcript')`,
  );
}

/**
 * Returns the state that was saved since an instant (ms since 1970) because the context is nearly full, if
 * there is one.
 */
export async function filledSince(tx: Tx, sessionId: string, since: number) {
  const [row] = await tx
    .select({ id: workingStates.id, tokens: workingStates.tokensBefore })
    .from(workingStates)
    .where(
      ofSession(
        sessionId,
        eq(workingStates.reason, 'filled'),
        sql`${workingStates.savedAt} > to_timestamp(${since / 1000}::float8)`,
      ),
    )
    .orderBy(desc(workingStates.savedAt))
    .limit(1);
  return row ? { id: row.id, tokens: row.tokens ?? 0 } : null;
}

/**
 * Returns what the caller's compactions saved since an instant. `saved` is the share of tokens that they
 * removed from the context, for those compactions whose tokens are known. `restored` is the share of saved
 * items that were shown again.
 */
export async function compactionMetrics(tx: Tx, since: Date) {
  type Row = {
    compactions: number;
    measured: number;
    tokensBefore: number;
    tokensAfter: number;
    itemsSaved: number;
    itemsRestored: number;
    warnings: number;
  };
  const [row] = await query<Row>(
    tx,
    sql`select
          (count(*) filter (where c))::int as compactions,
          (count(*) filter (where c and k))::int as measured,
          coalesce(sum(tokens_before) filter (where c and k), 0)::float8 as "tokensBefore",
          coalesce(sum(tokens_after) filter (where c and k), 0)::float8 as "tokensAfter",
          coalesce(sum(items_saved) filter (where c and restored_at is not null), 0)::float8 as "itemsSaved",
          coalesce(sum(items_restored) filter (where c), 0)::float8 as "itemsRestored",
          (count(*) filter (where not c))::int as warnings
        from (select *, reason = 'compaction' as c, tokens_before is not null and tokens_after is not null as k
              from working_states where saved_at >= ${since.toISOString()}::timestamptz) w`,
  );
  const counts = row as Row;
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  return {
    ...counts,
    saved: share(counts.tokensBefore - counts.tokensAfter, counts.tokensBefore),
    restored: share(counts.itemsRestored, counts.itemsSaved),
  };
}

/** Erases working states from before an instant. Those of erased sessions go with the session. */
export async function erase(tx: Tx, { sessions, before }: Erasure): Promise<Erased> {
  const gone = await query(
    tx,
    sql`delete from working_states
        where session_id = any (${sql.param(sessions)}::uuid[]) or saved_at < ${before}::timestamptz returning 1`,
  );
  return { workingStates: gone.length };
}
