import type { SQL } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { type Database, query } from './open.ts';
import { reasonOf } from './queue.ts';

/**
 * Runs the statement behind it as no user, one of the few that cannot run as one, and returns its rows. Each calls one
 * SECURITY DEFINER function of schema `lore`. A statement that reads a tenant's table directly does not belong here.
 * `urgent`: a hook waits for it, as in `asUser`.
 *
 * @example const [row] = await askSystem<{ id: string }>(db)`select id from lore.instance`;
 */
export const askSystem = <T extends Record<string, unknown>>(db: Database, { urgent = false } = {}) =>
  query<T>(urgent ? db.urgent : db.drizzle);

/**
 * Does some work for each user whose `id` such a statement returns, one after the other. If it fails for a
 * user, the error is logged and the next user follows, so that broken rows of one user do not hold up the
 * others. Returns whether any `work` returned true.
 *
 * @param about.name what the work is, for the log
 * @param about.signal once it is aborted, no more users follow
 */
export async function forEachUser(
  db: Database,
  statement: SQL,
  { log, name, signal }: { log: Log; name: string; signal?: AbortSignal },
  work: (userId: string) => Promise<boolean>,
): Promise<boolean> {
  let more = false;
  for (const { id } of await query(db.drizzle, statement)) {
    if (signal?.aborted) break;
    const userId = String(id);
    try {
      more = (await work(userId)) || more;
    } catch (error) {
      log.error({ name, userId, reason: reasonOf(error) }, 'background work failed for a user');
    }
  }
  return more;
}

/** Returns the id of this database. It belongs to the data, not to a server or a folder: a copy has the same id. */
export async function instanceId(db: Database): Promise<string> {
  const [row] = await askSystem<{ id: string }>(db)`select id from lore.instance`;
  if (!row) throw new Error('lore.instance has no row');
  return row.id;
}
