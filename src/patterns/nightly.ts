import { sql } from 'drizzle-orm';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { forEachUser } from '../db/system.ts';
import type { ModelFor } from '../llm/choose.ts';
import type { Log } from '../log.ts';
import { minePatterns } from './mine.ts';
import { namePatterns } from './name-patterns.ts';

/** Episodes that have waited this long are mined, whether or not there was a night. */
const MAX_WAIT = '12 hours';

/** Mines and names the patterns of a user: all that is to be done at night. Safe to run again at any time. */
export async function mineAtNight(
  services: { db: Database; modelFor: ModelFor },
  claims: Claims,
  signal: AbortSignal,
): Promise<{ mined: number; named: number }> {
  const { db, modelFor } = services;
  const { mined } = await minePatterns(db, claims);
  return { mined, named: mined > 0 ? await namePatterns(db, await modelFor(claims, signal), claims) : 0 };
}

/** Mines the patterns of the users whose episodes have waited for half a day. Returns false: it does all of them. */
export function mineWaiting(
  services: { db: Database; modelFor: ModelFor; log: Log },
  signal: AbortSignal,
): Promise<boolean> {
  const { db, log } = services;
  const waiting = sql`select lore.users_to_mine_patterns(${MAX_WAIT}::interval) as id`;
  return forEachUser(db, waiting, { log, name: 'mine patterns', signal }, async (userId) => {
    await mineAtNight(services, { userId, role: 'member' }, signal);
    return false;
  });
}
