import { sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { asUser } from '../db/as-user.ts';
import { type Database, query } from '../db/open.ts';
import { forEachUser } from '../db/system.ts';

// When a lease ends is decided in `free_expired_steps` (sql/plans/change_step.sql), which also takes and renews it.

/**
 * Gives back the steps of all users whose agents have been silent for too long. Returns whether there may be
 * more.
 */
export function freeExpired(db: Database, log: Log): Promise<boolean> {
  const users = sql`select lore.users_with_expired_steps() as id`;
  return forEachUser(db, users, { log, name: 'free steps' }, async (userId) => {
    await asUser(db, { userId, role: 'member' }, (tx) => query(tx, sql`select free_expired_steps()`));
    return false;
  });
}
