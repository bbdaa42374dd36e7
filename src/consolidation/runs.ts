import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import { Problem } from '../base/errors/problem.ts';
import { idPrefix, theOne } from '../base/text/short-id.ts';
import type { Erased, Erasure } from '../db/erasure.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import { shownText } from '../search/shown-text.ts';
import { consolidationItems, consolidationRuns } from './schema.ts';

/** Most items that a report lists. */
const MAX_ITEMS = 1000;

// In a query over one table, Drizzle writes columns without the table's name. In a subquery that would mean
// another table.
const shown = {
  id: consolidationRuns.id,
  startedBy: consolidationRuns.startedBy,
  stage: consolidationRuns.stage,
  startedAt: consolidationRuns.startedAt,
  finishedAt: consolidationRuns.finishedAt,
  error: consolidationRuns.error,
  keepFrom: consolidationRuns.keepFrom,
  counts: sql<Record<string, number>>`(${consolidationRuns.counts} - 'redactionRules') || coalesce((
    select jsonb_object_agg(a.action, a.n) from (
      select i.action, count(*) as n from consolidation_items i
      where i.user_id = consolidation_runs.user_id and i.run_id = consolidation_runs.id and i.undone_at is null
      group by i.action
      union all
      select 'undone', count(*) from consolidation_items i
      where i.user_id = consolidation_runs.user_id and i.run_id = consolidation_runs.id and i.undone_at is not null
      having count(*) > 0) a), '{}')`,
};

/**
 * Returns the caller's runs, the newest first.
 *
 * @param before the id of a run: only those that began earlier
 */
export const listRuns = (tx: Tx, { before, limit }: { before?: string | undefined; limit: number }) =>
  tx
    .select(shown)
    .from(consolidationRuns)
    .where(
      before === undefined
        ? undefined
        : sql`(${consolidationRuns.startedAt}, ${consolidationRuns.id}) < (
            select b.started_at, b.id from consolidation_runs b where b.id = ${before}::uuid)`,
    )
    .orderBy(desc(consolidationRuns.startedAt), desc(consolidationRuns.id))
    .limit(limit);

const itemShown = {
  id: consolidationItems.id,
  action: consolidationItems.action,
  kind: consolidationItems.kind,
  recordId: consolidationItems.recordId,
  keptId: consolidationItems.keptId,
  text: shownText(sql`consolidation_items.kind`, sql`consolidation_items.record_id`),
  reason: consolidationItems.reason,
  undoneAt: consolidationItems.undoneAt,
};

/**
 * Returns a run by its id or the beginning of it (`last`: the newest), with what it changed, in its order: the first
 * 1,000 items.
 *
 * @throws Problem (404) when the caller has no such run, (409) when the beginning fits several
 */
export async function getRun(tx: Tx, reference: string) {
  const run = reference === 'last' ? await newest(tx) : await byPrefix(tx, reference);
  const items = await tx
    .select(itemShown)
    .from(consolidationItems)
    .where(eq(consolidationItems.runId, run.id))
    .orderBy(asc(consolidationItems.seq))
    .limit(MAX_ITEMS);
  return { ...run, items };
}

async function newest(tx: Tx) {
  const [run] = await listRuns(tx, { limit: 1 });
  return run ?? theOne([], 'run', 'yet');
}

async function byPrefix(tx: Tx, reference: string) {
  const prefix = idPrefix(reference);
  const found =
    prefix === null
      ? []
      : await tx
          .select(shown)
          .from(consolidationRuns)
          .where(sql`starts_with(${consolidationRuns.id}::text, ${prefix})`)
          .limit(2);
  return theOne(found, 'run', reference);
}

/**
 * Undoes what a run changed, the last change first, or only one item of it. Either everything is undone or
 * nothing. Items that are already undone stay undone. Deleted events and checks do not come back.
 *
 * @param reference.item the id of an item or the beginning of it; undefined: all of them
 * @returns how many items were undone
 * @throws Problem (404) when there is no such run or item, (409) when a later change depends on one of them,
 *   the run is still under way, or the id is ambiguous
 */
export async function undo(
  tx: Tx,
  reference: { run: string; item?: string | undefined },
): Promise<{ undone: number }> {
  const run = reference.run === 'last' ? await newest(tx) : await byPrefix(tx, reference.run);
  if (run.finishedAt === null) {
    throw new Problem({
      status: 409,
      title: 'The run is under way',
      detail: `Run ${run.id} has not ended yet. Undo it when it has: lore consolidate --show ${run.id.slice(0, 8)}`,
    });
  }
  await query(tx, sql`select pg_advisory_xact_lock(hashtextextended('consolidation ' || auth.uid(), 0))`);
  const items = await tx
    .select({
      id: consolidationItems.id,
      recordId: consolidationItems.recordId,
      undoneAt: consolidationItems.undoneAt,
    })
    .from(consolidationItems)
    .where(
      and(
        eq(consolidationItems.runId, run.id),
        reference.item === undefined
          ? isNull(consolidationItems.undoneAt)
          : sql`starts_with(${consolidationItems.id}::text, ${idPrefix(reference.item) ?? 'none'})`,
      ),
    )
    .orderBy(desc(consolidationItems.seq));
  const wanted = reference.item === undefined ? items : [theOne(items, 'item', reference.item)];
  let undone = 0;
  for (const item of wanted) {
    if (item.undoneAt !== null) continue;
    const [row] = await query<{ stands: string | null }>(
      tx,
      sql`select undo_consolidation(${item.id}::uuid) as stands`,
    );
    if (row?.stands) throw builtOn(item, row.stands);
    undone += 1;
  }
  return { undone };
}

const builtOn = (item: { id: string; recordId: string }, row: string) =>
  new Problem({
    status: 409,
    title: 'A later change stands on it',
    detail:
      `Item ${item.id.slice(0, 8)}, which closed ${item.recordId.slice(0, 8)}, cannot be undone: record ` +
      `${row.slice(0, 8)} was changed since, or is gone. Undo the later change first. Nothing was undone.`,
  });

/** Whether a user's night has been missed for a day and two hours, and when one last ended (ISO 8601). */
export type NightState = { late: boolean; lastRun: string | null };

/** Returns whether nights run in time, without counting rows. */
export async function nightState(db: Database): Promise<NightState> {
  const [row] = await askSystem<NightState>(
    db,
    sql`select late, to_json(last_run) #>> '{}' as "lastRun" from lore.consolidation_state()`,
  );
  return row ?? { late: false, lastRun: null };
}

/** Erases the reports of nights from before an instant. What they say of erased records goes with these (a trigger). */
export async function erase(tx: Tx, { before }: Erasure): Promise<Erased> {
  const runs = await query(
    tx,
    sql`delete from consolidation_runs
        where started_at < ${before}::timestamptz and finished_at is not null returning 1`,
  );
  return { nights: runs.length };
}
