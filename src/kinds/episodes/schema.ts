import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../../db/columns.ts';
import { inProject, inSession } from '../../sessions/schema.ts';

export const TASK_TYPES = ['feature', 'bugfix', 'refactor', 'investigation', 'question'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** `stopped`: Lore let none of its calls run */
export const EPISODE_OUTCOMES = ['success', 'error', 'stopped', 'unknown'] as const;
export type EpisodeOutcome = (typeof EPISODE_OUTCOMES)[number];

/** One call of an episode. */
export type EpisodeStep = {
  /** what was done, in few words: the command's key, or the file that was read or changed */
  action: string;
  tool: string;
  /** what a command is for: `test`, `build`, `lint`, `install` …; null: not known, or no command */
  targetKind: string | null;
  /** whether the call worked; null: not known */
  ok: boolean | null;
  /** Lore did not let it run */
  stopped?: true;
};

/** One unit of work: what an agent did for one task, and how it ended. */
export const episodes = pgTable(
  'episodes',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    /** null: it was imported without its session */
    sessionId: uuid('session_id'),
    /** key of the event with which it begins, see `dedupKey`; with the session it makes a second cut harmless */
    startKey: text('start_key').notNull(),
    description: text('description').notNull(),
    type: text('type', { enum: TASK_TYPES }).notNull(),
    steps: jsonb('steps').$type<EpisodeStep[]>().notNull().default([]),
    /** relative to the work tree where they lie in it */
    filesModified: text('files_modified').array().notNull().default(sql`'{}'`),
    /** from evidence in the events; unknown where there is none */
    outcome: text('outcome', { enum: EPISODE_OUTCOMES }).notNull().default('unknown'),
    error: text('error'),
    /** what the agent said at its end */
    lastMessage: text('last_message'),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
  },
  (t) => [
    primaryKey({ name: 'episodes_own', columns: [t.userId, t.id] }),
    unique('episodes_once').on(t.userId, t.sessionId, t.startKey),
    inProject(t),
    inSession(t),
    index('episodes_order').on(t.userId, t.projectId, t.startedAt, t.id),
    index('episodes_recent').on(t.userId, t.startedAt, t.id),
    ownRows(),
  ],
);

/** Queue of the sessions that have something new to cut. Asking again while a request waits changes its row. */
export const episodeCuts = pgTable(
  'episode_cuts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    /** counts the times that it was asked for; a cut that was overtaken leaves the row */
    asked: integer('asked').notNull().default(1),
    /** `last`: since its last episode began; `whole`: older events may have come in, so all of it */
    part: text('part', { enum: ['last', 'whole'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    runAfter: time('run_after').notNull().defaultNow(),
    error: text('error'),
    failedAt: time('failed_at'),
  },
  (t) => [unique('episode_cuts_once').on(t.userId, t.sessionId, t.part), inSession(t), ownRows()],
);
