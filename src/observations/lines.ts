import { setImmediate } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { Problem } from '../errors/problem.ts';
import { clip } from '../text/clip.ts';
import { linesOf } from './extract.ts';

// Reads parts of an output: lines by number, and lines that match a search. The size of an answer is limited,
// because an agent reads it.

/** Most lines of an answer. */
const MAX_LINES = 1_000;
/** Most characters of an answer, and of one of its lines. The client shows an agent 30,000 characters of a command. */
const MAX_ANSWER = 24_000;
const MAX_LINE = 2_000;
/** Only this many characters of a line are searched by a regular expression. */
const MAX_SEARCHED = 2_000;
/** Largest regular expression, in instructions of RE2. The time for a line grows with it. */
const MAX_PROGRAM = 1_000;
/** Most time for a search, in ms. Requests are answered in between. */
const MAX_SEARCH_MS = 2_000;
const YIELD_MS = 5;

type Line = { number: number; text: string; match: boolean };
export type Part = {
  lines: Line[];
  /** the number of lines that match; null if nothing was searched for */
  matches: number | null;
  /** the first line that was asked for and does not fit into the answer; null: all are there */
  next: number | null;
  /** false: the search took too long, and ended before `next` */
  searched: boolean;
};

export type Wanted = {
  /** the first and the last line, counted from 1 */
  from: number;
  to: number;
  /** only lines that have all of these words, or that match this regular expression (RE2, linear time) */
  q?: string | undefined;
  regex: boolean;
  /** lines around each match */
  context: number;
};

/**
 * Returns lines of a text.
 *
 * @throws Problem (400) that names `q` if it is no regular expression of RE2, or too large a one
 */
export async function readLines(text: string, wanted: Wanted): Promise<Part> {
  const all = linesOf(text);
  const last = Math.min(wanted.to, all.length);
  if (wanted.q === undefined) return fitted(all, range(wanted.from, last), new Set(), null);
  const matches = wanted.regex ? byPattern(wanted.q) : byWords(wanted.q);
  const found: number[] = [];
  const begin = performance.now();
  let since = begin;
  let until = last;
  for (let number = wanted.from; number <= last; number++) {
    if (matches(all[number - 1] ?? '')) found.push(number);
    const now = performance.now();
    if (now - begin > MAX_SEARCH_MS) {
      until = number;
      break;
    }
    if (now - since < YIELD_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  const around = found.flatMap((number) =>
    range(Math.max(wanted.from, number - wanted.context), Math.min(last, number + wanted.context)),
  );
  const part = fitted(
    all,
    [...new Set(around)].sort((a, b) => a - b),
    new Set(found),
    found.length,
  );
  return until < last ? { ...part, next: part.next ?? until + 1, searched: false } : part;
}

function fitted(all: string[], numbers: number[], found: Set<number>, matches: number | null): Part {
  const lines: Line[] = [];
  let left = MAX_ANSWER;
  for (const number of numbers) {
    const text = cut(all[number - 1] ?? '');
    left -= text.length;
    if (lines.length > 0 && (left < 0 || lines.length === MAX_LINES))
      return { lines, matches, next: number, searched: true };
    lines.push({ number, text, match: found.has(number) });
  }
  return { lines, matches, next: null, searched: true };
}

const cut = (line: string): string =>
  line.length <= MAX_LINE ? line : `${clip(line, MAX_LINE)}… [${line.length - MAX_LINE} more characters]`;

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(to - from + 1, MAX_LINES + 1)) }, (_, i) => from + i);

/** Looks for all words, whatever their case. */
function byWords(q: string): (line: string) => boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return (line) => {
    const lower = line.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

/**
 * Looks for a pattern. RE2 has no backtracking, so the time is at most the pattern's size times the line's
 * length.
 */
function byPattern(q: string): (line: string) => boolean {
  const pattern = compile(q);
  return (line) => pattern.matcher(line.slice(0, MAX_SEARCHED)).find();
}

function compile(q: string): RE2JS {
  const wrong = (why: string, cause?: unknown) => {
    const message = `is no regular expression that can be searched for: ${why}`;
    return new Problem({
      status: 400,
      title: 'Bad request',
      detail: `q: ${message}`,
      errors: [{ field: 'q', message }],
      cause,
    });
  };
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(q);
  } catch (cause) {
    throw wrong((cause as Error).message, cause);
  }
  if (pattern.programSize() > MAX_PROGRAM) throw wrong('it is too large; use fewer or smaller repetitions');
  return pattern;
}
