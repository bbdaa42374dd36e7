import { setImmediate } from 'node:timers/promises';
import { type Failure, kindOfFailure } from '../errors/database-failure.ts';
import type { Log } from '../log.ts';
import { backoffMs } from '../timing/backoff.ts';
import { createStates, type Moves } from '../timing/states.ts';
import { PAUSES, type Queue, type Queues } from './journal-queues.ts';
import type { Entry } from './line.ts';

/**
 * Time to gather entries, so that one transaction stores several. This needs only a third of the processor time.
 * Requests for data do not wait for it.
 */
const GATHER_MS = 500;
/** Entries stored in one transaction. Other work of the database waits that long. */
const MAX_BATCH = 50;
/** Number of tries of an entry if it is unclear whether the database refused it for good. */
const MAX_TRIES = 4;

/**
 * What the worker does:
 * - `idle`: nothing waits
 * - `gathering`: something waits for more, to be stored with it in one transaction
 * - `storing`: entries are being stored
 * - `waiting-to-retry`: entries of some users could not be stored, and are tried again later; all others are stored
 * - `waiting-for-database`: the database took nothing at the last try, and is tried again later
 * - `draining`: the journal is being closed; what waits is stored once more
 * - `stopped`: nothing is stored any more
 */
export type JournalState = keyof typeof MOVES;

const MOVES = {
  idle: ['gathering', 'storing'],
  gathering: ['storing'],
  // a second time if something came meanwhile
  storing: ['storing', 'idle', 'waiting-to-retry', 'waiting-for-database', 'draining'],
  'waiting-to-retry': ['gathering', 'storing'],
  'waiting-for-database': ['storing', 'stopped'],
  draining: ['stopped'],
  stopped: [],
} as const satisfies Moves<string>;

export const JOURNAL_STATES = Object.keys(MOVES) as [JournalState, ...JournalState[]];

/** Stores what waits, behind the answers. */
export type JournalWorker = {
  /** Stores what waits as soon as the requests under way are answered. */
  start(): void;
  /** The same for an entry that was just put into a queue, but other entries may join it before. */
  startSoon(queue: Queue): void;
  /** Resolves when everything taken so far, of anybody or of one user, is stored, or cannot be stored for now. */
  drained(userId?: string): Promise<void>;
  /** Returns why the database takes nothing from anybody; null if it does. */
  away(): string | null;
  state(): JournalState;
  /** Stores once more what waits; what fails then is not tried again. */
  stop(): Promise<void>;
};

/**
 * Returns a worker that takes batches of one user from the queues in turn. What fails for now stays there and is tried
 * again; the entries of other users do not wait for it, unless the database is away.
 *
 * @param does `store`: stores entries of one user in one transaction; `refuse`: puts aside an entry that the database
 *   will never take, and returns whether it is put aside; `tidy`: is called when nothing more can be stored for now
 */
export function createJournalWorker(
  queues: Queues,
  does: {
    store: (entries: Entry[]) => Promise<void>;
    refuse: (entry: Entry, reason: string) => boolean;
    tidy: () => void;
  },
  log: Log,
): JournalWorker {
  /** those who wait until all entries with smaller numbers than `until`, of one user if they say so, are stored */
  let waiters: { until: number; userId: string | undefined; resolve: () => void }[] = [];
  const state = createStates<JournalState>('the worker of the journal', MOVES, 'idle', log);
  let working: Promise<void> | undefined;
  /** ends a state in which nothing is stored for now */
  let timer: NodeJS.Timeout | undefined;
  /** how often in a row the database took nothing, and why it did not at the last try */
  let failures = 0;
  let away: string | null = null;

  function tellWaiters() {
    const ready = waiters.filter(({ until, userId }) => until <= queues.oldestGoing(userId));
    if (ready.length === 0) return;
    waiters = waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  }

  function finish(queue: Queue, count: number) {
    queues.finish(queue, count);
    tellWaiters();
  }

  /** Stores entries of one user. Returns why that failed. */
  const failureOf = (entries: Entry[]): Promise<Failure | null> =>
    does.store(entries).then(
      () => null,
      (error) => {
        const failure = kindOfFailure(error);
        if (failure.kind !== 'refused')
          log.error({ error, waiting: queues.waiting() }, 'events cannot be stored for now');
        return failure;
      },
    );

  /** Stores what can be stored for now. Returns the state in which the worker waits then. */
  async function work(): Promise<'idle' | 'waiting-to-retry' | 'waiting-for-database'> {
    const next = () => queues.next(state.now() !== 'draining');
    for (let queue = next(); queue; queue = next()) {
      const batch = queue.waiting.slice(0, queue.alone > 0 ? 1 : MAX_BATCH).map(({ entry }) => entry);
      const failure = await failureOf(batch);
      if (failure?.kind === 'away') {
        away = failure.reason;
        failures += 1;
        for (const { resolve } of waiters.splice(0)) resolve();
        return 'waiting-for-database';
      }
      away = null;
      failures = 0;
      if (failure) putBack(queue, batch, failure);
      else finish(queue, batch.length);
    }
    does.tidy();
    return queues.waiting() > 0 ? 'waiting-to-retry' : 'idle';
  }

  /** Decides what becomes of entries that failed. Those of other users that wait already are stored before them. */
  function putBack(queue: Queue, batch: Entry[], { kind, reason }: Failure) {
    queues.toTheEnd(queue);
    if (batch.length > 1) {
      queue.alone = batch.length;
      return;
    }
    const [entry] = batch as [Entry];
    queue.tries += 1;
    const final = kind === 'refused' || (kind === 'unknown' && queue.tries >= MAX_TRIES);
    if (final && does.refuse(entry, reason)) return finish(queue, 1);
    queues.postpone(queue, reason);
    tellWaiters();
  }

  function startIn(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(start, ms).unref();
  }

  function start() {
    if (working) return;
    clearTimeout(timer);
    state.move('storing');
    // requests that are under way are answered first
    working = setImmediate().then(work).then(rest);
  }

  function rest(then: Awaited<ReturnType<typeof work>>) {
    working = undefined;
    if (state.now() === 'draining') return state.move('stopped');
    if (then !== 'waiting-for-database' && queues.next(true)) return start();
    state.move(then);
    if (then === 'waiting-for-database') startIn(backoffMs(failures, PAUSES));
    if (then === 'waiting-to-retry') startIn(queues.due() - Date.now());
  }

  return {
    start,
    startSoon({ stuck }) {
      if (away !== null || stuck !== null || working) return;
      if (queues.areGoing(MAX_BATCH)) return start();
      if (state.now() === 'gathering') return;
      state.move('gathering');
      startIn(GATHER_MS);
    },
    async drained(userId) {
      if (away !== null || queues.oldestGoing(userId) === queues.taken()) return;
      start();
      await new Promise<void>((resolve) => waiters.push({ until: queues.taken(), userId, resolve }));
    },
    away: () => away,
    state: state.now,
    async stop() {
      clearTimeout(timer);
      if (state.now() === 'waiting-for-database') return state.move('stopped');
      start();
      state.move('draining');
      await working;
    },
  };
}
