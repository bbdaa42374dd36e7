import { type Backoff, backoffMs } from '../timing/backoff.ts';
import type { Entry } from './line.ts';

// What waits is kept in a queue for each user: entries of one user are stored in their order, and what cannot be stored of
// one user holds up no other.

/** `number`: how many were taken before it; `bytes`: length of its line */
type Numbered = { number: number; entry: Entry; bytes: number };

/** What waits of one user, in order, and how it goes with storing it. */
export type Queue = {
  waiting: Numbered[];
  /** the user whose turn is the smallest is next; after each batch it is that of all others first */
  turn: number;
  /** number of entries to store one by one, to find out which of them fails */
  alone: number;
  /** how often the first entry, alone, could not be stored */
  tries: number;
  /** why the first entry cannot be stored for now; the others of this user wait for it, those of other users do not */
  stuck: string | null;
  /** when to try it again, in milliseconds since 1970 */
  due: number;
};

export type Queues = {
  /** Puts an entry behind the others of its user. Returns their queue. */
  add(entry: Entry, bytes: number): Queue;
  /** Returns the number of entries in all queues. */
  waiting(): number;
  /**
   * Returns whether at least so many entries, of anybody or of one user, are on their way to the database: they wait for
   * none that is stuck.
   */
  areGoing(atLeast: number, userId?: string): boolean;
  /** Returns how many entries were taken so far. */
  taken(): number;
  /**
   * Returns the number of the oldest entry, of anybody or of one user, that is on its way to the database; that of the
   * next one if there is none.
   */
  oldestGoing(userId?: string): number;
  /** Returns the queue whose turn it is. One that is stuck gets a turn only when it is due, and `stuckToo` is true. */
  next(stuckToo: boolean): Queue | undefined;
  /** Removes the first entries of a queue, which need not be stored any more. */
  finish(queue: Queue, count: number): void;
  /** Puts a user whose entries failed behind all others. */
  toTheEnd(queue: Queue): void;
  /** Has the first entry of a queue, and so those behind it, wait for a while. */
  postpone(queue: Queue, reason: string): void;
  /** Returns why the entries of somebody are stuck; null if nobody's are. */
  stuck(): string | null;
  /** Returns when a queue is due first, in milliseconds since 1970. Ask it when all of them are stuck. */
  due(): number;
  /** Returns everything that waits, in the order in which it was taken. */
  all(): Numbered[];
};

/** The pauses before the next try, both of one user's entries and of a database that is away. */
export const PAUSES: Backoff = { firstMs: 1_000, maxMs: 30_000 };

export function createQueues(): Queues {
  /** none of them is empty */
  const byUser = new Map<string, Queue>();
  /** number of entries in all queues */
  let waiting = 0;
  /** number of the next entry */
  let next = 0;
  /** the turn behind all others */
  let lastTurn = 0;
  const of = (userId: string | undefined) =>
    userId === undefined ? [...byUser.values()] : [byUser.get(userId)].filter((queue) => queue !== undefined);
  const going = (userId?: string) => of(userId).filter(({ stuck }) => stuck === null);
  return {
    add(entry, bytes) {
      const { userId } = entry.claims;
      let queue = byUser.get(userId);
      if (!queue) {
        const nothingFailed = { alone: 0, tries: 0, stuck: null, due: 0 };
        queue = { waiting: [], turn: lastTurn++, ...nothingFailed };
        byUser.set(userId, queue);
      }
      queue.waiting.push({ number: next, entry, bytes });
      next += 1;
      waiting += 1;
      return queue;
    },
    waiting: () => waiting,
    areGoing: (atLeast, userId) =>
      waiting >= atLeast && going(userId).reduce((sum, queue) => sum + queue.waiting.length, 0) >= atLeast,
    taken: () => next,
    oldestGoing: (userId) =>
      Math.min(next, ...going(userId).map((queue) => queue.waiting[0]?.number ?? next)),
    next(stuckToo) {
      const now = Date.now();
      const ready = [...byUser.values()].filter(
        ({ stuck, due }) => stuck === null || (stuckToo && due <= now),
      );
      return ready.reduce<Queue | undefined>((a, b) => (a && a.turn <= b.turn ? a : b), undefined);
    },
    finish(queue, count) {
      const [first] = queue.waiting.splice(0, count);
      waiting -= count;
      const [following] = queue.waiting;
      if (following) queue.turn = lastTurn++;
      else if (first) byUser.delete(first.entry.claims.userId);
      queue.alone = Math.max(0, queue.alone - count);
      queue.tries = 0;
      queue.stuck = null;
    },
    toTheEnd(queue) {
      queue.turn = lastTurn++;
    },
    postpone(queue, reason) {
      queue.stuck = reason;
      queue.due = Date.now() + backoffMs(queue.tries, PAUSES);
    },
    stuck: () => [...byUser.values()].find(({ stuck }) => stuck !== null)?.stuck ?? null,
    due: () => Math.min(...[...byUser.values()].map(({ due }) => due)),
    all: () => [...byUser.values()].flatMap((queue) => queue.waiting).sort((a, b) => a.number - b.number),
  };
}
