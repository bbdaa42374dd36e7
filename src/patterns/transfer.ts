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
import { PATTERN_TYPES, patterns } from './schema.ts';

// Export and import of patterns. Sessions are not exported, so an imported one does not know them. Where its project has
// the same pattern already, that one stays.

const lines = z.array(field.text(10_000)).max(100);

export const record = z.object({
  type: z.literal('pattern'),
  id: field.id,
  project: field.project.nullable().default(null),
  patternType: z.enum(PATTERN_TYPES),
  form: field.text(2_000).min(1),
  name: field.text(1_000).min(1),
  namedBy: z.enum(['rules', 'model', 'person']).default('rules'),
  triggers: field.words,
  template: z.object({
    steps: lines,
    commonFiles: lines,
    typicalTools: lines,
    contiguous: z.boolean().optional(),
  }),
  signature: field.text(200).nullable().default(null),
  episodes: field.count,
  sessions: field.count,
  successes: field.count.default(0),
  failures: field.count.default(0),
  lift: z.number().min(0).max(1e6).nullable().default(null),
  offered: field.count.default(0),
  followed: field.count.default(0),
  helped: field.count.default(0),
  harmed: field.count.default(0),
  confidence: field.share,
  pinned: z.boolean().default(false),
  private: z.boolean().default(false),
  status: z.enum(['active', 'rejected']).default('active'),
  lastUsed: field.instant,
  validFrom: field.instant,
  validUntil: field.instant.nullable().default(null),
  createdAt: field.instant,
  updatedAt: field.instant,
});
type PatternRecord = z.infer<typeof record>;

const PATTERN_ROWS = recordTable(patterns, record.omit({ type: true }), {
  columns: { patternType: 'type' },
  outOf: { project: projectNameOf(sql`t.project_id`) },
  into: {
    validUntil: `case when r."validUntil" is not null then greatest(r."validUntil", r."validFrom") end`,
  },
});

/** Position in an export: the id of the last pattern. */
export const cursor = z.tuple([z.guid()]);

/** Returns a page of the caller's patterns behind the cursor `after`, and the cursor of the last one. */
export const exportPage: TransferredRoom['exportPage'] = async (tx, { after, projectId, limit }) => {
  const rows = await query<{ record: Record<string, unknown>; id: string }>(
    tx,
    sql`select ${PATTERN_ROWS.asJson} as record, t.id from patterns t
        where t.user_id = auth.uid() and (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
          and (${after?.[0] ?? null}::uuid is null or t.id > ${after?.[0] ?? null}::uuid)
        order by t.id limit ${limit}`,
  );
  const last = rows.at(-1);
  return { records: rows.map((row) => ({ type: 'pattern', ...row.record })), last: last ? [last.id] : null };
};

/** Stores the patterns that the caller does not have. */
export async function restore(tx: Tx, userId: string, placed: Placed<PatternRecord>[]): Promise<Imported> {
  const insert = async (records: PatternRecord[]) =>
    insertRecords(tx, PATTERN_ROWS, records, await ensureProjects(tx, records));
  const { imported, skipped, refused } = await restoreRecords(tx, userId, PATTERN_ROWS, placed, insert);
  return { imported, skipped: skipped + refused.length, failed: [] };
}
