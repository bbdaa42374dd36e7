import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, jsonb, pgTable, real, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, provenance, time, userId, validity } from '../db/columns.ts';
import { inProject, inSession } from '../sessions/schema.ts';

/** What was done between an error and its end. */
export type Resolution = {
  kind: 'same' | 'variant';
  /** the call that worked */
  toolUseId: string | null;
  command: string | null;
  edits: { file: string; before: string | null; after: string | null }[];
  commands: string[];
  lastMessage: string | null;
};

export type Candidate = {
  lesson: string;
  context: string;
  keywords: string[];
  appliesTo: string[];
  confidence: number;
};

/** An error seen in a session, and what ended it. */
export const incidents = pgTable(
  'incidents',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    agentId: text('agent_id'),
    toolName: text('tool_name').notNull(),
    toolUseId: text('tool_use_id').notNull(),
    target: text('target'),
    input: jsonb('input').$type<Record<string, unknown>>().notNull(),
    error: text('error').notNull(),
    errorType: text('error_type'),
    /** hash of the normalised error: equal for the same failure anywhere */
    signature: text('signature').notNull(),
    signatureText: text('signature_text').notNull(),
    /** open → resolved, or unresolved when the session ended first */
    status: text('status', { enum: ['open', 'resolved', 'unresolved'] })
      .notNull()
      .default('open'),
    resolution: jsonb('resolution').$type<Resolution>(),
    openedAt: time('opened_at').notNull(),
    resolvedAt: time('resolved_at'),
  },
  (t) => [
    unique('incidents_once').on(t.userId, t.sessionId, t.toolUseId),
    unique('incidents_tenant').on(t.userId, t.id),
    inProject(t),
    inSession(t),
    index('incidents_signature').on(t.userId, t.projectId, t.signature),
    index('incidents_session').on(t.sessionId, t.status),
    ownRows(),
  ],
);

/** A lesson. Versions share a lineage; their validity periods never overlap (exclusion constraint in SQL). */
export const learnings = pgTable(
  'learnings',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    lineageId: uuid('lineage_id').notNull().defaultRandom(),
    supersedes: uuid('supersedes'),
    /** a lesson under review is kept but never injected */
    status: text('status', { enum: ['active', 'review'] }).notNull(),
    lesson: text('lesson').notNull(),
    /** when it applies */
    context: text('context').notNull(),
    why: text('why'),
    errorType: text('error_type'),
    keywords: text('keywords').array().notNull().default(sql`'{}'`),
    appliesTo: text('applies_to').array().notNull().default(sql`'{}'`),
    /** the error it answers, and the tool target that raised it */
    signature: text('signature'),
    target: text('target'),
    branch: text('branch'),
    /** posterior mean, see credit.ts */
    confidence: real('confidence').notNull(),
    priorConfidence: real('prior_confidence').notNull(),
    usageCount: integer('usage_count').notNull().default(0),
    successCount: integer('success_count').notNull().default(0),
    failureCount: integer('failure_count').notNull().default(0),
    qualityScore: real('quality_score').notNull(),
    ...provenance(),
    sourceIncidentId: uuid('source_incident_id'),
    sourceError: text('source_error'),
    ...validity(),
    lastConfirmedAt: time('last_confirmed_at').notNull().defaultNow(),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('learnings_tenant').on(t.userId, t.id),
    inProject(t),
    index('learnings_current').on(t.userId, t.projectId, t.status).where(sql`valid_until is null`),
    index('learnings_signature').on(t.userId, t.projectId, t.signature),
    ownRows(),
  ],
);

export const decisions = ['stored', 'review', 'discarded', 'merged', 'superseded'] as const;

/** The queue of candidate lessons, and the record of how each was judged. */
export const learningRequests = pgTable(
  'learning_requests',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    /** null when a person stated the lesson */
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
    decision: text('decision', { enum: decisions }),
    reason: text('reason'),
    score: real('score'),
    learningId: uuid('learning_id'),
    createdAt: time('created_at').notNull().defaultNow(),
    finishedAt: time('finished_at'),
  },
  (t) => [
    unique('learning_requests_incident').on(t.userId, t.incidentId),
    inProject(t),
    foreignKey({
      columns: [t.userId, t.incidentId],
      foreignColumns: [incidents.userId, incidents.id],
    }).onDelete('cascade'),
    index('learning_requests_queue').on(t.runAfter).where(sql`status = 'pending'`),
    ownRows(),
  ],
);

/** Each time a lesson was put before an agent, and what came of it. */
export const learningInjections = pgTable(
  'learning_injections',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    learningId: uuid('learning_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    /** the event that was answered with it */
    dedupKey: text('dedup_key').notNull(),
    event: text('event').notNull(),
    relevance: text('relevance', { enum: ['high', 'medium'] }).notNull(),
    injectedAt: time('injected_at').notNull(),
    outcome: text('outcome', { enum: ['helped', 'failed', 'unused'] }),
    settledAt: time('settled_at'),
  },
  (t) => [
    inSession(t),
    foreignKey({
      columns: [t.userId, t.learningId],
      foreignColumns: [learnings.userId, learnings.id],
    }).onDelete('cascade'),
    unique('learning_injections_once').on(t.userId, t.sessionId, t.dedupKey, t.learningId),
    index('learning_injections_learning').on(t.learningId),
    ownRows(),
  ],
);
