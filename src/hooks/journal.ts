import type { Log } from '../log.ts';
import {
  type JournalPlace,
  journalPath,
  journalsElsewhere,
  openJournalFile,
  tryToWrite,
} from './journal-file.ts';
import { createQueues } from './journal-queues.ts';
import { createJournalWorker, type JournalState } from './journal-worker.ts';
import { type Entry, entriesIn, entryOf } from './line.ts';
import { openRefused, type RefusedLine } from './refused.ts';

// A hook event is answered as soon as it is a line in a file. It is stored in the database after the answer. The line
// takes 0.05 ms. The database takes 2 ms if it is beside the server and 100 ms if it is far away, and it may be down.
// A line in a file survives a kill of the server as safely as a row.
//
// journal-file.ts has the lines, journal-queues.ts the order in which they are stored, journal-worker.ts stores them, and
// refused.ts keeps what cannot be stored.

type JournalStatus = {
  /** what its worker does; null if the journal is turned off */
  state: JournalState | null;
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
  const refusedFile = journalPath(place, '.refused');
  const refused = openRefused(refusedFile, place.sync);
  const refuse = (what: { entry: Entry } | { line: string }, reason: string) => {
    refused.add(what, reason);
    log.error({ reason, file: refusedFile }, 'an event was refused by the database');
  };
  const { file, left } = openJournalFile(place, log);
  const queues = createQueues();
  for (const { entry, bytes } of entriesIn(left, (line, reason) => refuse({ line }, reason))) {
    queues.add(entry, bytes);
  }
  const worker = createJournalWorker(
    queues,
    {
      store,
      refuse: (entry, reason) => tryToWrite(() => refuse({ entry }, reason), journalPath(place), log),
      tidy: () => (queues.waiting() === 0 ? file.empty() : file.shrinkTo(queues.all())),
    },
    log,
  );
  let closed = false;

  const journal: Journal = {
    add(entry) {
      if (closed) return false;
      const bytes = file.append(entry);
      if (bytes === null) return false;
      worker.startSoon(queues.add(entry, bytes));
      return true;
    },
    drained: worker.drained,
    isBehind: (userId) => worker.away() === null && queues.areGoing(MAX_AHEAD + 1, userId),
    status: () => ({
      state: worker.state(),
      waiting: queues.waiting(),
      stuck: worker.away() ?? queues.stuck(),
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
      await worker.stop();
      file.close();
    },
  };
  worker.start();
  return journal;
}
