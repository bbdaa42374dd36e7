import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, real, text, uuid } from 'drizzle-orm/pg-core';
import { NO_PROJECT, ownRows, time, userId, validity } from '../db/columns.ts';
import { inProject } from '../sessions/schema.ts';

/** Who a statement comes from, the weightiest first. */
export const TIERS = ['person', 'observed', 'agent', 'inferred'] as const;
export type Tier = (typeof TIERS)[number];

/** What opened a row, and what closed it. */
export const CHANGES = ['put', 'end', 'undo', 'amendment'] as const;
export type Change = (typeof CHANGES)[number];

// Facts, relations and decisions have two clocks. `valid_from` and `valid_until` say when something was true,
// `recorded_at` and `recorded_until` when Lore held it to be so. A change never rewrites a row: it closes rows
// (`recorded_until`) and opens others. Rows that are still open (`recorded_until` is null) are the present belief. The
// exclusion constraint `…_no_overlap` (sql/tables.sql) keeps the rows of a subject apart in both clocks. sql/temporal
// makes the changes.

const temporal = () => ({
  /**
   * the same in all rows of one statement, because its period may be recorded anew; at most one of these rows
   * is open
   */
  id: uuid('id').notNull().defaultRandom(),
  userId: userId(),
  /** null: the user's own, found from every project */
  projectId: uuid('project_id'),
  /** the project as a value that is never null, because a constraint does not treat two nulls as equal */
  scopeId: uuid('scope_id')
    .notNull()
    .generatedAlwaysAs(sql.raw(`coalesce(project_id, '${NO_PROJECT}'::uuid)`)),
  ...validity(),
  recordedAt: time('recorded_at').notNull().defaultNow(),
  recordedUntil: time('recorded_until'),
  openedBy: text('opened_by', { enum: CHANGES }).notNull().default('put'),
  closedBy: text('closed_by', { enum: CHANGES }),
  tier: text('tier', { enum: TIERS }).notNull(),
  /** where it was learned: a file, a command, a person */
  source: text('source'),
  evidence: text('evidence'),
  sessionId: uuid('session_id'),
  agent: text('agent'),
  /** when the same was last stated again, and how often */
  confirmedAt: time('confirmed_at').notNull().defaultNow(),
  confirmations: integer('confirmations').notNull().default(0),
});

/** Returns SQL for the subject of these columns, as `temporal_subject` in SQL makes it. */
const subjectOf = (...columns: string[]) =>
  sql.raw(`md5(${columns.map((name) => `quote_literal(${name})`).join(` || ',' || `)})::uuid`);

/** Values by type and key. */
export const facts = pgTable(
  'facts',
  {
    ...temporal(),
    type: text('type').notNull(),
    key: text('key').notNull(),
    value: jsonb('value').notNull(),
    subject: uuid('subject').notNull().generatedAlwaysAs(subjectOf('type', 'key')),
  },
  (t) => [
    primaryKey({ name: 'facts_own', columns: [t.userId, t.id, t.recordedAt] }),
    inProject(t),
    index('facts_subject').on(t.userId, t.subject, t.validFrom),
    index('facts_type').on(t.userId, t.type, t.validFrom),
    index('facts_order').on(t.userId, t.validFrom, t.id),
    index('facts_session').on(t.userId, t.sessionId),
    ownRows(),
  ],
);

/** Edges from one entity to another. An entity is a type and a key. */
export const relations = pgTable(
  'relations',
  {
    ...temporal(),
    fromType: text('from_type').notNull(),
    fromKey: text('from_key').notNull(),
    relation: text('relation').notNull(),
    toType: text('to_type').notNull(),
    toKey: text('to_key').notNull(),
    attributes: jsonb('attributes').$type<Record<string, unknown>>().notNull().default({}),
    subject: uuid('subject')
      .notNull()
      .generatedAlwaysAs(subjectOf('from_type', 'from_key', 'relation', 'to_type', 'to_key')),
    /** its two ends, short enough for an index */
    fromEntity: uuid('from_entity').notNull().generatedAlwaysAs(subjectOf('from_type', 'from_key')),
    toEntity: uuid('to_entity').notNull().generatedAlwaysAs(subjectOf('to_type', 'to_key')),
  },
  (t) => [
    primaryKey({ name: 'relations_own', columns: [t.userId, t.id, t.recordedAt] }),
    inProject(t),
    index('relations_subject').on(t.userId, t.subject, t.validFrom),
    index('relations_from').on(t.userId, t.fromEntity),
    index('relations_to').on(t.userId, t.toEntity),
    index('relations_order').on(t.userId, t.validFrom, t.id),
    index('relations_session').on(t.userId, t.sessionId),
    ownRows(),
  ],
);

/** Rules: in this condition, do that. */
export const decisions = pgTable(
  'decisions',
  {
    ...temporal(),
    condition: text('condition').notNull(),
    action: text('action').notNull(),
    confidence: real('confidence').notNull(),
    /** the end that was stated for it; a newer decision may end it earlier (`valid_until`) */
    statedUntil: time('stated_until'),
    subject: uuid('subject').notNull().generatedAlwaysAs(sql.raw('id')),
  },
  (t) => [
    primaryKey({ name: 'decisions_own', columns: [t.userId, t.id, t.recordedAt] }),
    inProject(t),
    index('decisions_order').on(t.userId, t.validFrom, t.id),
    index('decisions_session').on(t.userId, t.sessionId),
    ownRows(),
  ],
);
