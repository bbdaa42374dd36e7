import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';

/** A record by how near its first part is to a vector: `similarity` is the cosine. */
export type Near = { id: string; similarity: number };

/**
 * Returns the caller's records of a kind whose first part is nearest to a vector, by meaning alone, the nearest first.
 * Only for a kind with a shelf of its own (see `search_shelf`), because the whole shelf is compared.
 */
export async function nearestRecords(
  tx: Tx,
  kind: 'error',
  vector: NonNullable<QueryVector>,
  limit: number,
): Promise<Near[]> {
  const near = `[${vector.embedding.join(',')}]`;
  return query<Near>(
    tx,
    // the sum keeps the planner from using the index over all kinds, which would find only some of these
    // records
    sql`select d.source_id as id, 1 - (d.embedding <=> ${near}::vector) as similarity
        from search_documents d
        where d.user_id = auth.uid() and d.shelf = ${kind} and d.part = 0 and d.embedding_model = ${vector.model}
        order by (d.embedding <=> ${near}::vector) + 0 limit ${limit}`,
  );
}
