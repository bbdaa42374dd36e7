import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import type { RowChange } from '../db/row-change.ts';

/** Lessons that changed since they were last compared with their neighbours. A trigger fills it. */
export const consolidationQueue = pgTable(
  'consolidation_queue',
  {
    userId: userId(),
    learningId: uuid('learning_id').notNull(),
    queuedAt: time('queued_at').notNull().defaultNow(),
    /** it had no vector, so it was compared by its words only; it still waits for its vector */
    byWords: boolean('by_words').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.learningId] }),
    index('consolidation_queue_order').on(t.userId, t.byWords, t.queuedAt, t.learningId),
    ownRows(),
  ],
);

/** Work table of a run: pairs of lessons that may say the same or the opposite. A settled pair is deleted. */
export const consolidationPairs = pgTable(
  'consolidation_pairs',
  {
    userId: userId(),
    /** the smaller id of the two */
    leftId: uuid('left_id').notNull(),
    rightId: uuid('right_id').notNull(),
    /** cosine of their index rows; null: one has no vector */
    similarity: real('similarity'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.leftId, t.rightId] }),
    index('consolidation_pairs_order').on(t.userId, t.similarity.desc().nullsLast(), t.leftId, t.rightId),
    index('consolidation_pairs_right').on(t.userId, t.rightId),
    ownRows(),
  ],
);

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
    changes: jsonb('changes').$type<RowChange[]>().notNull(),
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
