import {
  type AnyPgColumn,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { WRITERS } from '../http/key-scope.ts';
import { inProject } from '../sessions/schema.ts';

/** From the severest on. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The states in which something is still to be done, and those in which nothing is. */
export const OPEN_STATUSES = ['open', 'in_progress'] as const;
export const STATUSES = [...OPEN_STATUSES, 'resolved', 'wont_fix', 'duplicate'] as const;

/** How two findings are stored as linked. `blocked_by` is `blocks` the other way round. */
export const STORED_LINKS = ['blocks', 'related_to'] as const;

/** A problem that somebody noticed. */
export const findings = pgTable(
  'findings',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    title: text('title').notNull(),
    detail: text('detail').notNull().default(''),
    severity: text('severity', { enum: SEVERITIES }).notNull().default('medium'),
    status: text('status', { enum: STATUSES }).notNull().default('open'),
    resolution: text('resolution'),
    file: text('file'),
    line: integer('line'),
    /** who noticed it */
    agent: text('agent'),
    /** by its key, whatever `agent` says; null: it is older than 0.5 */
    writtenBy: text('written_by', { enum: WRITERS }),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
    /** what an episode that changed its file proposes, until somebody decides; null: nothing */
    proposedStatus: text('proposed_status', { enum: STATUSES }),
    /** the episode that proposed it last */
    proposedBy: uuid('proposed_by'),
    /** the episode that solved it */
    solvedBy: uuid('solved_by'),
    /** a finding that was resolved before and that it resembles */
    resembles: uuid('resembles'),
    /** when its status became one in which nothing is to be done any more */
    closedAt: time('closed_at'),
  },
  (t) => [
    primaryKey({ name: 'findings_own', columns: [t.userId, t.id] }),
    inProject(t),
    index('findings_order').on(t.userId, t.projectId, t.createdAt, t.id),
    index('findings_recent').on(t.userId, t.createdAt, t.id),
    ownRows(),
  ],
);

const toFinding = (t: { userId: AnyPgColumn }, id: AnyPgColumn) =>
  foreignKey({ columns: [t.userId, id], foreignColumns: [findings.userId, findings.id] }).onDelete('cascade');

/** Links between findings. Links that block make no circle. In a relation the smaller id comes first. */
export const findingLinks = pgTable(
  'finding_links',
  {
    userId: userId(),
    kind: text('kind', { enum: STORED_LINKS }).notNull(),
    fromId: uuid('from_id').notNull(),
    toId: uuid('to_id').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.fromId, t.toId] }),
    toFinding(t, t.fromId),
    toFinding(t, t.toId),
    index('finding_links_to').on(t.userId, t.toId),
    ownRows(),
  ],
);
