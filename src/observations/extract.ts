import { isErrorLine } from '../incidents/error-lines.ts';
import { clip } from '../text/clip.ts';
import { countLines } from './keep.ts';
import { header } from './output.ts';

// What an agent is shown in place of a long output.

const HEAD_LINES = 10;
const TAIL_LINES = 30;
/** Most lines with errors that are shown. The others are only counted. */
const MAX_ERROR_LINES = 50;
/** Longest line, in characters. */
const MAX_LINE = 160;
/** Only this many characters of a line are searched for an error. */
const MAX_SEARCHED = 1_000;

const inThousands = (n: number) => n.toLocaleString('en-US');

/**
 * Returns the extract of an output: its size, its first 10 and last 30 lines, all lines in between that tell of an error
 * (at most 50), and how the rest is read. Long lines are cut. Returns null if that is not much shorter than the output.
 *
 * @param id of the observation that keeps the output
 */
export function extractOf(id: string, text: string): string | null {
  const total = countLines(text);
  const headEnd = startOfLine(text, HEAD_LINES);
  const tailStart = Math.max(headEnd, startFromEnd(text, TAIL_LINES));
  const middle = text.slice(headEnd, tailStart);
  const size = header(id, `${inThousands(text.length)} characters, ${inThousands(total)} lines`);
  const head = linesOf(text.slice(0, headEnd)).map(cutLine);
  const tail = linesOf(text.slice(tailStart)).map(cutLine);
  const hidden = total - head.length - tail.length;
  const parts = [size, ...head];
  if (hidden > 0) {
    const { shown, more } = errorLines(middle, head.length + 1);
    const range = `${head.length + 1}-${head.length + hidden}`;
    parts.push(`… lines ${range} are kept and not shown${shown.length > 0 ? ', but for errors' : ''} …`);
    parts.push(...shown.map(({ number, line }) => `${number}: ${line}`));
    if (more > 0) parts.push(`… ${inThousands(more)} more lines with errors …`);
    if (shown.length > 0) parts.push('…');
  }
  parts.push(...tail, howToRead(id, head.length, hidden));
  const extract = parts.join('\n');
  return extract.length <= text.length / 2 ? extract : null;
}

/** Returns how an agent can read the rest. If no lines are hidden, the ends of long lines are missing. */
const howToRead = (id: string, head: number, hidden: number): string => {
  const from = hidden > 0 ? head + 1 : 1;
  const to = hidden > 0 ? Math.min(head + hidden, from + 199) : from;
  return `[read the rest: lore obs ${id} --lines ${from}-${to}, or: lore obs ${id} --grep WORD]`;
};

function errorLines(text: string, firstNumber: number) {
  const shown: { number: number; line: string }[] = [];
  let more = 0;
  for (const [i, line] of linesOf(text).entries()) {
    if (!isErrorLine(line.length > MAX_SEARCHED ? line.slice(0, MAX_SEARCHED) : line)) continue;
    if (shown.length < MAX_ERROR_LINES) shown.push({ number: firstNumber + i, line: cutLine(line) });
    else more += 1;
  }
  return { shown, more };
}

/** Splits a text into lines. A line end at the end of the text begins no new line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE) return line.trimEnd();
  const kept = clip(line, MAX_LINE - 30);
  return `${kept}… [${inThousands(line.length - kept.length)} more characters]`;
}

/** Returns where line number `n` begins, counted from 0; the end of the text if it has fewer lines. */
function startOfLine(text: string, n: number): number {
  let at = 0;
  for (let i = 0; i < n; i++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** Returns where the last `n` lines begin. */
function startFromEnd(text: string, n: number): number {
  let end = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let i = 0; i < n; i++) {
    const before = end <= 0 ? -1 : text.lastIndexOf('\n', end - 1);
    if (before < 0) return 0;
    end = before;
  }
  return end + 1;
}
