import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inProject, inSession } from '../sessions/schema.ts';
import type { AuditAnswer } from './form.ts';

/** Queue of sessions that have ended and are to be looked back on. A row stays as the record of what was found. */
export const sessionAudits = pgTable(
  'session_audits',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    /** null: it was imported without its session */
    sessionId: uuid('session_id'),
    status: text('status', { enum: ['pending', 'waiting', 'done', 'failed'] })
      .notNull()
      .default('pending'),
    attempts: integer('attempts').notNull().default(0),
    runAfter: time('run_after').notNull().defaultNow(),
    error: text('error'),
    /** what its calls of the model cost, those that failed too */
    tokens: integer('tokens').notNull().default(0),
    /** `audit:` and the model */
    evaluatedBy: text('evaluated_by'),
    /** stored before its lessons are judged, so that a crash does not ask again */
    answer: jsonb('answer').$type<AuditAnswer>(),
    /** why there is no answer */
    reason: text('reason'),
    createdAt: time('created_at').notNull().defaultNow(),
    finishedAt: time('finished_at'),
  },
  (t) => [
    primaryKey({ name: 'session_audits_own', columns: [t.userId, t.id] }),
    // one call a session
    unique('session_audits_session').on(t.userId, t.sessionId),
    inProject(t),
    inSession(t),
    index('session_audits_queue').on(t.runAfter).where(sql`status = 'pending'`),
    ownRows(),
  ],
);
