import { sql } from 'drizzle-orm';
import { pgPolicy, timestamp, uuid } from 'drizzle-orm/pg-core';
import { authenticatedRole } from 'drizzle-orm/supabase';

/** The tenant column that every table has; the database fills it from the caller's claims. */
export const userId = () => uuid('user_id').notNull().default(sql`auth.uid()`);

/** `timestamptz`, read and written as a `Date`. */
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Row level security for a tenant's table: a caller sees and writes only rows that carry their own user id. */
export const ownRows = () =>
  pgPolicy('own rows', {
    for: 'all',
    to: authenticatedRole,
    using: sql`(select auth.uid()) = user_id`,
    withCheck: sql`(select auth.uid()) = user_id`,
  });
