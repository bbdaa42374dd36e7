import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { field, recordTable } from '../../db/records.ts';
import { exportBy } from '../../kinds/records/transfer.ts';
import { projectNameOf, restoreInProjects } from '../../sessions/projects.ts';
import { GuardRule } from './rule.ts';
import { GUARD_SOURCES, guards } from './schema.ts';

// Export and import of guards. They find their lessons by the lineage, which an import keeps.

export const record = z.object({
  type: z.literal('guard'),
  id: field.id,
  project: field.project,
  lineageId: field.id,
  rule: GuardRule,
  source: z.enum(GUARD_SOURCES),
  state: z.enum(['on', 'paused', 'refused']),
  reason: field.text(5_000).nullable().default(null),
  passes: z.array(field.text(2_000)).max(100).default([]),
  hits: field.count.default(0),
  lastHitAt: field.instant.nullable().default(null),
  createdAt: field.instant,
  updatedAt: field.instant,
});

const GUARD_ROWS = recordTable(guards, record, {
  outOf: { type: sql`'guard'`, project: projectNameOf(sql`t.project_id`) },
});

export const { cursor, exportPage } = exportBy(GUARD_ROWS, { id: 'uuid' });

/** Stores the guards that the caller does not have. */
export const restore = restoreInProjects(GUARD_ROWS, () => 'its lesson has another guard already');
