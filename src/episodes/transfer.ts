import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Tx } from '../db/open.ts';
import { exportById, field, type Imported, idCursor, type Placed, recordTable } from '../db/records.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { restoreInProjects } from '../sessions/restore.ts';
import { COMPLEXITIES, episodes, OUTCOMES, TASK_TYPES } from './schema.ts';

// Export and import of episodes. Their sessions are not exported, so an imported one has none.

const ids = z.array(field.id).max(1000).default([]);

export const record = z.object({
  type: z.literal('episode'),
  id: field.id,
  project: field.project,
  startKey: field.text(1000).min(1),
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
  private: z.boolean().default(false),
  corrected: z.array(z.enum(['description', 'type'])).default([]),
  createdAt: field.instant,
  updatedAt: field.instant,
});
const EPISODE_ROWS = recordTable(episodes, record, {
  columns: { type: '', taskType: 'type' },
  outOf: { type: sql`'episode'`, project: projectNameOf(sql`t.project_id`) },
  into: {
    endedAt: `greatest(r."endedAt", r."startedAt")`,
  },
});

export const cursor = idCursor;
export const exportPage = exportById(EPISODE_ROWS);

/** Stores the episodes that the caller does not have. */
export const restore = (
  tx: Tx,
  userId: string,
  placed: Placed<z.infer<typeof record>>[],
): Promise<Imported> => restoreInProjects(tx, userId, EPISODE_ROWS, placed);
