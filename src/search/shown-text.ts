import { type SQL, sql } from 'drizzle-orm';

/** Returns SQL for the first 300 characters of the caller's record of a kind, as the index has it; null if it has none. */
export const shownText = (kind: SQL, id: SQL): SQL<string | null> =>
  sql`(select left(d.content, 300) from search_documents d
       where d.user_id = auth.uid() and d.kind = ${kind} and d.source_id = ${id} and d.part = 0)`;
