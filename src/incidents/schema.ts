import { type AnyPgColumn, foreignKey, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inProject, inSession } from '../sessions/schema.ts';

/** What was done between an error and its resolution. */
export type Resolution = {
  kind: 'same' | 'variant';
  /** the call that worked */
  toolUseId: string | null;
  command: string | null;
  edits: { file: string; before: string | null; after: string | null }[];
  commands: string[];
  lastMessage: string | null;
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
    /** open → resolved, or → unresolved if the session ended first */
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

/** Returns a foreign key to an incident of the same user. */
export const inIncident = (t: { userId: AnyPgColumn; incidentId: AnyPgColumn }) =>
  foreignKey({
    columns: [t.userId, t.incidentId],
    foreignColumns: [incidents.userId, incidents.id],
  }).onDelete('cascade');
