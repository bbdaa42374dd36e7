import { setTimeout as sleep } from 'node:timers/promises';
import { isAwayForNow, kindOfFailure } from '../base/errors/database-failure.ts';
import { type Backoff, backoffMs } from '../base/timing/backoff.ts';
import { driverOf, type Transaction } from './driver.ts';
import type { Database, Tx } from './open.ts';

/** Who the caller is, as the database sees it. */
export type Claims = {
  userId: string;
  role: 'owner' | 'member';
  /** the only project that the caller may name, and whose rows the caller may change; null: any */
  projectId?: string | null;
  /** the project of the key that the hooks came with, which their sessions are of; null: any */
  hooksOf?: string | null;
};

export type AsUserOptions = { readOnly?: boolean; urgent?: boolean };

/**
 * Runs `work` in one transaction as the caller, and returns what it returns. This is the only way to a tenant's rows:
 * the transaction has the role `lore_user` and the caller's claims, so row level security decides what it sees. It
 * commits when `work` resolves and rolls back when `work` rejects.
 *
 * `readOnly` work that loses its connection is tried again, up to four times within 7.5 seconds. `urgent` work, which
 * an agent waits for, is not; in the embedded engine it goes before other work that waits.
 *
 * Keep `work` short and free of model calls: the embedded engine runs one transaction at a time.
 *
 * @throws what `work` throws, or the database's error when the transaction cannot begin or commit
 * @example const notes = await asUser(db, { userId, role: 'member' }, (tx) => listNotes(tx, { limit: 20 }));
 */
export function asUser<T>(
  db: Database,
  claims: Claims,
  work: (tx: Tx) => Promise<T>,
  options: AsUserOptions = {},
): Promise<T> {
  const attempt = () => once(db, claims, work, options);
  // Work that writes is not repeated: it may have been committed before the connection was lost.
  return options.readOnly && !options.urgent ? retryWhenCutOff(attempt) : attempt();
}

function once<T>(
  db: Database,
  claims: Claims,
  work: (tx: Tx) => Promise<T>,
  options: AsUserOptions,
): Promise<T> {
  return (options.urgent ? db.urgent : db.drizzle).transaction(async (tx) => {
    const scoped = tx as unknown as Tx;
    const settings = {
      role: 'lore_user',
      'request.jwt.claims': JSON.stringify({
        sub: claims.userId,
        role: 'authenticated',
        ...(claims.projectId && { project: claims.projectId }),
      }),
    };
    const entered = driverOf<Transaction>(tx).enter(settings, options.readOnly ?? false);
    const [result] = await Promise.all([work(scoped), entered]);
    return result;
  });
}

/** A PostgreSQL server that restarts is back within a second or two. The pauses are random, so they need a margin. */
const PAUSES: Backoff = { firstMs: 500, maxMs: 4_000 };

/** Does work again, after random pauses, while the database is away for now and `again` says so after a failure. */
async function whileAway<T>(
  work: () => Promise<T>,
  again: (failures: number, error: unknown) => boolean,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isAwayForNow(error) || !again(failures, error)) throw error;
      await sleep(backoffMs(failures, PAUSES));
    }
  }
}

/**
 * Runs work that only reads. If the connection to the database breaks meanwhile, the work is run again, up to four more
 * times, after random pauses of up to 0.5, 1, 2 and 4 s.
 *
 * @throws what `work` throws, if that is not a lost connection or if the last try fails too
 */
export const retryWhenCutOff = <T>(work: () => Promise<T>): Promise<T> =>
  whileAway(work, (failures) => failures <= 4);

/**
 * Does what a server needs its database for at its start. It is tried again for a minute, since an address that is wrong
 * looks like a database that is away, and `say` is told why, once for each reason.
 *
 * @throws what `work` throws, if that does not pass by itself
 */
export function whenThere<T>(work: () => Promise<T>, say: (why: string) => void): Promise<T> {
  let said = '';
  const until = Date.now() + 60_000;
  return whileAway(work, (_, error) => {
    const { reason } = kindOfFailure(error);
    if (reason !== said) say(reason);
    said = reason;
    return Date.now() < until;
  });
}
