import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile, syncFolder, writeAtomically } from '../base/files/write-atomically.ts';
import type { Log } from '../base/log.ts';
import { Check, Learned } from '../commands/verdict.ts';
import type { Claims } from '../db/as-user.ts';
import { Kept } from '../kinds/outputs.ts';
import { ShownOffer } from '../offers/frame.ts';
import type { HookEvent } from '../sessions/hook-event.ts';

/** Entries with longer lines are stored before they are answered. So are all entries while the file is full. */
const MAX_LINE_BYTES = 1_000_000;
const MAX_FILE_BYTES = 64_000_000;
/** What is stored already may stay in the file up to this: after a kill it is read again, which changes nothing. */
const MAX_STORED_BYTES = 1_000_000;

/** Where the journal of a database is: its folder, the id of the database, and whether to wait until the disk has it. */
export type JournalPlace = { folder: string; database: string; sync: boolean };

/** Returns the path of a journal, or of another file that belongs to it. */
const journalPath = ({ folder, database }: JournalPlace, kind: '' | '.refused' = '') =>
  join(folder, `journal-${database}${kind}.jsonl`);

/**
 * Opens the file, or makes it. Returns it with what an earlier process left in it, whose last line may be cut short. What the
 * disk does not take later is logged and changes nothing.
 *
 * @throws the file system's error if the file cannot be opened
 */
export function openJournalFile(place: JournalPlace, log: Log) {
  const path = journalPath(place);
  let fd = openSync(path, 'a+', 0o600);
  if (place.sync) syncFolder(place.folder);
  const left = readFileSync(fd, 'utf8');
  if (left !== '' && !left.endsWith('\n')) writeSync(fd, '\n');
  let size = fstatSync(fd).size;
  /** whether an incomplete line may be at the end of the file */
  let torn = false;
  const tryTo = (write: () => void) => tryToWrite(write, path, log);
  const file = {
    /** Writes an entry behind the others. Returns the length of its line in bytes; null if it is too long, or not written. */
    append(entry: Entry): number | null {
      const line = Buffer.from(`${torn ? '\n' : ''}${JSON.stringify(entry)}\n`);
      if (line.length > MAX_LINE_BYTES || size + line.length > MAX_FILE_BYTES) return null;
      const written = tryTo(() => {
        torn = true;
        if (writeSync(fd, line) < line.length) throw new Error('the disk is full');
        if (place.sync) fdatasyncSync(fd);
        torn = false;
      });
      if (!written) {
        if (tryTo(() => ftruncateSync(fd, size))) torn = false;
        return null;
      }
      size += line.length;
      return line.length;
    },
    /**
     * Empties the file if nothing waits. Else writes it anew with only what waits, so that the entries of one user who cannot
     * be stored do not fill it; not before half of it can go, and a good deal of it.
     */
    keepOnly(waiting: { entry: Entry; bytes: number }[]): void {
      const kept = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
      if (kept > 0 && size - kept <= Math.max(kept, MAX_STORED_BYTES)) return;
      tryTo(() => {
        const old = fd;
        const lines = waiting.map(({ entry }) => `${JSON.stringify(entry)}\n`).join('');
        if (kept === 0) ftruncateSync(fd, 0);
        else fd = replaceFile(path, lines, { mode: 0o600, sync: place.sync, alone: true });
        if (fd !== old) closeSync(old);
        torn = false;
        size = kept === 0 ? 0 : fstatSync(fd).size;
      });
    },
    close: () => closeSync(fd),
  };
  return { file, left };
}

/** Writes something of a journal. Returns whether the disk took it; if not, the log says why. */
function tryToWrite(write: () => void, file: string, log: Log): boolean {
  try {
    write();
    return true;
  } catch (error) {
    log.error({ error, file }, 'the journal cannot be written');
    return false;
  }
}

/** What the database refused, or a line of the journal that is not what it should be. */
type RefusedLine = { refusedAt: string; reason: string; entry?: Entry; line?: string };

/** Returns the file that keeps what the database refused for good, for a person to look at and to try again. */
export function openRefused(place: JournalPlace, log: Log) {
  const file = journalPath(place, '.refused');
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(refusedLine) : []);
  return {
    /** Writes down a refusal, with the reason. Returns whether the disk took it. */
    add(what: { entry: Entry } | { line: string }, reason: string): boolean {
      log.error({ reason, file }, 'an event was refused by the database');
      const about: RefusedLine = { refusedAt: new Date().toISOString(), reason, ...what };
      const line = `${JSON.stringify(about)}\n`;
      return tryToWrite(() => appendFileSync(file, line, { mode: 0o600, flush: place.sync }), file, log);
    },
    lines,
    /** Removes the lines for which `goes` returns true. Returns how many they are; with `dryRun` it only counts. */
    remove(goes: (line: RefusedLine) => boolean, dryRun = false): number {
      const before = lines();
      const kept = before.filter((line) => !goes(line));
      const text = kept.map((line) => `${JSON.stringify(line)}\n`).join('');
      if (kept.length < before.length && !dryRun)
        writeAtomically(file, text, { mode: 0o600, sync: place.sync, alone: true });
      return before.length - kept.length;
    },
  };
}

function refusedLine(line: string): RefusedLine[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as RefusedLine];
  } catch {
    return [{ refusedAt: '', reason: 'not a line of a journal', line }];
  }
}

/**
 * Something to store: a hook event with its answer, or a check of a command that did not come from a hook. Another version of
 * Lore may have written a line, or a person: what is malformed is left out.
 */
const Line = z.object({
  /** id of a check that belongs to no event, so that it is stored only once; an event has a key for this */
  id: z.uuid().optional().catch(undefined),
  claims: z.looseObject({ userId: z.string() }),
  /** time of arrival, ISO 8601 */
  at: z.iso.datetime(),
  /** the redacted event */
  event: z.looseObject({ hook_event_name: z.string().min(1), session_id: z.string().min(1) }).optional(),
  check: Check.optional().catch(undefined),
  /** whether the model's verdict is remembered for the next time */
  remember: z.boolean().optional().catch(undefined),
  /** the shapes that a person allowed by letting a call run; such an entry has no event */
  learned: z.array(Learned).optional().catch(undefined),
  offers: z.array(ShownOffer).optional().catch(undefined),
  /** the whole output of the tool, if the event holds it cut, or if the agent sees an extract in its place */
  output: Kept.optional().catch(undefined),
});
export type Entry = Omit<z.infer<typeof Line>, 'claims' | 'event'> & { claims: Claims; event?: HookEvent };

/** Returns a line of the journal as an entry; null if it is not one. */
export function entryOf(line: string): Entry | null {
  try {
    return Line.parse(JSON.parse(line)) as Entry;
  } catch {
    return null;
  }
}

/** Returns the entries in the text of a journal. `refuse` is called for each line that is no entry. */
export function entriesIn(
  text: string,
  refuse: (line: string, reason: string) => void,
): { entry: Entry; bytes: number }[] {
  return text.split('\n').flatMap((line, i, lines) => {
    const entry = entryOf(line);
    // a kill may have cut the last line; its event was never answered, so nothing is lost
    if (!entry && line !== '' && i < lines.length - 1) refuse(line, 'not a line of a journal');
    return entry ? [{ entry, bytes: Buffer.byteLength(line) }] : [];
  });
}
