import { type SQL, sql } from 'drizzle-orm';

/**
 * Returns SQL for how well a record fits words, null when none of them counts: any of them is enough, and more is better
 * (`ts_rank_cd`). Of a record that is not in the index, such as a lesson under review, `text` is read instead.
 *
 * @param record its kind, and SQL for its id and its text
 */
export const wordRank = (record: { kind: string; id: SQL; text: SQL }, words: string): SQL =>
  sql`ts_rank_cd(
        coalesce(
          (select d.tsv from search_documents d
            where d.user_id = auth.uid() and d.kind = ${record.kind} and d.source_id = ${record.id} and d.part = 0),
          to_tsvector('english', ${record.text})),
        replace(nullif(plainto_tsquery('english', ${words})::text, ''), '&', '|')::tsquery)`;
