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
import { COMPLEXITIES, episodes, OUTCOMES, TASK_TYPES } from './schema.ts';

// Export and import of episodes. Their sessions are not exported, so an imported one has none. Episodes of
// subagents come after the others, so that their parents exist when they are imported.

const ids = z.array(field.id).max(1000).default([]);

export const record = z.object({
  type: z.literal('episode'),
  id: field.id,
  project: field.project,
  startKey: field.text(1000).min(1),
  agentId: field.text(1000).nullable().default(null),
  agentType: field.text(1000).nullable().default(null),
  parentId: field.id.nullable().default(null),
  description: field.text(2000).min(1),
  taskType: z.enum(TASK_TYPES),
  complexity: z.enum(COMPLEXITIES),
  branch: field.text(2000).nullable().default(null),
  workItems: field.words,
  steps: z
    .array(
      z.object({
        thought: field.text(2000).nullable(),
        action: field.text(2000),
        tool: field.text(1000),
        targetKind: field.text(100).nullable(),
        ok: z.boolean().nullable(),
        stopped: z.literal(true).optional(),
      }),
    )
    .max(1000)
    .default([]),
  toolsUsed: z.record(z.string().max(1000), field.count).default({}),
  filesModified: z.array(field.text(2000)).max(1000).default([]),
  outcome: z.enum(OUTCOMES).default('unknown'),
  testsPassed: z.boolean().nullable().default(null),
  buildPassed: z.boolean().nullable().default(null),
  error: field.text(2000).nullable().default(null),
  lastMessage: field.text(10_000).nullable().default(null),
  startedAt: field.instant,
  endedAt: field.instant.nullable().default(null),
  durationMs: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().default(null),
  tokens: field.count.nullable().default(null),
  findings: ids,
  learnings: ids,
  planId: field.id.nullable().default(null),
  private: z.boolean().default(false),
  corrected: z.array(z.enum(['description', 'type'])).default([]),
  createdAt: field.instant,
  updatedAt: field.instant,
});
type EpisodeRecord = z.infer<typeof record>;

const EPISODE_ROWS = recordTable(episodes, record, {
  columns: { type: '', taskType: 'type' },
  outOf: { type: sql`'episode'`, project: projectNameOf(sql`t.project_id`) },
  into: {
    parentId: `(select p.id from episodes p where p.user_id = auth.uid() and p.id = r."parentId")`,
    endedAt: `greatest(r."endedAt", r."startedAt")`,
  },
});

/** Position in an export: whether the last episode was that of a subagent (1) or not (0), and its id. */
export const cursor = z.tuple([z.enum(['0', '1']), z.guid()]);

/** Returns a page of the caller's episodes behind the cursor `after`, and the cursor of the last one. */
export const exportPage: TransferredRoom['exportPage'] = async (tx, { after, projectId, limit }) => {
  const rows = await query<{ record: Record<string, unknown>; part: string; id: string }>(
    tx,
    sql`select ${EPISODE_ROWS.asJson} as record, (t.parent_id is not null)::int::text as part, t.id from episodes t
        where t.user_id = auth.uid() and (${projectId ?? null}::uuid is null or t.project_id = ${projectId ?? null}::uuid)
          and (${after?.[1] ?? null}::uuid is null
            or ((t.parent_id is not null)::int::text, t.id) > (${after?.[0] ?? null}, ${after?.[1] ?? null}::uuid))
        order by 2, t.id limit ${limit}`,
  );
  const last = rows.at(-1);
  return { records: rows.map((row) => row.record), last: last ? [last.part, last.id] : null };
};

/** Stores the episodes that the caller does not have. */
export async function restore(tx: Tx, userId: string, placed: Placed<EpisodeRecord>[]): Promise<Imported> {
  const insert = async (records: EpisodeRecord[]) => {
    const projects = await ensureProjects(tx, records);
    const parents = records.filter(({ parentId }) => parentId === null);
    const children = records.filter(({ parentId }) => parentId !== null);
    return [
      ...(await insertRecords(tx, EPISODE_ROWS, parents, projects)),
      ...(await insertRecords(tx, EPISODE_ROWS, children, projects)),
    ];
  };
  const { imported, skipped, refused } = await restoreRecords(tx, userId, EPISODE_ROWS, placed, insert);
  return { imported, skipped: skipped + refused.length, failed: [] };
}
