import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { field, recordTable } from '../../db/records.ts';
import { projectNameOf } from '../../sessions/projects.ts';
import { restoreInProjects } from '../../sessions/restore.ts';
import { exportBy } from '../records/transfer.ts';
import { skills } from './schema.ts';
import { MAX_FILES, SKILL_NAME } from './skill-files.ts';

// Exports and restores every version of skills. How often they ran stays behind.

export const record = z.object({
  type: z.literal('skill'),
  id: field.id,
  project: field.project.nullable().default(null),
  name: z.string().regex(SKILL_NAME, 'is no name of a skill'),
  description: field.text(50_000),
  frontMatter: field.text(400_000).default(''),
  content: field.text(400_000),
  files: z
    .array(z.object({ path: field.text(1000), text: field.text(2_000_000), executable: z.boolean() }))
    .max(MAX_FILES)
    .default([]),
  validFrom: field.instant,
  validUntil: field.instant.nullable().default(null),
});
const SKILL_ROWS = recordTable(skills, record, {
  outOf: { type: sql`'skill'`, project: projectNameOf(sql`t.project_id`) },
  into: {
    validUntil: `case when r."validUntil" is not null then greatest(r."validUntil", r."validFrom") end`,
  },
});

export const { cursor, exportPage } = exportBy(SKILL_ROWS, { id: 'uuid' });

/** Stores the versions that the caller does not have. */
export const restore = restoreInProjects(
  SKILL_ROWS,
  () => 'another version of this skill holds in the same period',
);
