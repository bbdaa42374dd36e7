import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inProject, inSession } from '../sessions/schema.ts';

export const VERDICTS = ['success', 'partial', 'failed'] as const;

/** What a model said about a session, redacted. */
export type AuditAnswer = {
  verdict: (typeof VERDICTS)[number];
  learnings: {
    lesson: string;
    context: string;
    confidence: number;
    appliesTo: string[];
    keywords: string[];
    /** number of the error in the record that it answers */
    error: number | null;
    lasting: 'lasting' | 'local' | 'doubtful';
  }[];
  errorsFound: {
    type: string;
    description: string;
    cause: string | null;
    resolution: string | null;
    /** whether a lesson that was stored before would have prevented it; null: not said */
    preventable: boolean | null;
  }[];
  recommendedNextSteps: string[];
};

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
