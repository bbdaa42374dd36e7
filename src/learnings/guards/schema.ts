import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../../db/columns.ts';
import { inProject } from '../../sessions/schema.ts';
import type { GuardRule } from './rule.ts';

/**
 * Who writes guards, by how much they know, the best last: rules from what is literal in a sentence, the agent to which it
 * was said, a model, a person.
 */
export const GUARD_SOURCES = ['literal', 'agent', 'model', 'person'] as const;

export const GUARD_STATES = ['on', 'paused', 'refused'] as const;

/** The rules of persons as data: at most one for all versions of a lesson. */
export const guards = pgTable(
  'guards',
  {
    /** unique for its user only, as that of a lesson */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    /** lineage of the lesson that says the rule in words */
    lineageId: uuid('lineage_id').notNull(),
    rule: jsonb('rule').$type<GuardRule>().notNull(),
    /** who wrote it */
    source: text('source', { enum: GUARD_SOURCES }).notNull(),
    /** `refused`: it sorts its own examples wrongly, or would stop too many of the project's past calls */
    state: text('state', { enum: GUARD_STATES }).notNull(),
    /** why it is paused or refused, or asks only until somebody confirms it */
    reason: text('reason'),
    /** calls that a person let pass when it asked, so it is not about them */
    passes: text('passes').array().notNull().default([]),
    /** how often it told, asked or denied since */
    hits: integer('hits').notNull().default(0),
    lastHitAt: time('last_hit_at'),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'guards_own', columns: [t.userId, t.id] }),
    unique('guards_lineage').on(t.userId, t.lineageId),
    inProject(t),
    index('guards_project').on(t.userId, t.projectId).where(sql`state = 'on'`),
    ownRows(),
  ],
);
