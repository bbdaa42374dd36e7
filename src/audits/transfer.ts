import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query } from '../db/open.ts';
import {
  field,
  insertRecords,
  type Placed,
  recordTable,
  restoreRecords,
  type TransferredRoom,
} from '../db/records.ts';
import { exportBy } from '../records/transfer.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { StoredAnswer } from './form.ts';
import { sessionAudits } from './schema.ts';

// Export and import of what a model said about sessions. Sessions are not exported, so an imported audit has none.

export const record = z.object({
  type: z.literal('audit'),
  id: field.id,
  project: field.project,
  evaluatedBy: field.text(1000).nullable().default(null),
  answer: StoredAnswer,
  tokens: field.count.default(0),
  createdAt: field.instant,
  finishedAt: field.instant.nullable().default(null),
});
type AuditRecord = z.infer<typeof record>;

const ROWS = recordTable(sessionAudits, record, {
  outOf: { type: sql`'audit'`, project: projectNameOf(sql`t.project_id`) },
});

export const { cursor, exportPage } = exportBy(
  ROWS,
  { id: 'uuid' },
  {
    only: (project) =>
      sql`t.answer is not null and (${project}::uuid is null or t.project_id = ${project}::uuid)`,
  },
);

/** Stores the audits that the caller does not have. They count as done, so the model is not asked again. */
export const restore: TransferredRoom['restore'] = async (tx, userId, placed) => {
  const insert = async (records: AuditRecord[]) => {
    const ids = await insertRecords(tx, ROWS, records, await ensureProjects(tx, records));
    const these = sql.param(ids);
    await query(tx, sql`update session_audits set status = 'done' where id = any (${these}::uuid[])`);
    return ids;
  };
  const given = placed as unknown as Placed<AuditRecord>[];
  const { imported, skipped, refused } = await restoreRecords(tx, userId, ROWS, given, insert);
  return { imported, skipped: skipped + refused.length, failed: [] };
};
