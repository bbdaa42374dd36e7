import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { NO_PROJECT, ownRows, time, userId, validity } from '../db/columns.ts';
import { inProject } from '../sessions/schema.ts';

export const PATTERN_TYPES = [
  'task_template',
  'tool_sequence',
  'error_recovery',
  'refactor',
  'skill',
] as const;

/** What a pattern says to do. */
export type Template = {
  /** in their order; of a sequence `tool:kind of target`, of a recovery what was run and edited */
  steps: string[];
  /** paths and globs, relative to the work tree */
  commonFiles: string[];
  typicalTools: string[];
  /** of a sequence: whether its steps follow each other directly */
  contiguous?: boolean;
};

/** What agents did again and again, mined from episodes. A row is found again by its form, so its id stays. */
export const patterns = pgTable(
  'patterns',
  {
    /** a hash of the user, project, type and form */
    id: uuid('id').notNull(),
    userId: userId(),
    /** null: it holds in several projects, so it is its user's */
    projectId: uuid('project_id'),
    scope: uuid('scope')
      .notNull()
      .generatedAlwaysAs(sql.raw(`coalesce(project_id, '${NO_PROJECT}'::uuid)`)),
    type: text('type', { enum: PATTERN_TYPES }).notNull(),
    /** the form by which mining recognises it, the same in all projects */
    form: text('form').notNull(),
    name: text('name').notNull(),
    /** who worded the name; mining only rewords its own */
    namedBy: text('named_by', { enum: ['rules', 'model', 'person'] })
      .notNull()
      .default('rules'),
    /** when it applies: types of tasks, the words of an error */
    triggers: text('triggers').array().notNull().default(sql`'{}'`),
    template: jsonb('template').$type<Template>().notNull(),
    /** of a recovery: the error that it answers */
    signature: text('signature'),
    /** how many episodes (of a recovery: errors, of a skill: runs) and sessions it was seen in */
    episodes: integer('episodes').notNull(),
    sessions: integer('sessions').notNull(),
    /** those that ended well, and badly; of the rest it is not known */
    successes: integer('successes').notNull(),
    failures: integer('failures').notNull(),
    /** how many times more often than by chance; null where that is not asked */
    lift: real('lift'),
    /** up to 50 of the sessions that it was mined from */
    evidence: uuid('evidence').array().notNull().default(sql`'{}'`),
    /** sessions that were offered it, followed it, and then passed or failed their check */
    offered: integer('offered').notNull().default(0),
    followed: integer('followed').notNull().default(0),
    helped: integer('helped').notNull().default(0),
    harmed: integer('harmed').notNull().default(0),
    confidence: real('confidence').notNull(),
    pinned: boolean('pinned').notNull().default(false),
    /** never shown outside of its project */
    private: boolean('private').notNull().default(false),
    /** what a person rejected is not mined again */
    status: text('status', { enum: ['active', 'rejected'] })
      .notNull()
      .default('active'),
    /** when it was last seen */
    lastUsed: time('last_used').notNull(),
    ...validity(),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'patterns_own', columns: [t.userId, t.id] }),
    unique('patterns_form').on(t.userId, t.scope, t.type, t.form),
    inProject(t),
    index('patterns_signature').on(t.userId, t.signature),
    index('patterns_order').on(t.userId, t.createdAt, t.id),
    ownRows(),
  ],
);

/** The episodes that were added or changed since their project was mined. A trigger on the episodes writes them. */
export const patternChanges = pgTable(
  'pattern_changes',
  {
    userId: userId(),
    episodeId: uuid('episode_id').notNull(),
    projectId: uuid('project_id').notNull(),
    /** whether the patterns that the episode shows have counted it */
    counted: boolean('counted').notNull().default(false),
    /** whether the mining under way has seen it as it is now */
    taken: boolean('taken').notNull().default(false),
    changedAt: time('changed_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.episodeId] }),
    inProject(t),
    index('pattern_changes_project').on(t.userId, t.projectId, t.changedAt),
    index('pattern_changes_uncounted').on(t.userId).where(sql`not counted`),
    ownRows(),
  ],
);
