import { type SQL, sql } from 'drizzle-orm';

/**
 * Returns SQL for how well a record matches words, by `ts_rank_cd`. One matching word is enough, and more are better.
 * The SQL yields null if all the words are stop words. If the record is not in the index, such as a lesson under
 * review, `text` is read instead.
 *
 * @param record kind of the record, and SQL for its id and its text
 */
export const wordRank = (record: { kind: string; id: SQL; text: SQL }, words: string): SQL =>
  sql`ts_rank_cd(
        coalesce(
          (select d.tsv from search_documents d
            where d.user_id = auth.uid() and d.kind = ${record.kind} and d.source_id = ${record.id} and d.part = 0),
          to_tsvector('english', ${record.text})),
        replace(nullif(plainto_tsquery('english', ${words})::text, ''), '&', '|')::tsquery)`;
