import { setImmediate } from 'node:timers/promises';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { isConnectionLoss } from '../db/retry.ts';
import { Problem } from '../errors/problem.ts';

type Change<T> = (tx: Tx) => Promise<T>;

type Waiting<T> = {
  change: Change<T>;
  resolve: (made: T) => void;
  reject: (error: unknown) => void;
};

/** Most changes that lock the plan together, because changes by other servers wait for the lock too. */
const MAX_TOGETHER = 20;

/** What became of a change that did not fail. */
type Made<T> = { value: T } | { refused: Problem };

/** Makes a change of a plan, as the caller. `plan`: as the caller names it. */
type InTurn<T> = (claims: Claims, plan: string, change: Change<T>) => Promise<T>;

/**
 * Returns a function that changes plans. All changes of one plan wait for each other in the database. So
 * changes that arrive while another one is running are put together into the next transaction: twenty agents
 * then wait for two transactions and not for twenty. Each change must lock the plan first (claim_step, end_step and
 * note_step do).
 *
 * The function resolves when the change is committed. It rejects with the database's error, or with the Problem that the
 * change threw because it changed nothing. If a change fails, the others in its transaction are made all the same.
 */
export function plansInTurn<T>(db: Database): InTurn<T> {
  /** what waits for each plan that is being changed */
  const waiting = new Map<string, Waiting<T>[]>();

  const alone = (claims: Claims, { change, resolve, reject }: Waiting<T>) =>
    asUser(db, claims, change).then(resolve, reject);

  async function together(claims: Claims, batch: Waiting<T>[]) {
    if (batch.length === 1) return alone(claims, batch[0] as Waiting<T>);
    const settled = (made: Promise<T>): Promise<Made<T>> =>
      made.then(
        (value) => ({ value }),
        (refused) => {
          if (refused instanceof Problem) return { refused };
          throw refused;
        },
      );
    try {
      const made = await asUser(db, claims, (tx) =>
        Promise.all(batch.map(({ change }) => settled(change(tx)))),
      );
      for (const [i, one] of made.entries()) {
        const { resolve, reject } = batch[i] as Waiting<T>;
        'value' in one ? resolve(one.value) : reject(one.refused);
      }
    } catch (error) {
      // Whether they were committed is not known then, so they are not tried again.
      const isUnknown = isConnectionLoss(error);
      for (const one of batch) isUnknown ? one.reject(error) : await alone(claims, one);
    }
  }

  return async (claims, plan, change) => {
    const key = `${claims.userId} ${plan}`;
    const queue = waiting.get(key);
    if (queue) return new Promise((resolve, reject) => queue.push({ change, resolve, reject }));
    const mine: Waiting<T>[] = [];
    waiting.set(key, mine);
    const answer = new Promise<T>((resolve, reject) => mine.push({ change, resolve, reject }));
    void (async () => {
      while (mine.length > 0) {
        await together(claims, mine.splice(0, MAX_TOGETHER));
        // an agent that has its answer may ask for the next step at once
        await setImmediate();
      }
      waiting.delete(key);
    })();
    return answer;
  };
}
