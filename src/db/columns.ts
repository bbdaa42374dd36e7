import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { pgPolicy, pgRole, timestamp, uuid } from 'drizzle-orm/pg-core';

/** The tenant column that every table has; the database fills it from the caller's claims. */
export const userId = () => uuid('user_id').notNull().default(sql`auth.uid()`);

/** `timestamptz`, read and written as a `Date`. */
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Stands for the project of rows that have none, where a null would count as equal to nothing. */
export const NO_PROJECT = '00000000-0000-0000-0000-000000000000';

/** When a row is valid: from an instant (inclusive) to another (exclusive; null: still valid). Closed rows are kept. */
export const validity = () => ({
  validFrom: time('valid_from').notNull().defaultNow(),
  validUntil: time('valid_until'),
});

/** Row level security for a tenant's table, for the role that `asUser` enters (sql/platform.sql): a caller sees and writes only rows with their own user id. */
export const ownRows = () =>
  pgPolicy('own rows', {
    for: 'all',
    to: pgRole('lore_user').existing(),
    using: sql`(select auth.uid()) = user_id`,
    withCheck: sql`(select auth.uid()) = user_id`,
  });

/**
 * In bytes of UTF-8. A b-tree index holds at most 2,704 bytes per row (a third of a page; PostgreSQL refuses more with
 * SQLSTATE 54000, unless the text compresses well). The rest is for the other columns of the index.
 */
export const MAX_INDEXED_BYTES = 2_400;

/**
 * Returns a text in the form in which an indexed column holds it: unchanged, or, if it is too long for an index, its
 * beginning and its hash. Equal texts stay equal and different texts different.
 */
export function indexable(text: string): string {
  if (Buffer.byteLength(text) <= MAX_INDEXED_BYTES) return text;
  const hash = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, MAX_INDEXED_BYTES / 4)}…${hash}`.toWellFormed();
}
