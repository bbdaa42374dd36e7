import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

/** Deletes the index rows of records that are being erased. Returns their number. */
export async function eraseDocuments(tx: Tx, kind: string, sourceIds: string[]): Promise<number> {
  const gone = await query(tx)`
    delete from search_documents
    where kind = ${kind} and source_id = any (${sql.param(sourceIds)}::uuid[]) returning 1`;
  return gone.length;
}

/** Writes the index rows of records again, because something that they show of other records has changed. */
export async function indexAgain(tx: Tx, kind: string, sourceIds: string[]): Promise<void> {
  if (sourceIds.length === 0) return;
  await query(tx)`select index_records(auth.uid(), ${kind}, ${sql.param(sourceIds)}::uuid[])`;
}
