import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { field, recordTable } from '../../db/records.ts';
import { projectNameOf } from '../../sessions/projects.ts';
import { restoreInProjects } from '../../sessions/restore.ts';
import { exportBy } from '../records/transfer.ts';
import { PATTERN_TYPES, patterns } from './schema.ts';

// Export and import of patterns. Sessions are not exported, so an imported pattern has none. If its project
// already has the same pattern, that one stays.

const lines = z.array(field.text(10_000)).max(100);

export const record = z.object({
  type: z.literal('pattern'),
  id: field.id,
  project: field.project,
  patternType: z.enum(PATTERN_TYPES),
  form: field.text(2_000).min(1),
  name: field.text(1_000).min(1),
  triggers: field.words,
  template: z.object({ steps: lines, commonFiles: lines }),
  signature: field.text(200).nullable().default(null),
  episodes: field.count,
  sessions: field.count,
  successes: field.count.default(0),
  failures: field.count.default(0),
  status: z.enum(['active', 'rejected']).default('active'),
  lastUsed: field.instant,
  validFrom: field.instant,
  validUntil: field.instant.nullable().default(null),
  createdAt: field.instant,
  updatedAt: field.instant,
});

const PATTERN_ROWS = recordTable(patterns, record, {
  columns: { patternType: 'type' },
  outOf: { type: sql`'pattern'`, project: projectNameOf(sql`t.project_id`) },
  into: {
    validUntil: `case when r."validUntil" is not null then greatest(r."validUntil", r."validFrom") end`,
  },
});

export const { cursor, exportPage } = exportBy(PATTERN_ROWS, { id: 'uuid' });

/** Stores the patterns that the caller does not have. */
export const restore = restoreInProjects(PATTERN_ROWS);
