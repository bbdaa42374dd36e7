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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId, validity } from '../db/columns.ts';
import { inIncident } from '../incidents/schema.ts';
import { inProject } from '../sessions/schema.ts';
import type { Candidate } from './candidate.ts';

/** See states.ts. In the order of their trust. */
export const STATUSES = ['active', 'proposed'] as const;

/** Lessons. The versions of a lesson share a lineage. An exclusion constraint in SQL keeps their periods apart. */
export const learnings = pgTable(
  'learnings',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    lineageId: uuid('lineage_id').notNull().defaultRandom(),
    supersedes: uuid('supersedes'),
    status: text('status', { enum: STATUSES }).notNull(),
    lesson: text('lesson').notNull(),
    /** when the lesson applies */
    context: text('context').notNull(),
    why: text('why'),
    errorType: text('error_type'),
    keywords: text('keywords').array().notNull().default(sql`'{}'`),
    appliesTo: text('applies_to').array().notNull().default(sql`'{}'`),
    /** the error that the lesson answers, and the tool target that raised it */
    signature: text('signature'),
    target: text('target'),
    branch: text('branch'),
    /** told in all projects of the user, because a person said so */
    everywhere: boolean('everywhere').notNull().default(false),
    /**
     * what it is about and advises: lessons with the same key say the same in other words. '' or null if nothing in it
     * is literal
     */
    sameKey: text('same_key'),
    /** posterior mean, 0–1, see credit.ts */
    confidence: real('confidence').notNull(),
    priorConfidence: real('prior_confidence').notNull(),
    usageCount: integer('usage_count').notNull().default(0),
    successCount: integer('success_count').notNull().default(0),
    failureCount: integer('failure_count').notNull().default(0),
    /** who made it: a person, the rules, a model; and from which session and subagent */
    evaluatedBy: text('evaluated_by').notNull(),
    sourceSessionId: uuid('source_session_id'),
    sourceSubagent: text('source_subagent'),
    sourceIncidentId: uuid('source_incident_id'),
    sourceError: text('source_error'),
    ...validity(),
    lastConfirmedAt: time('last_confirmed_at').notNull().defaultNow(),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'learnings_own', columns: [t.userId, t.id] }),
    inProject(t),
    index('learnings_current').on(t.userId, t.projectId, t.status).where(sql`valid_until is null`),
    index('learnings_same').on(t.userId, t.projectId, t.sameKey).where(sql`same_key <> ''`),
    index('learnings_everywhere').on(t.userId).where(sql`everywhere and valid_until is null`),
    index('learnings_signature').on(t.userId, t.projectId, t.signature),
    index('learnings_newest').on(t.userId, t.createdAt, t.id).where(sql`valid_until is null`),
    index('learnings_closed').on(t.userId, t.validUntil).where(sql`valid_until is not null`),
    ownRows(),
  ],
);

export const DECISIONS = ['stored', 'discarded', 'merged', 'superseded', 'promoted', 'demoted'] as const;

/** Queue of candidate lessons. A row stays as the record of what became of its candidate. */
export const learningRequests = pgTable(
  'learning_requests',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    /** null if a person or agent stated the lesson, and for a session that waits to be read (event `turn`) */
    incidentId: uuid('incident_id'),
    sessionId: uuid('session_id'),
    agentId: text('agent_id'),
    event: text('event').notNull(),
    status: text('status', { enum: ['pending', 'done', 'failed'] })
      .notNull()
      .default('pending'),
    attempts: integer('attempts').notNull().default(0),
    runAfter: time('run_after').notNull().defaultNow(),
    error: text('error'),
    candidate: jsonb('candidate').$type<Candidate>(),
    evidence: jsonb('evidence').$type<Record<string, unknown>>(),
    evaluator: text('evaluator'),
    decision: text('decision', { enum: DECISIONS }),
    reason: text('reason'),
    learningId: uuid('learning_id'),
    // the events of one transaction are judged in their order: a person may take back what they have just said
    createdAt: time('created_at').notNull().default(sql`clock_timestamp()`),
    finishedAt: time('finished_at'),
  },
  (t) => [
    unique('learning_requests_incident').on(t.userId, t.incidentId),
    // a session waits to be read at most once
    uniqueIndex('learning_requests_turn')
      .on(t.userId, t.sessionId)
      .where(sql`status = 'pending' and event = 'turn'`),
    inProject(t),
    inIncident(t),
    index('learning_requests_discarded').on(t.userId, t.finishedAt).where(sql`decision = 'discarded'`),
    index('learning_requests_queue').on(t.runAfter).where(sql`status = 'pending'`),
    ownRows(),
  ],
);
