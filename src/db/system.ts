import { type SQL, sql } from 'drizzle-orm';
import { type Database, query } from './open.ts';

/**
 * Asks one of the few questions that cannot be asked as a user. Each is one SECURITY DEFINER function of schema `lore`;
 * a statement that reads a tenant's table directly does not belong here.
 */
export const askSystem = <T extends Record<string, unknown>>(db: Database, statement: SQL): Promise<T[]> =>
  query<T>(db.drizzle, statement);

/** Returns the ids of the users that such a function names, in a column `id`. */
export async function userIds(db: Database, statement: SQL): Promise<string[]> {
  return (await askSystem(db, statement)).map((row) => String(row.id));
}

/** Ids of the users for whom background work waits. */
export async function usersToEmbed(db: Database, model: string): Promise<string[]> {
  return userIds(db, sql`select lore.users_to_embed(${model}) as id`);
}

export async function usersToReindex(db: Database): Promise<string[]> {
  return userIds(db, sql`select lore.users_to_reindex() as id`);
}

const SEARCH_INDEXES = [
  'search_documents_scope on search_documents (user_id, project_id, id)',
  'search_documents_user on search_documents (user_id, id)',
  'search_documents_tsv on search_documents using gin (tsv)',
  'search_documents_near on search_documents using hnsw (embedding vector_cosine_ops) with (m = 10, ef_construction = 64)',
];

/** Makes the indexes of search that somebody dropped. On PostgreSQL without holding up who writes meanwhile. */
export async function restoreSearchIndexes(db: Database): Promise<void> {
  const concurrently = db.engine === 'postgres' ? 'concurrently' : '';
  for (const index of SEARCH_INDEXES) {
    await query(db.drizzle, sql.raw(`create index ${concurrently} if not exists ${index}`));
  }
}

/** Number of documents, of all users, that lack a vector of `model`. */
export async function countToEmbed(db: Database, model: string | null): Promise<number> {
  const [row] = await query<{ n: number }>(db.drizzle, sql`select lore.count_to_embed(${model})::int as n`);
  return row?.n ?? 0;
}
