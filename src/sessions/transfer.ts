import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { field, recordTable } from '../db/records.ts';
import { exportBy } from '../kinds/records/transfer.ts';
import { projectNameOf, restoreInProjects } from './projects.ts';
import { turns } from './schema.ts';

// Export and import of turns. The sessions themselves are not exported.

export const record = z.object({
  type: z.literal('turn'),
  id: field.id,
  project: field.project,
  session: field.text(200).min(1),
  startKey: field.text(340).min(1),
  branch: field.text(1000).nullable().default(null),
  prompt: field.text(8192).min(1),
  said: field.text(8192).nullable().default(null),
  startedAt: field.instant,
  endedAt: field.instant.nullable().default(null),
});

const TURN_ROWS = recordTable(turns, record, {
  outOf: { type: sql`'turn'`, project: projectNameOf(sql`t.project_id`) },
});

export const { cursor, exportPage } = exportBy(TURN_ROWS, { id: 'uuid' });

/** Stores the turns that the caller does not have. */
export const restore = restoreInProjects(TURN_ROWS);
