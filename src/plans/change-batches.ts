import { setImmediate } from 'node:timers/promises';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { isConnectionLoss } from '../db/retry.ts';
import { Problem } from '../errors/problem.ts';

/** Most changes that lock the plan together, because changes by other servers wait for the lock too. */
const MAX_TOGETHER = 20;

type Waiting<T> = {
  change: (tx: Tx) => Promise<T>;
  resolve: (made: T) => void;
  reject: (error: unknown) => void;
};

/**
 * Returns a function that changes plans as the caller. All changes of one plan wait for each other in the database. So
 * changes that arrive while another one is running go together into the next transaction: twenty agents then wait for two
 * transactions and not for twenty. A change that changed nothing throws a Problem. If the database refuses one, the
 * others of its transaction are made all the same.
 */
export function plansInTurn<T>(db: Database) {
  const queues = new Map<string, Waiting<T>[]>();

  async function make(claims: Claims, batch: Waiting<T>[]): Promise<void> {
    const attempt = (tx: Tx, { change }: Waiting<T>) =>
      change(tx).then(
        (value) => ({ value }),
        (error) => {
          if (error instanceof Problem) return { error };
          throw error;
        },
      );
    try {
      const made = await asUser(db, claims, (tx) => Promise.all(batch.map((one) => attempt(tx, one))));
      for (const [i, one] of made.entries()) {
        if ('error' in one) batch[i]?.reject(one.error);
        else batch[i]?.resolve(one.value);
      }
    } catch (error) {
      // after a lost connection it is not known whether they were made, so they are not tried again
      if (batch.length === 1 || isConnectionLoss(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await make(claims, [one]);
    }
  }

  async function makeAll(claims: Claims, key: string, queue: Waiting<T>[]): Promise<void> {
    while (queue.length > 0) {
      await make(claims, queue.splice(0, MAX_TOGETHER));
      // an agent that has its answer may ask for the next step at once
      await setImmediate();
    }
    queues.delete(key);
  }

  return (claims: Claims, plan: string, change: Waiting<T>['change']): Promise<T> =>
    new Promise((resolve, reject) => {
      const key = `${claims.userId} ${plan}`;
      const queue = queues.get(key);
      const mine = queue ?? [];
      mine.push({ change, resolve, reject });
      if (queue) return;
      queues.set(key, mine);
      void makeAll(claims, key, mine);
    });
}
