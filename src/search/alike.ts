import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

/** The least cosine, and how many are of use to a person. */
const ALIKE = 0.8;
const MOST = 3;

/**
 * Returns the ids of the caller's records of a kind in the same project that are most like a stored one by meaning, the
 * most alike first; none if it has no vector.
 */
export async function recordsLike(tx: Tx, kind: string, id: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select o.source_id as id
        from search_documents d
        join search_documents o on o.user_id = d.user_id and o.project_id = d.project_id and o.kind = d.kind
          and o.part = 0 and o.valid_until is null and o.embedding_model = d.embedding_model and o.source_id <> d.source_id
        where d.user_id = auth.uid() and d.kind = ${kind} and d.source_id = ${id}::uuid and d.part = 0
          and 1 - (o.embedding <=> d.embedding) >= ${ALIKE}
        order by o.embedding <=> d.embedding limit ${MOST}`,
  );
  return rows.map(({ id }) => id);
}
