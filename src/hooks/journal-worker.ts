import { setImmediate } from 'node:timers/promises';
import { type Failure, kindOfFailure } from '../errors/database-failure.ts';
import type { Log } from '../log.ts';
import { FIRST_PAUSE_MS, MAX_PAUSE_MS, type Queue, type Queues } from './journal-queues.ts';
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
  let working: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE_MS;
  let away: string | null = null;
  let stopped = false;

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

  async function work() {
    for (let queue = queues.next(!stopped); queue; queue = queues.next(!stopped)) {
      const batch = queue.waiting.slice(0, queue.alone > 0 ? 1 : MAX_BATCH).map(({ entry }) => entry);
      const failure = await failureOf(batch);
      if (failure?.kind === 'away') {
        away = failure.reason;
        for (const { resolve } of waiters.splice(0)) resolve();
        tryAgainIn(pause);
        pause = Math.min(2 * pause, MAX_PAUSE_MS);
        return;
      }
      away = null;
      pause = FIRST_PAUSE_MS;
      if (failure) putBack(queue, batch, failure);
      else finish(queue, batch.length);
    }
    does.tidy();
    if (queues.waiting() > 0) tryAgainIn(queues.due() - Date.now());
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

  function tryAgainIn(ms: number) {
    if (!stopped) retry = setTimeout(start, ms).unref();
  }

  function start() {
    clearTimeout(retry);
    clearTimeout(gathering);
    gathering = undefined;
    // requests that are under way are answered first
    working ??= setImmediate()
      .then(work)
      .finally(() => {
        working = undefined;
        if (away === null && !stopped && queues.next(true)) start();
      });
  }

  return {
    start,
    startSoon({ stuck }) {
      if (away !== null || stuck !== null || working) return;
      if (queues.areGoing(MAX_BATCH)) start();
      else gathering ??= setTimeout(start, GATHER_MS).unref();
    },
    async drained(userId) {
      if (away !== null || queues.oldestGoing(userId) === queues.taken()) return;
      start();
      await new Promise<void>((resolve) => waiters.push({ until: queues.taken(), userId, resolve }));
    },
    away: () => away,
    async stop() {
      stopped = true;
      if (away === null) start();
      clearTimeout(retry);
      await working;
    },
  };
}
