import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';

/** Returns how many results of searches were rated since an instant, and how many of these were useful. */
export async function ratingMetrics(tx: Tx, since: Date): Promise<{ rated: number; useful: number }> {
  const [row] = await query<{ rated: number; useful: number }>(tx)`
    select coalesce(sum(cardinality(useful) + cardinality(not_useful)), 0)::int as rated,
      coalesce(sum(cardinality(useful)), 0)::int as useful
    from searches where user_id = auth.uid() and rated_at >= ${since.toISOString()}::timestamptz`;
  return row ?? { rated: 0, useful: 0 };
}

/** Erases the searches in a project, and those from before an instant. */
export async function erase(tx: Tx, { projectId, before }: Erasure): Promise<Erased> {
  const gone = await query(tx)`
    delete from searches where project_id = ${projectId}::uuid or searched_at < ${before}::timestamptz returning 1`;
  return { searches: gone.length };
}
