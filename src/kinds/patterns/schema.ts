import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId, validity } from '../../db/columns.ts';
import { inProject } from '../../sessions/schema.ts';

/** What solved an error, and the first steps of tasks of one type. */
export const PATTERN_TYPES = ['error_recovery', 'tool_sequence'] as const;

/** What was done. */
export type Template = {
  /** in their order; of a sequence `tool:kind of target`, of a recovery what was run */
  steps: string[];
  commonFiles: string[];
};

/** What agents did again and again. A row is found again by its form, so its id stays. */
export const patterns = pgTable(
  'patterns',
  {
    /** a hash of the user, project, type and form */
    id: uuid('id').notNull(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    type: text('type', { enum: PATTERN_TYPES }).notNull(),
    /** the form by which it is recognised when it is counted again */
    form: text('form').notNull(),
    name: text('name').notNull(),
    /** when it applies: the type of a task, the words of an error */
    triggers: text('triggers').array().notNull().default(sql`'{}'`),
    template: jsonb('template').$type<Template>().notNull(),
    /** of a recovery: the error that it answers */
    signature: text('signature'),
    /** how many episodes (of a recovery: errors) and sessions it was seen in */
    episodes: integer('episodes').notNull(),
    sessions: integer('sessions').notNull(),
    /** those that ended well, and badly; of the rest it is not known */
    successes: integer('successes').notNull(),
    failures: integer('failures').notNull(),
    /** up to 50 of the sessions that it was counted in */
    evidence: uuid('evidence').array().notNull().default(sql`'{}'`),
    /** what a person rejected stays away */
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
    unique('patterns_form').on(t.userId, t.projectId, t.type, t.form),
    inProject(t),
    index('patterns_signature').on(t.userId, t.signature),
    index('patterns_order').on(t.userId, t.createdAt, t.id),
    ownRows(),
  ],
);
