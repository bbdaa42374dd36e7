import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Entry } from './line.ts';

/** What the database refused, or a line of the journal that is not what it should be. */
export type RefusedLine = { refusedAt: string; reason: string; entry?: Entry; line?: string };

export type Refused = {
  /** Writes down a refusal, with the reason. Throws if the disk does not take it. */
  add(what: { entry: Entry } | { line: string }, reason: string): void;
  lines(): RefusedLine[];
  /** Removes the lines for which `goes` returns true. Returns how many they were. */
  remove(goes: (line: RefusedLine) => boolean): number;
};

/** Returns the file that keeps what the database refused for good, for a person to look at and to try again. */
export function openRefused(file: string, sync: boolean): Refused {
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(refusedLine) : []);
  return {
    add(what, reason) {
      const about: RefusedLine = { refusedAt: new Date().toISOString(), reason, ...what };
      appendFileSync(file, `${JSON.stringify(about)}\n`, { mode: 0o600, flush: sync });
    },
    lines,
    remove(goes) {
      const before = lines();
      const kept = before.filter((line) => !goes(line));
      if (kept.length < before.length)
        writeAtomically(file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''), {
          mode: 0o600,
          sync,
          alone: true,
        });
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
