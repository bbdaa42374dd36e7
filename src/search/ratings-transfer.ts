import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import {
  field,
  type Imported,
  insertRecords,
  type Placed,
  recordTable,
  restoreRecords,
  type TransferredRoom,
} from '../db/records.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { searches } from './schema.ts';

// Export and import of the searches that somebody rated. The others say nothing.

const ids = z.array(field.id).max(1000);

export const record = z.object({
  type: z.literal('rated-search'),
  id: field.id,
  project: field.project.nullable().default(null),
  results: ids,
  useful: ids,
  notUseful: ids,
  searchedAt: field.instant,
  ratedAt: field.instant,
});
type SearchRecord = z.infer<typeof record>;

const ROWS = recordTable(searches, record, {
  outOf: { type: sql`'rated-search'`, project: projectNameOf(sql`t.project_id`) },
});

/** Position in an export: the id of the last search. */
export const cursor = z.tuple([z.guid()]);

/** Returns a page of the caller's rated searches behind the cursor `after`, and the cursor of the last one. */
export const exportPage: TransferredRoom['exportPage'] = async (tx, { after, projectId, limit }) => {
  const rows = await query<{ record: Record<string, unknown>; id: string }>(
    tx,
    sql`select ${ROWS.asJson} as record, t.id from searches t
        where t.user_id = auth.uid() and t.rated_at is not null
          and (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
          and (${after?.[0] ?? null}::uuid is null or t.id > ${after?.[0] ?? null}::uuid)
        order by t.id limit ${limit}`,
  );
  const last = rows.at(-1);
  return { records: rows.map((row) => row.record), last: last ? [last.id] : null };
};

/** Stores the rated searches that the caller does not have. */
export async function restore(tx: Tx, userId: string, placed: Placed<SearchRecord>[]): Promise<Imported> {
  const insert = async (records: SearchRecord[]) =>
    insertRecords(tx, ROWS, records, await ensureProjects(tx, records));
  const { imported, skipped, refused } = await restoreRecords(tx, userId, ROWS, placed, insert);
  return { imported, skipped: skipped + refused.length, failed: [] };
}
