import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { field, recordTable } from '../db/records.ts';
import { exportBy } from '../kinds/records/transfer.ts';
import { projectNameOf, restoreInProjects } from '../sessions/projects.ts';
import { learnings, STATUSES } from './schema.ts';

// Exports and restores every version of every lesson. Sessions and incidents are not exported, so a record
// does not contain their ids.

export const record = z.object({
  type: z.literal('learning'),
  id: field.id,
  project: field.project,
  lineageId: field.id,
  supersedes: field.id.nullable().default(null),
  // versions before 0.6.0 had more states
  status: z.preprocess((old) => (old === 'trial' || old === 'review' ? 'proposed' : old), z.enum(STATUSES)),
  lesson: field.text(50_000).min(1),
  context: field.text(50_000),
  why: field.text(50_000).nullable().default(null),
  errorType: field.text(1000).nullable().default(null),
  keywords: field.words,
  appliesTo: field.words,
  signature: field.text(1000).transform(indexable).nullable().default(null),
  target: field.text(100_000).nullable().default(null),
  branch: field.text(1000).nullable().default(null),
  sameKey: field.text(1000).nullable().default(null),
  confidence: field.share,
  priorConfidence: field.share,
  usageCount: field.count.default(0),
  successCount: field.count.default(0),
  failureCount: field.count.default(0),
  everywhere: z.boolean().default(false),
  evaluatedBy: field.text(1000),
  sourceSubagent: field.text(1000).nullable().default(null),
  sourceError: field.text(200_000).nullable().default(null),
  validFrom: field.instant,
  validUntil: field.instant.nullable().default(null),
  lastConfirmedAt: field.instant,
  createdAt: field.instant,
  updatedAt: field.instant,
});
type LearningRecord = z.infer<typeof record>;

const LEARNING_ROWS = recordTable(learnings, record, {
  outOf: { type: sql`'learning'`, project: projectNameOf(sql`t.project_id`) },
  into: {
    validUntil: `case when r."validUntil" is not null then greatest(r."validUntil", r."validFrom") end`,
  },
});

export const { cursor, exportPage } = exportBy(LEARNING_ROWS, { id: 'uuid' });

/** Stores the lessons that the caller does not have. Refuses a version whose period overlaps another of its lesson. */
export const restore = restoreInProjects(
  LEARNING_ROWS,
  ({ lineageId }: LearningRecord) =>
    `another version of this lesson (lineage ${lineageId}) holds in the same period`,
);
