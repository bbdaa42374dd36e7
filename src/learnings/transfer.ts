import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import {
  field,
  type Imported,
  insertRecords,
  type Placed,
  recordTable,
  restoreRecords,
} from '../db/records.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { learnings } from './schema.ts';

// Exports and restores every version of every lesson. Sessions and incidents are not exported, so a record has no ids
// of them.

export const record = z.object({
  type: z.literal('learning'),
  id: field.id,
  project: field.project,
  lineageId: field.id,
  supersedes: field.id.nullable().default(null),
  status: z.enum(['active', 'review']),
  lesson: field.text(50_000).min(1),
  context: field.text(50_000),
  why: field.text(50_000).nullable().default(null),
  errorType: field.text(1000).nullable().default(null),
  keywords: field.words,
  appliesTo: field.words,
  signature: field.text(1000).transform(indexable).nullable().default(null),
  target: field.text(100_000).nullable().default(null),
  branch: field.text(1000).nullable().default(null),
  confidence: field.share,
  priorConfidence: field.share,
  usageCount: field.count.default(0),
  successCount: field.count.default(0),
  failureCount: field.count.default(0),
  qualityScore: z.number().min(-1e6).max(1e6),
  evaluatedBy: field.text(1000),
  sourceSubagent: field.text(1000).nullable().default(null),
  sourceError: field.text(200_000).nullable().default(null),
  validFrom: field.instant,
  validUntil: field.instant.nullable().default(null),
  lastConfirmedAt: field.instant,
  createdAt: field.instant,
  updatedAt: field.instant,
});
type LearningRecord = z.infer<typeof record>;

const LEARNING_ROWS = recordTable(learnings, record, {
  outOf: { type: sql`'learning'`, project: projectNameOf(sql`t.project_id`) },
  into: {
    validUntil: `case when r."validUntil" is not null then greatest(r."validUntil", r."validFrom") end`,
  },
});

/** Position in an export: the id of the last lesson. */
export const cursor = z.tuple([z.guid()]);

/** Returns a page of the caller's lessons behind the cursor `after`, and the cursor of the last one. */
export async function exportPage(
  tx: Tx,
  page: { after: string[] | null; projectId: string | undefined; limit: number },
): Promise<{ records: Record<string, unknown>[]; last: string[] | null }> {
  const { after, projectId, limit } = page;
  type Row = { record: Record<string, unknown>; cursor: string[] };
  const rows = await query<Row>(
    tx,
    sql`select ${LEARNING_ROWS.asJson} as record, json_build_array(t.id) as cursor
        from learnings t
        where t.user_id = auth.uid()
          and (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
          and (${after?.[0] ?? null}::uuid is null or t.id > ${after?.[0] ?? null}::uuid)
        order by t.id limit ${limit}`,
  );
  return { records: rows.map((row) => row.record), last: rows.at(-1)?.cursor ?? null };
}

/** Stores the lessons that the caller does not have. Refuses a version whose period overlaps another of its lesson. */
export async function restore(tx: Tx, userId: string, placed: Placed<LearningRecord>[]): Promise<Imported> {
  const insert = async (records: LearningRecord[]) =>
    insertRecords(tx, LEARNING_ROWS, records, await ensureProjects(tx, records));
  const { imported, skipped, refused } = await restoreRecords(tx, userId, LEARNING_ROWS, placed, insert);
  const failed = refused.map(({ line, record }) => ({
    line,
    reason: `another version of this lesson (lineage ${record.lineageId}) holds in the same period`,
  }));
  return { imported, skipped, failed };
}
