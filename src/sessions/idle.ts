import { sql } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { userIds } from '../db/system.ts';

/** Returns the ids of the users who have an active session without an event for `idleMinutes`. */
export const usersWithIdleSessions = (db: Database, idleMinutes: number): Promise<string[]> =>
  userIds(db, sql`select lore.users_with_idle_sessions(make_interval(mins => ${idleMinutes}::int)) as id`);
