import { sql } from 'drizzle-orm';
import { asUser } from '../db/as-user.ts';
import { type Database, query } from '../db/open.ts';
import { userIds } from '../db/system.ts';

/** Gives back the steps of all users whose agents were not heard of for too long. Returns whether there may be more. */
export async function freeExpired(db: Database): Promise<boolean> {
  for (const userId of await userIds(db, sql`select lore.users_with_expired_steps() as id`)) {
    await asUser(db, { userId, role: 'member' }, (tx) => query(tx, sql`select free_expired_steps()`));
  }
  return false;
}
