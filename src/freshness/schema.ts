import { bigint, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inProject } from '../sessions/schema.ts';

/**
 * What is known of a cited thing: `waiting` until its baseline is taken, then whether it is as it was. `unknown`: it
 * could not be looked at.
 */
export const STATES = ['waiting', 'fresh', 'changed', 'gone', 'unknown'] as const;

/**
 * The files, symbols and commits that records cite, each with how it was when the record was written (its baseline) and
 * how it was when it was last looked at. There is no foreign key to the record, because kinds have tables of their own.
 */
export const citations = pgTable(
  'citations',
  {
    userId: userId(),
    kind: text('kind').notNull(),
    sourceId: uuid('source_id').notNull(),
    /** `file:src/a.ts`, `symbol:src/a.ts#pool`, `commit:4f2c1aa` */
    ref: text('ref').notNull(),
    projectId: uuid('project_id'),
    /** the folder in which the baseline was taken */
    root: text('root'),
    /** the commit that was checked out then */
    head: text('head'),
    /** of the file then, in bytes; null for a commit */
    size: bigint('size', { mode: 'number' }),
    /** SHA-256 of the file then, `present` for a symbol or a commit; null: it was not there, or could not be read */
    hash: text('hash'),
    state: text('state', { enum: STATES }).notNull().default('waiting'),
    citedAt: time('cited_at').notNull().defaultNow(),
    /** when it was last looked at */
    checkedAt: time('checked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.sourceId, t.ref] }),
    inProject(t),
    index('citations_state').on(t.userId, t.state),
    index('citations_project').on(t.userId, t.projectId, t.checkedAt),
    ownRows(),
  ],
);
