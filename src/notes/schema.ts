import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, primaryKey, real, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { WRITERS } from '../http/key-scope.ts';
import { inProject } from '../sessions/schema.ts';

/** What a note is based on and how to use it. Any other names are allowed too. */
export type NoteMetadata = {
  breadcrumbs?: Record<string, unknown>;
  task_context?: Record<string, unknown>;
  extraction_hints?: Record<string, unknown>;
  [name: string]: unknown;
};

export const messageTypes = ['reflection', 'decision', 'pattern', 'policy'] as const;

/** The type of the notes in a channel of this name. */
export const TYPE_OF_CHANNEL: Record<string, (typeof messageTypes)[number]> = {
  decisions: 'decision',
  patterns: 'pattern',
  policies: 'policy',
};

/** An immutable reflection in a channel. */
export const notes = pgTable(
  'notes',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    /** null: it belongs to the user and is found from all projects */
    projectId: uuid('project_id'),
    channel: text('channel').notNull(),
    sender: text('sender'),
    senderProject: text('sender_project'),
    /** by its key, whatever `sender` says; null: it is older than 0.5 */
    writtenBy: text('written_by', { enum: WRITERS }),
    content: text('content').notNull(),
    confidence: real('confidence').notNull().default(0.5),
    mentions: text('mentions').array().notNull().default(sql`'{}'`),
    messageType: text('message_type', { enum: messageTypes }).notNull().default('reflection'),
    metadata: jsonb('metadata').$type<NoteMetadata>().notNull().default({}),
    /** the conversation that it belongs to, if the client names one */
    conversation: text('conversation'),
    /** idempotency key: a second note with the same key is not stored */
    dedupKey: text('dedup_key'),
    /** the note that this one replaces */
    supersedes: uuid('supersedes'),
    createdAt: time('created_at').notNull().defaultNow(),
    /** set when another note replaces it */
    validUntil: time('valid_until'),
    /** order of arrival, because notes stored in one request may have the same time */
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  (t) => [
    primaryKey({ name: 'notes_own', columns: [t.userId, t.id] }),
    unique('notes_once').on(t.userId, t.dedupKey),
    inProject(t),
    index('notes_order').on(t.userId, t.projectId, t.createdAt, t.seq),
    index('notes_recent').on(t.userId, t.createdAt, t.seq),
    index('notes_channel').on(t.userId, t.channel, t.createdAt),
    index('notes_sender').on(t.userId, t.sender, t.createdAt),
    index('notes_mentions').on(t.userId, t.createdAt).where(sql`mentions <> '{}'`),
    ownRows(),
  ],
);

/** Channels that notes were written to, or that somebody described. A trigger adds those of new notes. */
export const channels = pgTable(
  'channels',
  {
    userId: userId(),
    name: text('name').notNull(),
    description: text('description'),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.name] }), ownRows()],
);

/** Agents that wrote notes, started as subagents, or were described. A trigger adds the writers of new notes. */
export const agents = pgTable(
  'agents',
  {
    userId: userId(),
    name: text('name').notNull(),
    description: text('description'),
    createdAt: time('created_at').notNull().defaultNow(),
    lastActive: time('last_active').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.name] }), ownRows()],
);
