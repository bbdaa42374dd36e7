import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { SCOPES } from '../http/key-scope.ts';
import { inProject } from '../sessions/schema.ts';

/** One row per user. Exactly one user is the owner: the account that runs the server and may add others. */
export const profiles = pgTable(
  'profiles',
  {
    userId: userId().primaryKey(),
    name: text('name').notNull(),
    role: text('role', { enum: ['owner', 'member'] }).notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
    /** when the owner removed the member; none of the account's keys is valid since */
    removedAt: time('removed_at'),
    /** the user of Supabase Auth who signs in to this account; null: nobody does */
    authId: uuid('auth_id').unique(),
  },
  (t) => [uniqueIndex('profiles_one_owner').on(t.role).where(sql`role = 'owner'`), ownRows()],
);

/** Codes that a phone signs in with: each once, within minutes (`pairings.ts`). Only the SHA-256 of a code is stored. */
export const pairings = pgTable(
  'pairings',
  {
    codeHash: text('code_hash').primaryKey(),
    userId: userId().references(() => profiles.userId, { onDelete: 'cascade' }),
    /** the key that asked for it: once that is revoked, the code is worth nothing */
    madeBy: uuid('made_by').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [index('pairings_user').on(t.userId), ownRows()],
);

/** Keys, each with what it may be used for. Only the SHA-256 of a key is stored. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId().references(() => profiles.userId, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull().unique(),
    /** where it comes from: a person made it, or a server was started with it; null: from before 0.3 */
    source: text('source', { enum: ['person', 'LORE_KEY', 'key file'] }),
    /** what it may be used for (`src/server/api/key-scopes.ts`); keys from before scopes are a person's */
    scope: text('scope', { enum: SCOPES }).notNull().default('person'),
    /** the only project that it is for; null: any */
    projectId: uuid('project'),
    createdAt: time('created_at').notNull().defaultNow(),
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
  },
  (t) => [
    index('api_keys_user').on(t.userId),
    inProject(t),
    check('api_keys_scope', sql`scope in ('hooks', 'person', 'device')`),
    ownRows(),
  ],
);
