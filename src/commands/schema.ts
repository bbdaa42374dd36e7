import { bigint, boolean, index, integer, pgTable, primaryKey, real, text, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inSession } from '../sessions/schema.ts';

/** Verdicts of the model, kept for seven days, and of a person, kept until used up or taken back. */
export const commandCache = pgTable(
  'command_cache',
  {
    userId: userId(),
    /** sha256 of the normalised command, the folder's role, and the content of what it runs */
    key: text('key').notNull(),
    /** the first characters of the key, as people type it */
    code: text('code').notNull(),
    command: text('command').notNull(),
    cwd: text('cwd').notNull(),
    decision: text('decision', { enum: ['allow', 'deny'] }).notNull(),
    reason: text('reason').notNull(),
    checkedBy: text('checked_by').notNull(),
    /** a person's verdict for the next time only */
    once: boolean('once').notNull().default(false),
    hitCount: integer('hit_count').notNull().default(0),
    checkedAt: time('checked_at').notNull().defaultNow(),
    /** null: until taken back */
    expiresAt: time('expires_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.key] }),
    index('command_cache_code').on(t.userId, t.code),
    ownRows(),
  ],
);

/** Every check, for metrics and for `lore allow <code>`. */
export const commandChecks = pgTable(
  'command_checks',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: userId(),
    sessionId: uuid('session_id'),
    key: text('key').notNull(),
    code: text('code').notNull(),
    command: text('command').notNull(),
    cwd: text('cwd').notNull(),
    decision: text('decision', { enum: ['allow', 'deny', 'ask'] }).notNull(),
    source: text('source').notNull(),
    rule: text('rule'),
    severity: text('severity'),
    reason: text('reason').notNull(),
    cached: boolean('cached').notNull(),
    ms: real('ms').notNull(),
    checkedAt: time('checked_at').notNull().defaultNow(),
  },
  (t) => [
    inSession(t),
    index('command_checks_code').on(t.userId, t.code),
    index('command_checks_time').on(t.userId, t.checkedAt),
    ownRows(),
  ],
);
