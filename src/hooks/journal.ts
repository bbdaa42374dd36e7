import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Check } from '../commands/check.ts';
import type { Claims } from '../db/as-user.ts';
import type { Log } from '../log.ts';
import type { HookEvent } from '../sessions/hook-event.ts';

// Most hook events get an empty answer whatever the database says of them. Storing one takes the embedded engine 2 ms, on
// the thread that answers; a line in a file takes a twentieth of that, and is as safe from a kill. So such an event is
// answered once it is in the journal, and stored while the agent works on.

/** `event` is redacted; `at`: ISO 8601; `check`: the verdict that a command before its run was answered with. */
export type Entry = { claims: Claims; event: HookEvent; at: string; check?: Check };

/** A line that was written whole: what it holds was checked before. */
const Line = z.object({ claims: z.object({ userId: z.string() }), event: z.object({}), at: z.string() });

export type Journal = {
  /** Keeps an event on disk, to be stored soon. False: it was not taken, and has to be stored before it is answered. */
  add(entry: Entry): boolean;
  /** Resolves when all events taken so far are stored, or cannot be for now (a full disk). */
  drained(): Promise<void>;
  /** Stores what is left, then closes the file. */
  close(): Promise<void>;
};

/** Longer lines take longer to write than is gained. */
const MOST_BYTES = 100_000;
/** When the database cannot keep up, events are stored before they are answered, which slows their senders down. */
const MOST_WAITING = 200;
const RETRY_MS = 1_000;
/** What `jsonb` refuses, NUL and halves of surrogate pairs, is for its sender to be told. */
const REFUSED = /\\u(?:0000|d[89a-f])/i;

/**
 * Opens the journal and takes up what an earlier process left in it. Events are stored in order, one at a time; one that
 * the database refuses is logged and passed over.
 *
 * @param store must do nothing for an event that is stored already
 * @throws the file system's errors when the file cannot be opened
 */
export function openJournal(file: string, store: (entry: Entry) => Promise<void>, log: Log): Journal {
  const fd = openSync(file, 'a+', 0o600);
  const left = readFileSync(fd, 'utf8');
  if (left !== '' && !left.endsWith('\n')) writeSync(fd, '\n');
  const waiting = left.split('\n').flatMap(entryOf);
  let size = fstatSync(fd).size;
  let working: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function work() {
    for (let entry = waiting[0]; entry; entry = waiting[0]) {
      try {
        await store(entry);
      } catch (error) {
        if (isOutOfResources(error)) {
          log.error({ error, waiting: waiting.length }, 'events cannot be stored for now');
          retry = setTimeout(start, RETRY_MS);
          retry.unref();
          working = undefined;
          return;
        }
        log.error({ error, session: entry.event.session_id }, 'an event could not be stored');
      }
      waiting.shift();
    }
    ftruncateSync(fd, 0);
    size = 0;
    working = undefined;
  }

  function start() {
    clearTimeout(retry);
    // not at once: what is under way is to be answered first
    working ??= setImmediate().then(work);
  }

  start();
  return {
    add(entry) {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      if (line.length > MOST_BYTES || waiting.length >= MOST_WAITING || REFUSED.test(line.toString('latin1')))
        return false;
      try {
        if (writeSync(fd, line) < line.length) throw new Error('the disk is full');
      } catch (error) {
        log.warn({ error }, 'the journal cannot be written');
        ftruncateSync(fd, size);
        return false;
      }
      size += line.length;
      waiting.push(entry);
      start();
      return true;
    },
    drained: async () => working,
    async close() {
      clearTimeout(retry);
      await working;
      closeSync(fd);
    },
  };
}

/** Nothing for a line that a kill cut short: it was not answered. */
function entryOf(line: string): Entry[] {
  try {
    const entry = JSON.parse(line);
    return Line.safeParse(entry).success ? [entry] : [];
  } catch {
    return [];
  }
}

/** PostgreSQL's class 53. */
function isOutOfResources(error: unknown): boolean {
  const code = (error as { cause?: { code?: unknown } })?.cause?.code;
  return /^53/.test(String(code));
}
