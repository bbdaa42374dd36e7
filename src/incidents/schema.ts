import { type AnyPgColumn, foreignKey, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { ownRows, time, userId } from '../db/columns.ts';
import { inProject, inSession } from '../sessions/schema.ts';

const noneOrText = z.string().nullable();

/** What answered an error, and what was done until then. */
export const Resolution = z.object({
  /** how the call that worked resembles the one that failed */
  kind: z.enum(['same', 'arguments', 'other']),
  /** the call that worked */
  toolUseId: noneOrText,
  command: noneOrText,
  edits: z.array(z.object({ file: z.string(), before: noneOrText, after: noneOrText })),
  commands: z.array(z.string()),
  /** commands that did not help: they failed, or the error came again after them */
  attempts: z.array(z.string()),
  /** what the person said in between, and what the agent said at the end of the turn */
  said: noneOrText,
  lastMessage: noneOrText,
  /** the session in which it worked, if it is another one */
  sessionId: noneOrText,
});
export type Resolution = z.infer<typeof Resolution>;

/** What was done in vain about an error that nothing answered, and the error in which the last try ended. */
export const Tried = z.object({ steps: z.array(z.string()), end: z.string() });

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
    /** set when the session ended and nothing had answered the error although something was tried */
    tried: jsonb('tried').$type<z.infer<typeof Tried>>(),
    openedAt: time('opened_at').notNull(),
    resolvedAt: time('resolved_at'),
  },
  (t) => [
    unique('incidents_once').on(t.userId, t.sessionId, t.toolUseId),
    unique('incidents_tenant').on(t.userId, t.id),
    inProject(t),
    inSession(t),
    index('incidents_signature').on(t.userId, t.projectId, t.signature),
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
