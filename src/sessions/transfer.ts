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
import { ensureProjects, projectNameOf } from './projects.ts';
import { turns } from './schema.ts';

// Export and import of turns. The sessions themselves are not exported.

export const record = z.object({
  type: z.literal('turn'),
  id: field.id,
  project: field.project,
  session: field.text(200).min(1),
  startKey: field.text(340).min(1),
  branch: field.text(1000).nullable().default(null),
  prompt: field.text(8192).min(1),
  said: field.text(8192).nullable().default(null),
  startedAt: field.instant,
  endedAt: field.instant.nullable().default(null),
});
type TurnRecord = z.infer<typeof record>;

const TURN_ROWS = recordTable(turns, record, {
  outOf: { type: sql`'turn'`, project: projectNameOf(sql`t.project_id`) },
});

/** Position in an export: the id of the last turn. */
export const cursor = z.tuple([z.guid()]);

/** Returns a page of the caller's turns behind the cursor `after`, and the cursor of the last one. */
export const exportPage: TransferredRoom['exportPage'] = async (tx, { after, projectId, limit }) => {
  const rows = await query<{ record: Record<string, unknown>; id: string }>(
    tx,
    sql`select ${TURN_ROWS.asJson} as record, t.id from turns t
        where t.user_id = auth.uid() and (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
          and (${after?.[0] ?? null}::uuid is null or t.id > ${after?.[0] ?? null}::uuid)
        order by t.id limit ${limit}`,
  );
  const last = rows.at(-1);
  return { records: rows.map((row) => row.record), last: last ? [last.id] : null };
};

/** Stores the turns that the caller does not have. */
export async function restore(tx: Tx, userId: string, placed: Placed<TurnRecord>[]): Promise<Imported> {
  const insert = async (records: TurnRecord[]) =>
    insertRecords(tx, TURN_ROWS, records, await ensureProjects(tx, records));
  const { imported, skipped, refused } = await restoreRecords(tx, userId, TURN_ROWS, placed, insert);
  return { imported, skipped: skipped + refused.length, failed: [] };
}
