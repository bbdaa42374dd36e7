import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import {
  exportById,
  field,
  type Imported,
  idCursor,
  insertRecords,
  type Placed,
  recordTable,
  restoreRecords,
} from '../db/records.ts';
import { ensureProjects, projectNameOf } from '../sessions/projects.ts';
import { sessionAudits, VERDICTS } from './schema.ts';

// Export and import of what a model said about sessions. Sessions are not exported, so an imported audit has none.

const said = field.text(10_000);
const orNothing = said.nullable().default(null);

export const record = z.object({
  type: z.literal('audit'),
  id: field.id,
  project: field.project,
  evaluatedBy: field.text(1000).nullable().default(null),
  answer: z.object({
    verdict: z.enum(VERDICTS),
    learnings: z
      .array(
        z.object({
          lesson: said,
          context: said,
          confidence: field.share,
          appliesTo: field.words,
          keywords: field.words,
          error: z.number().int().nullable().default(null),
          lasting: z.enum(['lasting', 'local', 'doubtful']).default('lasting'),
        }),
      )
      .max(100),
    errorsFound: z
      .array(
        z.object({
          type: said,
          description: said,
          cause: orNothing,
          resolution: orNothing,
          preventable: z.boolean().nullable().default(null),
        }),
      )
      .max(100),
    recommendedNextSteps: z.array(said).max(100),
  }),
  tokens: field.count.default(0),
  createdAt: field.instant,
  finishedAt: field.instant.nullable().default(null),
});
type AuditRecord = z.infer<typeof record>;

const ROWS = recordTable(sessionAudits, record, {
  outOf: { type: sql`'audit'`, project: projectNameOf(sql`t.project_id`) },
});

export const cursor = idCursor;
export const exportPage = exportById(ROWS, sql`t.answer is not null`);

/** Stores the audits that the caller does not have. They count as done, so the model is not asked again. */
export async function restore(tx: Tx, userId: string, placed: Placed<AuditRecord>[]): Promise<Imported> {
  const insert = async (records: AuditRecord[]) => {
    const ids = await insertRecords(tx, ROWS, records, await ensureProjects(tx, records));
    await query(
      tx,
      sql`update session_audits set status = 'done' where id = any (${sql.param(ids)}::uuid[])`,
    );
    return ids;
  };
  const { imported, skipped, refused } = await restoreRecords(tx, userId, ROWS, placed, insert);
  return { imported, skipped: skipped + refused.length, failed: [] };
}
