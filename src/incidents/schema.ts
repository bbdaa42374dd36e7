import { type AnyPgColumn, foreignKey, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inProject, inSession } from '../sessions/schema.ts';
import type { Likeness } from './passes.ts';
import type { Edit } from './steps.ts';

/** What answered an error, and what was done until then. */
export type Resolution = {
  /** how the call that worked resembles the one that failed */
  kind: Likeness;
  /** the call that worked */
  toolUseId: string | null;
  command: string | null;
  edits: Edit[];
  commands: string[];
  /** commands that did not help: they failed, or the error came again after them */
  attempts: string[];
  /** what the person said in between, and what the agent said at the end of the turn */
  said: string | null;
  lastMessage: string | null;
  /** the session in which it worked, if it is another one */
  sessionId: string | null;
};

/** What was done in vain about an error that nothing answered. */
export type Tried = {
  /** commands, and the files that were edited, in their order */
  steps: string[];
  /** the error in which the last try ended */
  end: string;
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
    /** hashes of its lines that tell enough by themselves, see `errorSignature` */
    lines: text('lines').array().notNull().default([]),
    /** open → resolved, or → unresolved if the session ended first */
    status: text('status', { enum: ['open', 'resolved', 'unresolved'] })
      .notNull()
      .default('open'),
    resolution: jsonb('resolution').$type<Resolution>(),
    /** set when the session ended and nothing had answered the error although something was tried */
    tried: jsonb('tried').$type<Tried>(),
    openedAt: time('opened_at').notNull(),
    resolvedAt: time('resolved_at'),
  },
  (t) => [
    unique('incidents_once').on(t.userId, t.sessionId, t.toolUseId),
    unique('incidents_tenant').on(t.userId, t.id),
    inProject(t),
    inSession(t),
    index('incidents_signature').on(t.userId, t.projectId, t.signature),
    index('incidents_lines').using('gin', t.lines),
    index('incidents_opened').on(t.userId, t.projectId, t.openedAt),
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
