import { bigint, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inSession } from '../sessions/schema.ts';

/**
 * What a session's events tell about how it went, counted once when it ends. So metrics over many sessions need not read
 * their events.
 */
export const sessionMeasures = pgTable(
  'session_measures',
  {
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    startedAt: time('started_at').notNull(),
    /** a person's prompts, tool calls, and those of the shell among them */
    prompts: integer('prompts').notNull(),
    calls: integer('calls').notNull(),
    commands: integer('commands').notNull(),
    /** different errors, and those of them that the project had met in an earlier session */
    errors: integer('errors').notNull(),
    repeatedErrors: integer('repeated_errors').notNull(),
    /** time in which the agent was at work, see docs/metrics.md; null: it had no turn */
    workingMs: bigint('working_ms', { mode: 'number' }),
    measuredAt: time('measured_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'session_measures_own', columns: [t.userId, t.sessionId] }),
    inSession(t),
    index('session_measures_time').on(t.userId, t.startedAt),
    ownRows(),
  ],
);
