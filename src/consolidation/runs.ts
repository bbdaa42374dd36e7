import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { Problem } from '../base/errors/problem.ts';
import { idPrefix, theOne } from '../base/text/short-id.ts';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { kindOf, type Row } from '../kinds/kind.ts';
import { shownText } from '../search/search.ts';
import { consolidationItems, consolidationRuns } from './schema.ts';

/** Most items that a report lists. */
const MAX_ITEMS = 1000;

/** Runs as they are shown. `counts`: merged, superseded, closed, undone; compared pairs; deleted events and checks */
export const shownRuns = kindOf<Row & { finishedAt: string | null }>(
  'run',
  consolidationRuns,
  ['position'],
  {
    counts: {
      as: z.record(z.string(), z.number()),
      sql: sql`(t.counts - 'redactionRules') || coalesce((
        select jsonb_object_agg(a.action, a.n) from (
          select i.action, count(*) as n from consolidation_items i
          where i.user_id = t.user_id and i.run_id = t.id and i.undone_at is null group by i.action
          union all
          select 'undone', count(*) from consolidation_items i
          where i.user_id = t.user_id and i.run_id = t.id and i.undone_at is not null having count(*) > 0) a), '{}')`,
    },
  },
  'started_at',
);
/** What a run changed. `text`: the beginning of the record that was closed */
export const shownItems = kindOf<Row & { recordId: string; undoneAt: string | null }>(
  'item',
  consolidationItems,
  ['runId', 'seq', 'changes'],
  { text: { as: z.string().nullable(), sql: shownText(sql`t.kind`, sql`t.record_id`) } },
);

/** Returns the caller's runs, the newest first. */
export const listRuns = (tx: Tx, page: { before?: string | undefined; limit: number }) =>
  shownRuns.list(tx, [], page);

/**
 * Returns a run by its id or the beginning of it (`last`: the newest), with what it changed, in its order: the first
 * 1,000 items.
 *
 * @throws Problem (404) when the caller has no such run, (409) when the beginning fits several
 */
export async function getRun(tx: Tx, reference: string) {
  const run = await runMeant(tx, reference);
  const of = sql`t.run_id = ${run.id}::uuid`;
  return { ...run, items: await shownItems.read(tx, of, sql`order by t.seq limit ${MAX_ITEMS}`) };
}

async function runMeant(tx: Tx, reference: string) {
  if (reference !== 'last') return shownRuns.get(tx, reference);
  const [run] = await listRuns(tx, { limit: 1 });
  return run ?? theOne([], 'run', 'yet');
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
  const run = await runMeant(tx, reference.run);
  if (run.finishedAt === null) {
    throw new Problem({
      status: 409,
      title: 'The run is under way',
      detail: `Run ${run.id} has not ended yet. Undo it when it has: lore consolidate --show ${run.id.slice(0, 8)}`,
    });
  }
  await query(tx)`select pg_advisory_xact_lock(hashtextextended('consolidation ' || auth.uid(), 0))`;
  const { item } = reference;
  const which =
    item === undefined ? sql`t.undone_at is null` : sql`starts_with(t.id::text, ${idPrefix(item) ?? 'none'})`;
  const items = await shownItems.read(
    tx,
    sql`t.run_id = ${run.id}::uuid and ${which}`,
    sql`order by t.seq desc`,
  );
  const wanted = item === undefined ? items : [theOne(items, 'item', item)];
  let undone = 0;
  for (const one of wanted) {
    if (one.undoneAt !== null) continue;
    const [row] = await query<{ stands: string | null }>(tx)`
      select undo_consolidation(${one.id}::uuid) as stands`;
    if (row?.stands) throw builtOn(one, row.stands);
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

/** Erases the reports of nights from before an instant. What they say of erased records goes with these (a trigger). */
export async function erase(tx: Tx, { before }: Erasure): Promise<Erased> {
  const runs = await query(tx)`delete from consolidation_runs
    where started_at < ${before}::timestamptz and finished_at is not null returning 1`;
  return { nights: runs.length };
}
