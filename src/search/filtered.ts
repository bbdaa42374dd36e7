import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { SearchRequest } from './search.ts';

export type Filtered = { inScope: number; leftOut: number; share: number };

/** Returns how many texts are in the scope of a search, and how many and what share of them its filters leave out. */
export async function filteredBy(
  tx: Tx,
  { projectId = null, ...asked }: Omit<SearchRequest, 'vector' | 'projectId'> & { projectId?: string | null },
): Promise<Filtered> {
  const [row] = await query<{ inScope: number; leftOut: number }>(
    tx,
    sql`select in_scope as "inScope", left_out as "leftOut"
        from search_filtered(${projectId}::uuid, ${JSON.stringify(asked)}::jsonb)`,
  );
  const { inScope, leftOut } = row as NonNullable<typeof row>;
  return { inScope, leftOut, share: inScope === 0 ? 0 : leftOut / inScope };
}
