import { setImmediate } from 'node:timers/promises';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { isConnectionLoss } from '../db/retry.ts';
import type { Fault } from './steps.ts';

type Change = (tx: Tx) => Promise<Fault | null>;

type Waiting = {
  change: Change;
  resolve: (fault: Fault | null) => void;
  reject: (error: unknown) => void;
};

/** Most changes that lock the plan together, because changes by other servers wait for the lock too. */
const MAX_TOGETHER = 20;

/** Makes a change of a plan, as the caller. */
export type InTurn = (claims: Claims, plan: string, change: Change) => Promise<Fault | null>;

/**
 * Returns a function that changes plans. All changes of one plan wait for each other in the database. So
 * changes that arrive while another one is running are put together into the next transaction: twenty agents
 * then wait for two transactions and not for twenty. Each change is one statement and must lock the plan
 * first (claim_step, end_step and note_step do).
 *
 * The function resolves when the change is committed. It rejects with the database's error. If a change
 * fails, the others in its transaction are made all the same.
 */
export function plansInTurn(db: Database): InTurn {
  /** what waits for each plan that is being changed */
  const waiting = new Map<string, Waiting[]>();

  const alone = (claims: Claims, { change, resolve, reject }: Waiting) =>
    asUser(db, claims, change, { single: true }).then(resolve, reject);

  async function together(claims: Claims, batch: Waiting[]) {
    if (batch.length === 1) return alone(claims, batch[0] as Waiting);
    try {
      const faults = await asUser(db, claims, (tx) => Promise.all(batch.map(({ change }) => change(tx))));
      for (const [i, { resolve }] of batch.entries()) resolve(faults[i] ?? null);
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
    const mine: Waiting[] = [];
    waiting.set(key, mine);
    const answer = new Promise<Fault | null>((resolve, reject) => mine.push({ change, resolve, reject }));
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
