import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { field, ofProject, recordTable } from '../db/records.ts';
import { exportBy } from '../kinds/records/transfer.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { restoreInProjects } from '../sessions/restore.ts';
import { searches } from './schema.ts';

// Export and import of the searches that somebody rated. Searches without a rating are of no use elsewhere.

const ids = z.array(field.id).max(1000);

export const record = z.object({
  type: z.literal('rated-search'),
  id: field.id,
  project: field.project.nullable().default(null),
  results: ids,
  useful: ids,
  notUseful: ids,
  searchedAt: field.instant,
  ratedAt: field.instant,
});
const ROWS = recordTable(searches, record, {
  outOf: { type: sql`'rated-search'`, project: projectNameOf(sql`t.project_id`) },
});

const rated = (project: string | null) => sql`t.rated_at is not null and ${ofProject(project)}`;
export const { cursor, exportPage } = exportBy(ROWS, { id: 'uuid' }, { only: rated });

/** Stores the rated searches that the caller does not have. */
export const restore = restoreInProjects(ROWS);
