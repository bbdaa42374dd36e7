import { clip } from '../text/clip.ts';
import { linesOf } from './extract.ts';

// Reads parts of an output: lines by number, and lines that match a search. The size of an answer is limited,
// because an agent reads it.

/** Most lines of an answer. */
const MAX_LINES = 1_000;
/** Most characters of an answer, and of one of its lines. The client shows an agent 30,000 characters of a command. */
const MAX_ANSWER = 24_000;
const MAX_LINE = 2_000;
/** How many lines are returned without a range or a search. */
const USUAL_LINES = 200;

/**
 * Returns lines of a text, and of a search the number of lines that match.
 *
 * @param wanted.from the first and the last line (`to`), counted from 1; without a last one 200, or all of a search
 * @param wanted.q only lines that have all of these words, in upper or lower case, with `context` lines around each
 * @returns `next`: the first line that was asked for and does not fit into the answer; null: all are there
 */
export function readLines(
  text: string,
  wanted: { from: number; to?: number | undefined; q?: string | undefined; context: number },
) {
  const { from, q, context } = wanted;
  const all = linesOf(text);
  const usual = q === undefined ? from + USUAL_LINES - 1 : all.length;
  // without a search, no more than what fits, and one line that does not
  const most = q === undefined ? from + MAX_LINES : all.length;
  const to = Math.min(wanted.to ?? usual, most, all.length);
  const words = q?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const found = new Set<number>();
  const numbers = new Set<number>();
  for (let number = from; number <= to; number++) {
    const lower = words.length > 0 ? (all[number - 1] as string).toLowerCase() : '';
    if (!words.every((word) => lower.includes(word))) continue;
    found.add(number);
    const end = Math.min(to, number + context);
    for (let near = Math.max(from, number - context); near <= end; near++) numbers.add(near);
  }
  const lines: { number: number; text: string; match: boolean }[] = [];
  let left = MAX_ANSWER;
  let next: number | null = null;
  for (const number of numbers) {
    const line = all[number - 1] as string;
    const cut = line.length - MAX_LINE;
    const text = cut <= 0 ? line : `${clip(line, MAX_LINE)}… [${cut} more characters]`;
    left -= text.length;
    if (lines.length > 0 && (left < 0 || lines.length === MAX_LINES)) {
      next = number;
      break;
    }
    lines.push({ number, text, match: q !== undefined && found.has(number) });
  }
  return { lines, matches: q === undefined ? null : found.size, next };
}
