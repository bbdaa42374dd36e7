import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inSession } from '../sessions/schema.ts';

/** Verdicts of the model, which hold for seven days, and of people, which hold until used up or taken back. */
export const commandCache = pgTable(
  'command_cache',
  {
    userId: userId(),
    /** keyed hash of the command, its folders and the content of the files that it runs (see `cacheKey`) */
    key: text('key').notNull(),
    /** the first sixteen characters of the key, which people type */
    code: text('code').notNull(),
    command: text('command').notNull(),
    cwd: text('cwd').notNull(),
    decision: text('decision', { enum: ['allow', 'deny'] }).notNull(),
    reason: text('reason').notNull(),
    checkedBy: text('checked_by').notNull(),
    /** a person's verdict that holds for the next time only */
    once: boolean('once').notNull().default(false),
    hitCount: integer('hit_count').notNull().default(0),
    checkedAt: time('checked_at').notNull().defaultNow(),
    /** null: it holds until taken back */
    expiresAt: time('expires_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.key] }),
    index('command_cache_code').on(t.userId, t.code),
    ownRows(),
  ],
);

/** Every check of a command, for metrics and for `lore allow <code>`. */
export const commandChecks = pgTable(
  'command_checks',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: userId(),
    sessionId: uuid('session_id'),
    /** the client's id of the call; null: no hook asked */
    toolUseId: text('tool_use_id'),
    /**
     * id of the check's line in the journal, so that it is stored once; null if it is stored with its event,
     * or if the line is an old one
     */
    entryId: uuid('entry_id'),
    key: text('key').notNull(),
    code: text('code').notNull(),
    /** the tool, if it is not a shell; then `command` says in one line what it was about to do */
    tool: text('tool'),
    command: text('command').notNull(),
    cwd: text('cwd').notNull(),
    /** `hold`: a lesson stopped the call once, so that it was read first */
    decision: text('decision', { enum: ['allow', 'deny', 'ask', 'hold'] }).notNull(),
    source: text('source').notNull(),
    rule: text('rule'),
    /** the person's rule or the lesson that stopped the call; null if none did */
    lessonId: uuid('lesson_id'),
    severity: text('severity'),
    reason: text('reason').notNull(),
    cached: boolean('cached').notNull(),
    /** whether the key covers every file that the command runs */
    covered: boolean('covered').notNull().default(true),
    ms: real('ms').notNull(),
    /** what a person said of a call that a rule or a lesson stopped; null: nothing */
    judged: text('judged', { enum: ['right', 'wrong'] }),
    checkedAt: time('checked_at').notNull().defaultNow(),
  },
  (t) => [
    inSession(t),
    index('command_checks_code').on(t.userId, t.code),
    index('command_checks_held').on(t.userId, t.lessonId).where(sql`lesson_id is not null`),
    index('command_checks_stopped').on(t.sessionId).where(sql`decision in ('deny', 'hold')`),
    index('command_checks_time').on(t.userId, t.checkedAt),
    uniqueIndex('command_checks_entry').on(t.userId, t.entryId).where(sql`entry_id is not null`),
    ownRows(),
  ],
);
