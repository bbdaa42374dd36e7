import { setImmediate } from 'node:timers/promises';
import { type Failure, kindOfFailure } from '../base/errors/database-failure.ts';
import type { Log } from '../base/log.ts';
import { type Backoff, backoffMs } from '../base/timing/backoff.ts';
import { type JournalPlace, journalsElsewhere, openJournalFile, openRefused } from './journal-file.ts';
import { type Entry, entriesIn, entryOf } from './line.ts';

// A hook event is answered as soon as it is a line in a file. It is stored in the database after the answer. The line
// takes 0.05 ms. The database takes 2 ms if it is beside the server and 100 ms if it is far away, and it may be down.
// A line in a file survives a kill of the server as safely as a row.

/**
 * What the journal does: nothing waits (`idle`), something waits for more to be stored with it (`gathering`), entries are
 * stored (`storing`), those of some users are tried again later (`waiting-to-retry`), or those of all
 * (`waiting-for-database`).
 */
export const JOURNAL_STATES = [
  'idle',
  'gathering',
  'storing',
  'waiting-to-retry',
  'waiting-for-database',
  'stopped',
] as const;
type JournalState = (typeof JOURNAL_STATES)[number];

type JournalStatus = {
  state: JournalState;
  /** number of entries that are not in the database yet; `stuck` is the reason if storing fails */
  waiting: number;
  stuck: string | null;
  /** entries that the database refused for good, the newest last, at most 100 */
  refused: { at: string; reason: string; event: string | null; session: string | null }[];
  /** journals in the same folder that belong to other databases */
  elsewhere: { file: string; entries: number }[];
};

export type Journal = {
  /** Writes an entry to disk, to be stored soon. Returns false if it did not: then store it before the answer. */
  add(entry: Entry): boolean;
  /**
   * Resolves when everything taken so far, of anybody or of one user, is stored, or cannot be stored for now (full disk,
   * database away).
   */
  drained(userId?: string): Promise<void>;
  /** Returns whether a user should wait until it is drained, because the database is slower than they send. */
  isBehind(userId: string): boolean;
  status(): JournalStatus;
  /** Queues again what the database refused. Returns the number of entries. */
  retryRefused(): number;
  /** Deletes what the database refused, where an entry fits. Returns the number; with `dryRun` it only counts. */
  eraseRefused(fits: (entry: Entry) => boolean, options: { dryRun: boolean }): number;
  /** Stores what is left and closes the file. */
  close(): Promise<void>;
};

/** If more entries of a user wait, that user's senders wait too, so that requests for data do not wait for long. */
const MAX_AHEAD = 500;
/**
 * Time to gather entries, so that one transaction stores several. This needs a fraction of the processor time. Requests
 * for data do not wait for it.
 */
const GATHER_MS = 1_000;
/** Entries stored in one transaction. Other work of the database waits that long. */
const MAX_BATCH = 50;
/** Number of tries of an entry if it is unclear whether the database refused it for good. */
const MAX_TRIES = 4;
/** The pauses before the next try, both of one user's entries and of a database that is away. */
const PAUSES: Backoff = { firstMs: 1_000, maxMs: 30_000 };

/** What waits of one user, in order. It is never empty. */
type Queue = {
  waiting: { number: number; entry: Entry; bytes: number }[];
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
export function openJournal(
  place: JournalPlace,
  store: (entries: Entry[]) => Promise<void>,
  log: Log,
): Journal {
  const refused = openRefused(place, log);
  const { file, left } = openJournalFile(place, log);
  /** by user; whose turn it is comes first */
  const queues = new Map<string, Queue>();
  let count = 0;
  /** number of the next entry */
  let next = 0;
  /** those who wait until all entries with smaller numbers than `until` are stored */
  let waiters: { until: number; userId: string | undefined; resolve: () => void }[] = [];
  let state: JournalState = 'idle';
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** why the database took nothing from anybody at the last try, and how often in a row it did not */
  let away: string | null = null;
  let failures = 0;
  let closed = false;

  function enqueue(entry: Entry, bytes: number): Queue {
    const { userId } = entry.claims;
    const queue = queues.get(userId) ?? { waiting: [], alone: 0, tries: 0, stuck: null, due: 0 };
    queues.set(userId, queue);
    queue.waiting.push({ number: next++, entry, bytes });
    count += 1;
    return queue;
  }

  /** Returns the queues, of all users or of one, that wait for nothing. */
  const going = (userId?: string) =>
    [...(userId === undefined ? queues.values() : [queues.get(userId)])].filter(
      (queue) => queue !== undefined && queue.stuck === null,
    ) as Queue[];
  const oldestGoing = (userId?: string) =>
    Math.min(next, ...going(userId).map(({ waiting }) => waiting[0]?.number ?? next));
  const areGoing = (atLeast: number, userId?: string) =>
    count >= atLeast && going(userId).reduce((sum, { waiting }) => sum + waiting.length, 0) >= atLeast;
  const turn = () =>
    [...queues].find(([, { stuck, due }]) => stuck === null || (!closed && due <= Date.now()));

  function tellWaiters() {
    const isReady = ({ until, userId }: (typeof waiters)[number]) => until <= oldestGoing(userId);
    for (const { resolve } of waiters.filter(isReady)) resolve();
    waiters = waiters.filter((waiter) => !isReady(waiter));
  }

  function finish(queue: Queue, stored: number) {
    queue.waiting.splice(0, stored);
    count -= stored;
    Object.assign(queue, { alone: Math.max(0, queue.alone - stored), tries: 0, stuck: null });
  }

  /** Whether to store at once: a batch is there, or somebody waits. What comes while others are stored is gathered again. */
  const isUrgent = () => closed || waiters.length > 0 || areGoing(MAX_BATCH);

  /** Stores what can be stored for now. Returns the state in which the journal is then. */
  async function work(): Promise<JournalState> {
    const until = next;
    for (let found = turn(); found && (isUrgent() || oldestGoing() < until); found = turn()) {
      const [userId, queue] = found;
      const batch = queue.waiting.slice(0, queue.alone > 0 ? 1 : MAX_BATCH).map(({ entry }) => entry);
      const failure = await store(batch).then(() => null, kindOfFailure);
      if (failure && failure.kind !== 'refused')
        log.error({ reason: failure.reason, waiting: count }, 'events cannot be stored for now');
      if (failure?.kind === 'away') {
        away = failure.reason;
        failures += 1;
        for (const { resolve } of waiters.splice(0)) resolve();
        return 'waiting-for-database';
      }
      away = null;
      failures = 0;
      // then it is the turn of all others
      queues.delete(userId);
      if (failure) putBack(queue, batch, failure);
      else finish(queue, batch.length);
      if (queue.waiting.length > 0) queues.set(userId, queue);
      tellWaiters();
    }
    if (count === 0) file.empty();
    else
      file.shrinkTo(
        [...queues.values()].flatMap(({ waiting }) => waiting).sort((a, b) => a.number - b.number),
      );
    return count > 0 ? 'waiting-to-retry' : 'idle';
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

  function startIn(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(start, ms).unref();
  }

  function gather() {
    state = 'gathering';
    startIn(GATHER_MS);
  }

  function start() {
    if (working) return;
    clearTimeout(timer);
    state = 'storing';
    // requests that are under way are answered first
    working = setImmediate().then(work).then(rest);
  }

  function rest(then: JournalState) {
    working = undefined;
    state = closed ? 'stopped' : then;
    if (closed) return;
    if (then === 'waiting-for-database') startIn(backoffMs(failures, PAUSES));
    else if (isUrgent() && turn()) start();
    else if (going().length > 0) gather();
    else if (then === 'waiting-to-retry')
      startIn(Math.min(...[...queues.values()].map(({ due }) => due)) - Date.now());
  }

  const journal: Journal = {
    add(entry) {
      if (closed) return false;
      const bytes = file.append(entry);
      if (bytes === null) return false;
      const { stuck } = enqueue(entry, bytes);
      if (away !== null || stuck !== null || working) return true;
      if (areGoing(MAX_BATCH)) start();
      else if (state !== 'gathering') gather();
      return true;
    },
    async drained(userId) {
      if (away !== null || oldestGoing(userId) === next) return;
      start();
      await new Promise<void>((resolve) => waiters.push({ until: next, userId, resolve }));
    },
    isBehind: (userId) => away === null && areGoing(MAX_AHEAD + 1, userId),
    status: () => ({
      state,
      waiting: count,
      stuck: away ?? [...queues.values()].find(({ stuck }) => stuck !== null)?.stuck ?? null,
      refused: refused
        .lines()
        .slice(-100)
        .map(({ refusedAt, reason, entry }) => ({
          at: refusedAt,
          reason,
          event: entry?.event?.hook_event_name ?? null,
          session: entry?.event?.session_id ?? null,
        })),
      elsewhere: journalsElsewhere(place),
    }),
    // they go into the journal before they leave the file; after a kill in between they are stored again, which changes
    // nothing
    retryRefused: () => refused.remove(({ entry }) => entry !== undefined && journal.add(entry)),
    eraseRefused(fits, { dryRun }) {
      return refused.remove(({ entry, line = '' }) => {
        const about = entry ?? entryOf(line);
        return about !== null && fits(about);
      }, dryRun);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      if (state === 'waiting-for-database') state = 'stopped';
      else start();
      await working;
      file.close();
    },
  };
  for (const { entry, bytes } of entriesIn(left, (line, reason) => refused.add({ line }, reason)))
    enqueue(entry, bytes);
  start();
  return journal;
}
