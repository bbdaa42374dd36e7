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

/** Position in an export: the id of the last audit. */
export const cursor = z.tuple([z.guid()]);

/** Returns a page of the caller's audits that have an answer behind the cursor `after`, and the cursor of the last one. */
export const exportPage: TransferredRoom['exportPage'] = async (tx, { after, projectId, limit }) => {
  const rows = await query<{ record: Record<string, unknown>; id: string }>(
    tx,
    sql`select ${ROWS.asJson} as record, t.id from session_audits t
        where t.user_id = auth.uid() and t.answer is not null
          and (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
          and (${after?.[0] ?? null}::uuid is null or t.id > ${after?.[0] ?? null}::uuid)
        order by t.id limit ${limit}`,
  );
  const last = rows.at(-1);
  return { records: rows.map((row) => row.record), last: last ? [last.id] : null };
};

/** Stores the audits that the caller does not have. They are done: nobody is asked again. */
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
