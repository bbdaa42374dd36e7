import { setImmediate } from 'node:timers/promises';
import { type Failure, kindOfFailure } from '../base/errors/database-failure.ts';
import type { Log } from '../base/log.ts';
import { type Backoff, backoffMs } from '../base/timing/backoff.ts';
import {
  type Entry,
  entriesIn,
  entryOf,
  type JournalPlace,
  openJournalFile,
  openRefused,
} from './journal-file.ts';

// A hook event is answered as soon as it is a line in a file. It is stored in the database after the answer. The line
// takes 0.05 ms. The database takes 2 ms if it is beside the server and 100 ms if it is far away, and it may be down.
// A line in a file survives a kill of the server as safely as a row.

export type Journal = ReturnType<typeof openJournal>;

/** If more entries of a user wait, that user's senders wait too, so that requests for data do not wait for long. */
const MAX_AHEAD = 100;
/**
 * Time to gather entries, so that one transaction stores several. This needs a fraction of the processor time. Requests
 * for data do not wait for it. `quiet`: what nobody looks for; it is stored with the end of its turn.
 */
const GATHER_MS = 1_000;
const GATHER_QUIET_MS = 10_000;
/** Entries stored in one transaction. Other work of the database waits that long. */
const MAX_BATCH = 50;
/** Number of tries of an entry if it is unclear whether the database refused it for good. */
const MAX_TRIES = 4;
const PAUSES: Backoff = { firstMs: 1_000, maxMs: 30_000 };

type Waiting = { number: number; entry: Entry; bytes: number; quiet: boolean };

/** What waits of one user, in order. It is never empty. */
type Queue = {
  waiting: Waiting[];
  /** number of entries to store one by one, to find out which of them fails */
  alone: number;
  /** how often the first entry, alone, could not be stored */
  tries: number;
  /** why the first entry cannot be stored for now; the others of this user wait for it, those of other users do not */
  stuck: string | null;
  /** when to try it again, in milliseconds since 1970 */
  due: number;
};

/**
 * Opens the journal of a database and queues what an earlier process left in it. Entries are stored in their order, in
 * batches of one user each. What fails for now is tried until it is stored; the entries of other users do not wait for
 * it, unless the database is away. What the database refuses for good goes to a separate file, with the reason.
 *
 * @param place `folder`: where the files are; `database`: the id of the database that the entries belong to; `sync`:
 *   `add` waits until the disk has the line, which takes as long as one fdatasync of the disk
 * @param store stores entries of one user in one transaction; must do nothing for an event that is already stored
 * @throws the file system's error if the file cannot be opened
 */
export function openJournal(place: JournalPlace, store: (entries: Entry[]) => Promise<void>, log: Log) {
  const refused = openRefused(place, log);
  const { file, left } = openJournalFile(place, log);
  /** by user; whose turn it is comes first */
  const queues = new Map<string, Queue>();
  /** number of the next entry */
  let next = 0;
  /** those who wait for entries to be stored; told after each batch */
  const waiters: (() => void)[] = [];
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** when that starts to store, in milliseconds since 1970 */
  let due = Number.POSITIVE_INFINITY;
  /** why the database took nothing from anybody at the last try, and how often in a row it did not */
  let away: string | null = null;
  let failures = 0;
  let closed = false;

  function enqueue(entry: Entry, bytes: number, quiet: boolean): Queue {
    const { userId } = entry.claims;
    const queue = queues.get(userId) ?? { waiting: [], alone: 0, tries: 0, stuck: null, due: 0 };
    queues.set(userId, queue);
    queue.waiting.push({ number: next++, entry, bytes, quiet });
    return queue;
  }

  const all = () => [...queues.values()];
  /** Returns the queues, of all users or of one, that wait for nothing. */
  const going = (userId?: string) =>
    (userId === undefined ? all() : [queues.get(userId)]).filter((queue) => queue?.stuck === null) as Queue[];
  const countOf = (some: Queue[]) => some.reduce((sum, { waiting }) => sum + waiting.length, 0);
  const oldestGoing = (userId?: string) =>
    Math.min(next, ...going(userId).map(({ waiting }) => waiting[0]?.number ?? next));
  const turn = () =>
    [...queues].find(([, { stuck, due }]) => stuck === null || (!closed && due <= Date.now()));
  /** Whether to store at once. Else what comes while others are stored is gathered again. */
  const isUrgent = () => closed || waiters.length > 0 || countOf(going()) >= MAX_BATCH;

  function tellWaiters() {
    for (const resolve of waiters.splice(0)) resolve();
  }

  /** Stores what can be stored for now. */
  async function work(): Promise<void> {
    const until = next;
    const isDue = ({ waiting }: Queue) => isUrgent() || (waiting[0]?.number ?? next) < until;
    for (let found = turn(); found && isDue(found[1]); found = turn()) {
      const [userId, queue] = found;
      const batch = queue.waiting.slice(0, queue.alone > 0 ? 1 : MAX_BATCH).map(({ entry }) => entry);
      const failure = await store(batch).then(() => null, kindOfFailure);
      if (failure && failure.kind !== 'refused')
        log.error({ reason: failure.reason, waiting: countOf(all()) }, 'events cannot be stored for now');
      away = failure?.kind === 'away' ? failure.reason : null;
      failures = away === null ? 0 : failures + 1;
      if (away !== null) return tellWaiters();
      // then it is the turn of all others
      queues.delete(userId);
      if (failure) putBack(queue, batch, failure);
      else finish(queue, batch.length);
      if (queue.waiting.length > 0) queues.set(userId, queue);
      tellWaiters();
    }
    file.keepOnly(
      all()
        .flatMap(({ waiting }) => waiting)
        .sort((a, b) => a.number - b.number),
    );
  }

  function finish(queue: Queue, stored: number) {
    queue.waiting.splice(0, stored);
    Object.assign(queue, { alone: Math.max(0, queue.alone - stored), tries: 0, stuck: null });
  }

  /** Decides what becomes of entries that failed. */
  function putBack(queue: Queue, batch: Entry[], { kind, reason }: Failure) {
    if (batch.length > 1) {
      queue.alone = batch.length;
      return;
    }
    queue.tries += 1;
    const final = kind === 'refused' || (kind === 'unknown' && queue.tries >= MAX_TRIES);
    if (final && refused.add({ entry: batch[0] as Entry }, reason)) return finish(queue, 1);
    queue.stuck = reason;
    queue.due = Date.now() + backoffMs(queue.tries, PAUSES);
  }

  const gatherMs = (waiting: { quiet: boolean }[]) =>
    waiting.every(({ quiet }) => quiet) ? GATHER_QUIET_MS : GATHER_MS;

  /** Starts to store after a time, or sooner if it is to already. */
  function startIn(ms: number) {
    if (due <= Date.now() + ms) return;
    clearTimeout(timer);
    due = Date.now() + ms;
    timer = setTimeout(start, ms).unref();
  }

  function start() {
    if (working) return;
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
    // requests that are under way are answered first
    working = setImmediate().then(work).then(rest);
  }

  function rest() {
    working = undefined;
    if (closed) return;
    if (away !== null) startIn(backoffMs(failures, PAUSES));
    else if (going().length > 0)
      isUrgent() ? start() : startIn(gatherMs(going().flatMap(({ waiting }) => waiting)));
    else if (queues.size > 0) startIn(Math.min(...all().map(({ due }) => due)) - Date.now());
  }

  /**
   * Writes an entry to disk, to be stored soon, or if it is `quiet` with the next one that is not. Returns false if it did
   * not: then store it before the answer.
   */
  function add(entry: Entry, quiet = false): boolean {
    const bytes = closed ? null : file.append(entry);
    if (bytes === null) return false;
    const { stuck } = enqueue(entry, bytes, quiet);
    if (away !== null || stuck !== null || working) return true;
    if (countOf(going()) >= MAX_BATCH) start();
    else startIn(gatherMs([{ quiet }]));
    return true;
  }

  for (const { entry, bytes } of entriesIn(left, (line, reason) => refused.add({ line }, reason)))
    enqueue(entry, bytes, false);
  start();
  return {
    add,
    /**
     * Resolves when everything taken so far, of anybody or of one user, is stored, or cannot be stored for now (full disk,
     * database away).
     */
    async drained(userId?: string): Promise<void> {
      for (const until = next; away === null && oldestGoing(userId) < until; ) {
        start();
        await new Promise<void>((resolve) => waiters.push(resolve));
      }
    },
    /** Returns whether a user should wait until it is drained, because the database is slower than they send. */
    isBehind: (userId: string): boolean => away === null && countOf(going(userId)) > MAX_AHEAD,
    /** Returns what waits, why if storing fails (`stuck`), and the last hundred entries that were refused for good. */
    status: () => ({
      waiting: countOf(all()),
      stuck: away ?? all().find(({ stuck }) => stuck !== null)?.stuck ?? null,
      refused: refused
        .lines()
        .slice(-100)
        .map(({ refusedAt, reason, entry }) => ({
          at: refusedAt,
          reason,
          event: entry?.event?.hook_event_name ?? null,
          session: entry?.event?.session_id ?? null,
        })),
    }),
    /**
     * Queues again what the database refused. Returns the number of entries. They go into the journal before they leave the
     * file; after a kill in between they are stored again, which changes nothing.
     */
    retryRefused: (): number => refused.remove(({ entry }) => entry !== undefined && add(entry)),
    /** Deletes what the database refused, where an entry fits. Returns the number; with `dryRun` it only counts. */
    eraseRefused: (fits: (entry: Entry) => boolean, { dryRun }: { dryRun: boolean }): number =>
      refused.remove(({ entry, line = '' }) => {
        const about = entry ?? entryOf(line);
        return about !== null && fits(about);
      }, dryRun),
    /** Stores what is left and closes the file. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      if (away === null) start();
      await working;
      file.close();
    },
  };
}
