import { sql } from 'drizzle-orm';
import {
  bigint,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';

export const STARTED_BY = ['timer', 'cron', 'person'] as const;
export const ACTIONS = ['merged', 'superseded', 'closed'] as const;

/** What a night did. One run of a user is open at most; `stage` and `position` say how far it is. */
export const consolidationRuns = pgTable(
  'consolidation_runs',
  {
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    startedBy: text('started_by', { enum: STARTED_BY }).notNull(),
    /** the time that counts as now for all decisions of the run, and at which it closes rows */
    startedAt: time('started_at').notNull().defaultNow(),
    stage: text('stage').notNull(),
    /** where in the stage it is, for stages that go through rows */
    position: uuid('position'),
    /** events and checks from before are deleted; null: none */
    keepFrom: time('keep_from'),
    /** numbers of what it did besides its items, by kind: deleted events and checks, compared pairs */
    counts: jsonb('counts').$type<Record<string, number>>().notNull().default({}),
    /** why its last step failed; null once a step has worked */
    error: text('error'),
    finishedAt: time('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    uniqueIndex('consolidation_runs_open').on(t.userId).where(sql`finished_at is null`),
    index('consolidation_runs_order').on(t.userId, t.startedAt),
    index('consolidation_runs_finished').on(t.userId, t.finishedAt),
    ownRows(),
  ],
);

/** One thing that a run changed, why, and what is needed to undo it. */
export const consolidationItems = pgTable(
  'consolidation_items',
  {
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    runId: uuid('run_id').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    action: text('action', { enum: ACTIONS }).notNull(),
    kind: text('kind').notNull(),
    /** the record that was closed */
    recordId: uuid('record_id').notNull(),
    /** the record that stays instead; null: none */
    keptId: uuid('kept_id'),
    reason: text('reason').notNull(),
    /** of each row that changed: its table and id, and the columns that changed, before and after */
    changes: jsonb('changes').notNull(),
    undoneAt: time('undone_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    foreignKey({
      name: 'consolidation_items_run',
      columns: [t.userId, t.runId],
      foreignColumns: [consolidationRuns.userId, consolidationRuns.id],
    }).onDelete('cascade'),
    index('consolidation_items_order').on(t.userId, t.runId, t.seq),
    index('consolidation_items_record').on(t.userId, t.recordId),
    index('consolidation_items_kept').on(t.userId, t.keptId),
    ownRows(),
  ],
);
