import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { syncFolder } from '../sync-folder.ts';
import { type Failure, kindOfFailure } from './failure.ts';
import { type Entry, entryOf, malformedParts } from './line.ts';
import { openRefused, type RefusedLine, replaceFile } from './refused.ts';

// A hook event is answered as soon as it is a line in a file. It is stored in the database after the answer. The line
// takes 0.05 ms. The database takes 2 ms if it is beside the server and 100 ms if it is far away, and it may be down.
// A line in a file survives a kill of the server as safely as a row.

/** `number`: how many were taken before it; `bytes`: length of its line */
type Numbered = { number: number; entry: Entry; bytes: number };

/** What waits of one user, in order, and how it goes with storing it. */
type Queue = {
  waiting: Numbered[];
  /** the user whose turn is the smallest is next: the number of the first entry, or after a failure that of the last one */
  turn: number;
  /** number of entries to store one by one, to find out which of them fails */
  alone: number;
  tries: number;
  pause: number;
  /** why the first entry cannot be stored for now; the others of this user wait for it, those of other users do not */
  stuck: string | null;
  /** when to try it again, in milliseconds since 1970 */
  due: number;
};

export type JournalStatus = {
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
  /** Resolves when everything taken so far is stored, or cannot be stored for now (full disk, database away). */
  drained(): Promise<void>;
  /** Returns whether senders should wait until it is drained, because the database is slower than they are. */
  isBehind(): boolean;
  status(): JournalStatus;
  /** Queues again what the database refused. Returns the number of entries. */
  retryRefused(): number;
  /** Deletes what the database refused, where an entry fits. Returns the number; with `dryRun` it only counts. */
  eraseRefused(fits: (entry: Entry) => boolean, options: { dryRun: boolean }): number;
  /** Stores what is left and closes the file. */
  close(): Promise<void>;
};

/** Entries with longer lines are stored before they are answered. So are all entries while the file is full. */
const MAX_LINE_BYTES = 1_000_000;
const MAX_FILE_BYTES = 64_000_000;
/**
 * Time to gather entries, so that one transaction stores several. This needs only a third of the processor time.
 * Requests for data do not wait for it.
 */
const GATHER_MS = 500;
/** Entries stored in one transaction. Other work of the database waits that long. */
const MAX_BATCH = 50;
/** If more entries wait, senders wait too, so that requests for data do not wait for long. */
const MAX_AHEAD = 500;
/** Number of tries of an entry if it is unclear whether the database refused it for good. */
const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;

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
  place: { folder: string; database: string; sync: boolean },
  store: (entries: Entry[]) => Promise<void>,
  log: Log,
): Journal {
  const file = join(place.folder, `journal-${place.database}.jsonl`);
  const refusedFile = join(place.folder, `journal-${place.database}.refused.jsonl`);
  const refused = openRefused(refusedFile, place.sync);
  let fd = openSync(file, 'a+', 0o600);
  if (place.sync) syncFolder(place.folder);
  const left = readFileSync(fd, 'utf8');
  if (left !== '' && !left.endsWith('\n')) writeSync(fd, '\n');
  /** what waits, by user; none of them is empty */
  const queues = new Map<string, Queue>();
  /** number of entries in all queues */
  let waiting = 0;
  /** number of the next entry */
  let next = 0;
  for (const { entry, bytes } of entriesIn(left)) enqueue(entry, bytes);
  let size = fstatSync(fd).size;
  /** whether an incomplete line may be at the end of the file */
  let torn = false;
  /** those who wait until all entries with smaller numbers than `until` are stored */
  const waiters: { until: number; resolve: () => void }[] = [];
  let working: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE_MS;
  /** why the database takes nothing from anybody */
  let away: string | null = null;
  let closed = false;

  function entriesIn(text: string): { entry: Entry; bytes: number }[] {
    return text.split('\n').flatMap((line, i, lines) => {
      const entry = entryOf(line);
      // a kill may have cut the last line; its event was never answered, so nothing is lost
      if (!entry && line !== '' && i < lines.length - 1) refuse({ line }, 'not a line of a journal');
      if (!entry) return [];
      const bytes = Buffer.byteLength(line);
      const malformed = malformedParts(entry);
      if (malformed.length === 0) return { entry, bytes };
      refuse({ line }, `stored without what is malformed: ${malformed.join(', ')}`);
      return {
        entry: { ...entry, ...Object.fromEntries(malformed.map((name) => [name, undefined])) },
        bytes,
      };
    });
  }

  function refuse(what: { entry: Entry } | { line: string }, reason: string) {
    refused.add(what, reason);
    log.error({ reason, file: refusedFile }, 'an event was refused by the database');
  }

  function enqueue(entry: Entry, bytes: number): Queue {
    const { userId } = entry.claims;
    let queue = queues.get(userId);
    if (!queue) {
      const nothingFailed = { alone: 0, tries: 0, pause: FIRST_PAUSE_MS, stuck: null, due: 0 };
      queue = { waiting: [], turn: next, ...nothingFailed };
      queues.set(userId, queue);
    }
    queue.waiting.push({ number: next, entry, bytes });
    next += 1;
    waiting += 1;
    return queue;
  }

  const going = () => [...queues.values()].filter(({ stuck }) => stuck === null);
  const numberGoing = () => going().reduce((sum, queue) => sum + queue.waiting.length, 0);
  /** Returns the number of the oldest entry that is on its way to the database. */
  const oldestGoing = () => Math.min(next, ...going().map((queue) => queue.waiting[0]?.number ?? next));

  function nextQueue(): Queue | undefined {
    const now = Date.now();
    const ready = [...queues.values()].filter(({ stuck, due }) => stuck === null || (!closed && due <= now));
    return ready.reduce<Queue | undefined>((a, b) => (a && a.turn <= b.turn ? a : b), undefined);
  }

  function tellWaiters() {
    const oldest = oldestGoing();
    while (waiters[0] && waiters[0].until <= oldest) waiters.shift()?.resolve();
  }

  function finish(queue: Queue, stored: number) {
    const [first] = queue.waiting.splice(0, stored);
    waiting -= stored;
    const [following] = queue.waiting;
    if (following) queue.turn = following.number;
    else if (first) queues.delete(first.entry.claims.userId);
    queue.alone = Math.max(0, queue.alone - stored);
    queue.tries = 0;
    queue.pause = FIRST_PAUSE_MS;
    queue.stuck = null;
    tellWaiters();
  }

  /** Stores entries of one user. Returns why that failed. */
  const failureOf = (batch: Numbered[]): Promise<Failure | null> =>
    store(batch.map(({ entry }) => entry)).then(
      () => null,
      (error) => {
        const failure = kindOfFailure(error);
        if (failure.kind !== 'refused') log.error({ error, waiting }, 'events cannot be stored for now');
        return failure;
      },
    );

  async function work() {
    for (let queue = nextQueue(); queue; queue = nextQueue()) {
      const batch = queue.waiting.slice(0, queue.alone > 0 ? 1 : MAX_BATCH);
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
    if (waiting === 0 && tryTo(() => ftruncateSync(fd, 0))) {
      size = 0;
      torn = false;
    }
    if (waiting > 0) {
      shrink();
      tryAgainIn(Math.min(...[...queues.values()].map(({ due }) => due)) - Date.now());
    }
  }

  /** Decides what becomes of entries that failed. Those of other users that wait already are stored before them. */
  function putBack(queue: Queue, batch: Numbered[], { kind, reason }: Failure) {
    queue.turn = next;
    if (batch.length > 1) {
      queue.alone = batch.length;
      return;
    }
    const [{ entry }] = batch as [Numbered];
    queue.tries += 1;
    const final = kind === 'refused' || (kind === 'unknown' && queue.tries >= MAX_TRIES);
    if (final && tryTo(() => refuse({ entry }, reason))) return finish(queue, 1);
    queue.stuck = reason;
    queue.due = Date.now() + queue.pause;
    queue.pause = Math.min(2 * queue.pause, MAX_PAUSE_MS);
    tellWaiters();
  }

  /**
   * Writes the file anew with only what waits, so that the entries of one user who cannot be stored do not fill it, and
   * what was stored since is not read again after a kill. Not before half of it can go.
   */
  function shrink() {
    const kept = [...queues.values()].flatMap((queue) => queue.waiting).sort((a, b) => a.number - b.number);
    if (size <= 2 * kept.reduce((sum, { bytes }) => sum + bytes, 0)) return;
    tryTo(() => {
      const old = fd;
      fd = replaceFile(
        file,
        kept.map(({ entry }) => entry),
        place.sync,
      );
      closeSync(old);
      torn = false;
      size = fstatSync(fd).size;
      if (place.sync) syncFolder(place.folder);
    });
  }

  const tryTo = (act: () => void): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      log.error({ error, file }, 'the journal cannot be written');
      return false;
    }
  };

  function tryAgainIn(ms: number) {
    if (!closed) retry = setTimeout(start, ms).unref();
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
        if (away === null && !closed && nextQueue()) start();
      });
  }

  function startSoon() {
    if (working) return;
    if (waiting >= MAX_BATCH && numberGoing() >= MAX_BATCH) start();
    else gathering ??= setTimeout(start, GATHER_MS).unref();
  }

  const journal: Journal = {
    add(entry) {
      if (closed) return false;
      const line = Buffer.from(`${torn ? '\n' : ''}${JSON.stringify(entry)}\n`);
      if (line.length > MAX_LINE_BYTES || size + line.length > MAX_FILE_BYTES) return false;
      const written = tryTo(() => {
        torn = true;
        if (writeSync(fd, line) < line.length) throw new Error('the disk is full');
        if (place.sync) fdatasyncSync(fd);
        torn = false;
      });
      if (!written) {
        if (tryTo(() => ftruncateSync(fd, size))) torn = false;
        return false;
      }
      size += line.length;
      const { stuck } = enqueue(entry, line.length);
      if (away === null && stuck === null) startSoon();
      return true;
    },
    async drained() {
      if (away !== null || oldestGoing() === next) return;
      start();
      await new Promise<void>((resolve) => waiters.push({ until: next, resolve }));
    },
    isBehind: () => away === null && waiting > MAX_AHEAD && numberGoing() > MAX_AHEAD,
    status: () => ({
      waiting,
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
      const goes = ({ entry, line = '' }: RefusedLine) => {
        const about = entry ?? entryOf(line);
        return about !== null && fits(about);
      };
      return dryRun ? refused.lines().filter(goes).length : refused.remove(goes);
    },
    async close() {
      closed = true;
      if (away === null) start();
      clearTimeout(retry);
      await working;
      closeSync(fd);
    },
  };
  start();
  return journal;
}

/**
 * Returns the journals of other databases that still have entries, because the server was switched to another database.
 */
function journalsElsewhere({ folder, database }: { folder: string; database: string }) {
  return readdirSync(folder)
    .filter((name) => /^journal-[^.]+\.jsonl$/.test(name) && name !== `journal-${database}.jsonl`)
    .map((name) => ({
      file: join(folder, name),
      entries: readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '').length,
    }))
    .filter(({ entries }) => entries > 0);
}
