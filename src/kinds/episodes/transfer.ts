import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { field, recordTable } from '../../db/records.ts';
import { projectNameOf } from '../../sessions/projects.ts';
import { restoreInProjects } from '../../sessions/restore.ts';
import { exportBy } from '../records/transfer.ts';
import { EPISODE_OUTCOMES, episodes, TASK_TYPES } from './schema.ts';

// Export and import of episodes. Their sessions are not exported, so an imported one has none.

export const record = z.object({
  type: z.literal('episode'),
  id: field.id,
  project: field.project,
  startKey: field.text(1000).min(1),
  description: field.text(2000).min(1),
  taskType: z.enum(TASK_TYPES),
  steps: z
    .array(
      z.object({
        action: field.text(2000),
        tool: field.text(1000),
        targetKind: field.text(100).nullable(),
        ok: z.boolean().nullable(),
        stopped: z.literal(true).optional(),
      }),
    )
    .max(1000)
    .default([]),
  filesModified: z.array(field.text(2000)).max(1000).default([]),
  outcome: z.enum(EPISODE_OUTCOMES).default('unknown'),
  error: field.text(2000).nullable().default(null),
  lastMessage: field.text(10_000).nullable().default(null),
  startedAt: field.instant,
  endedAt: field.instant.nullable().default(null),
});
const EPISODE_ROWS = recordTable(episodes, record, {
  columns: { type: '', taskType: 'type' },
  outOf: { type: sql`'episode'`, project: projectNameOf(sql`t.project_id`) },
  into: { endedAt: `greatest(r."endedAt", r."startedAt")` },
});

export const { cursor, exportPage } = exportBy(EPISODE_ROWS, { id: 'uuid' });

/** Stores the episodes that the caller does not have. */
export const restore = restoreInProjects(EPISODE_ROWS);
