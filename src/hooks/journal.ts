import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { Check } from '../commands/verdict.ts';
import type { Claims } from '../db/as-user.ts';
import type { Log } from '../log.ts';
import { Kept, Redacted } from '../observations/keep.ts';
import { ShownOffer } from '../offers/frame.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { syncFolder } from '../sync-folder.ts';
import { kindOfFailure } from './failure.ts';

// A hook event is answered as soon as it is a line in a file. It is stored in the database after the answer. The line
// takes 0.05 ms. The database takes 2 ms if it is beside the server and 100 ms if it is far away, and it may be down.
// A line in a file survives a kill of the server as safely as a row.

/** Something to store: a hook event with its answer, or a check of a command that did not come from a hook. */
export type Entry = {
  /** of a check without an event: by it the check is stored once, as an event is by its key */
  id?: string;
  claims: Claims;
  /** time of arrival, ISO 8601 */
  at: string;
  /** the redacted event */
  event?: HookEvent;
  check?: Check;
  /** whether to remember the model's verdict for the next time */
  remember?: boolean;
  offers?: ShownOffer[];
  /** the whole output of the tool, if the event holds it cut, or if the agent sees an extract in its place */
  output?: Kept | Redacted;
};

/** Checks that a line is an entry. Another version of Lore may have written it, or a person. */
const Line = z.object({
  claims: z.object({ userId: z.string() }),
  at: z.iso.datetime(),
  event: z.looseObject({ hook_event_name: z.string().min(1), session_id: z.string().min(1) }).optional(),
});
/** What an entry may hold beside its event. If one of these is malformed, the event is stored without it. */
const PARTS = { id: z.uuid(), check: Check, offers: z.array(ShownOffer), output: z.union([Kept, Redacted]) };

/** `number`: how many were taken before it */
type Numbered = { number: number; entry: Entry };

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
 * batches of one user each. What fails for now is tried until it is stored. What the database refuses for good goes to
 * a separate file, with the reason.
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
  const fd = openSync(file, 'a+', 0o600);
  if (place.sync) syncFolder(place.folder);
  const left = readFileSync(fd, 'utf8');
  if (left !== '' && !left.endsWith('\n')) writeSync(fd, '\n');
  const found = left.split('\n').flatMap((line, i, lines) => {
    const entry = entryOf(line);
    // a kill may have cut the last line; its event was never answered, so nothing is lost
    if (!entry && line !== '' && i < lines.length - 1) refuse({ line }, 'not a line of a journal');
    if (!entry) return [];
    const malformed = malformedParts(entry);
    if (malformed.length === 0) return entry;
    refuse({ line }, `stored without what is malformed: ${malformed.join(', ')}`);
    return { ...entry, ...Object.fromEntries(malformed.map((name) => [name, undefined])) };
  });
  let size = fstatSync(fd).size;
  /** whether an incomplete line may be at the end of the file */
  let torn = false;
  /** in the order of their numbers; batches are of one user, so a later one may be stored before an earlier one */
  let waiting = found.map((entry, number): Numbered => ({ number, entry }));
  /** number of the next entry */
  let next = waiting.length;
  /** those who wait until all entries with smaller numbers than `until` are stored */
  const waiters: { until: number; resolve: () => void }[] = [];
  let working: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE_MS;
  let stuck: string | null = null;
  /** number of entries to store one by one, to find out which of them fails */
  let alone = 0;
  let tries = 0;
  let closed = false;

  function refuse(what: { entry: Entry } | { line: string }, reason: string) {
    const about = { refusedAt: new Date().toISOString(), reason, ...what };
    appendFileSync(refusedFile, `${JSON.stringify(about)}\n`, { mode: 0o600, flush: place.sync });
    log.error({ reason, file: refusedFile }, 'an event was refused by the database');
  }

  function nextBatch(): Numbered[] {
    const [first] = waiting;
    if (!first) return [];
    if (alone > 0) return [first];
    const { userId } = first.entry.claims;
    return waiting.filter(({ entry }) => entry.claims.userId === userId).slice(0, MAX_BATCH);
  }

  function finish(batch: Numbered[]) {
    const gone = new Set(batch);
    waiting = waiting.filter((one) => !gone.has(one));
    alone = Math.max(0, alone - batch.length);
    tries = 0;
    pause = FIRST_PAUSE_MS;
    stuck = null;
    const oldest = waiting[0]?.number ?? next;
    while (waiters[0] && waiters[0].until <= oldest) waiters.shift()?.resolve();
  }

  async function work() {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      try {
        await store(batch.map(({ entry }) => entry));
        finish(batch);
        continue;
      } catch (error) {
        const failure = kindOfFailure(error);
        if (failure.kind !== 'for now' && batch.length > 1) {
          alone = batch.length;
          continue;
        }
        const [{ entry }] = batch as [Numbered];
        tries += 1;
        const final = failure.kind === 'refused' || (failure.kind === 'unknown' && tries >= MAX_TRIES);
        if (final && tryTo(() => refuse({ entry }, failure.reason))) {
          finish(batch);
          continue;
        }
        log.error({ error, waiting: waiting.length }, 'events cannot be stored for now');
        stuck = failure.reason;
      }
      for (const { resolve } of waiters.splice(0)) resolve();
      if (closed) return;
      retry = setTimeout(start, pause);
      retry.unref();
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
      return;
    }
    if (tryTo(() => ftruncateSync(fd, 0))) {
      size = 0;
      torn = false;
    }
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

  function start() {
    clearTimeout(retry);
    clearTimeout(gathering);
    gathering = undefined;
    // requests that are under way are answered first
    working ??= setImmediate()
      .then(work)
      .finally(() => {
        working = undefined;
        if (waiting.length > 0 && stuck === null && !closed) start();
      });
  }

  function startSoon() {
    if (waiting.length >= MAX_BATCH) start();
    else if (!working) gathering ??= setTimeout(start, GATHER_MS).unref();
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
      waiting.push({ number: next, entry });
      next += 1;
      if (stuck === null) startSoon();
      return true;
    },
    async drained() {
      if (waiting.length === 0 || stuck !== null) return;
      start();
      await new Promise<void>((resolve) => waiters.push({ until: next, resolve }));
    },
    isBehind: () => stuck === null && waiting.length > MAX_AHEAD,
    status: () => ({
      waiting: waiting.length,
      stuck,
      refused: refusedLines(refusedFile)
        .slice(-100)
        .map(({ refusedAt, reason, entry }) => ({
          at: refusedAt,
          reason,
          event: entry?.event?.hook_event_name ?? null,
          session: entry?.event?.session_id ?? null,
        })),
      elsewhere: journalsElsewhere(place),
    }),
    retryRefused() {
      if (!existsSync(refusedFile)) return 0;
      // they go into the journal before they leave this file; after a kill in between they are stored again, which
      // changes nothing
      const lines = refusedLines(refusedFile);
      const kept = lines.filter(({ entry }) => !(entry && journal.add(entry)));
      writeRefused(refusedFile, kept);
      return lines.length - kept.length;
    },
    eraseRefused(fits, { dryRun }) {
      const lines = refusedLines(refusedFile);
      const kept = lines.filter(({ entry, line = '' }) => {
        const about = entry ?? entryOf(line);
        return !(about && fits(about));
      });
      if (!dryRun && kept.length < lines.length) writeRefused(refusedFile, kept);
      return lines.length - kept.length;
    },
    async close() {
      closed = true;
      if (stuck === null) start();
      clearTimeout(retry);
      await working;
      closeSync(fd);
    },
  };
  start();
  return journal;
}

type RefusedLine = { refusedAt: string; reason: string; entry?: Entry; line?: string };

/** Writes the file anew, whole or not at all. */
function writeRefused(file: string, lines: RefusedLine[]): void {
  const partial = `${file}.partial`;
  writeFileSync(partial, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  renameSync(partial, file);
}

function refusedLines(file: string): RefusedLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as RefusedLine];
      } catch {
        return [{ refusedAt: '', reason: 'not a line of a journal', line }];
      }
    });
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

const malformedParts = (entry: Entry): (keyof typeof PARTS)[] =>
  (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter(
    (name) => entry[name] !== undefined && !PARTS[name].safeParse(entry[name]).success,
  );

function entryOf(line: string): Entry | null {
  try {
    const entry = JSON.parse(line);
    return Line.safeParse(entry).success ? entry : null;
  } catch {
    return null;
  }
}
