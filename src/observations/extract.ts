import { isErrorLine } from '../incidents/error-lines.ts';
import { clip } from '../text/clip.ts';
import { header } from './output.ts';

// What an agent is shown in place of a long output.

const HEAD_LINES = 10;
const TAIL_LINES = 30;
/** Most lines with errors that are shown. The others are only counted. */
const MAX_ERROR_LINES = 50;
/** Longest line, in characters; and how many characters of a line are searched for an error. */
const MAX_LINE = 160;
const MAX_SEARCHED = 1_000;

const inThousands = (n: number) => n.toLocaleString('en-US');

/**
 * Returns the extract of an output: its size, its first 10 and last 30 lines, all lines in between that tell of an error
 * (at most 50), and how the rest is read. Long lines are cut. Returns null if that is not much shorter than the output.
 *
 * @param id of the observation that keeps the output
 */
export function extractOf(id: string, text: string): string | null {
  const lines = linesOf(text);
  const last = Math.max(HEAD_LINES, lines.length - TAIL_LINES);
  const size = `${inThousands(text.length)} characters, ${inThousands(lines.length)} lines`;
  const errors: string[] = [];
  for (let i = HEAD_LINES; i < last; i++) {
    const line = lines[i] as string;
    if (isErrorLine(line.slice(0, MAX_SEARCHED))) errors.push(`${i + 1}: ${cutLine(line)}`);
  }
  const more = errors.length - MAX_ERROR_LINES;
  const middle = [
    `… lines ${HEAD_LINES + 1}-${last} are kept and not shown${errors.length > 0 ? ', but for errors' : ''} …`,
    ...errors.slice(0, MAX_ERROR_LINES),
    ...(more > 0 ? [`… ${inThousands(more)} more lines with errors …`] : []),
    ...(errors.length > 0 ? ['…'] : []),
  ];
  // if no lines are hidden, the ends of long lines are missing
  const hidden = lines.length > HEAD_LINES + TAIL_LINES;
  const rest = hidden ? `${HEAD_LINES + 1}-${Math.min(last, HEAD_LINES + 200)}` : '1-1';
  const extract = [
    header(id, size),
    ...lines.slice(0, HEAD_LINES).map(cutLine),
    ...(hidden ? middle : []),
    ...lines.slice(last).map(cutLine),
    `[read the rest: lore obs ${id} --lines ${rest}, or: lore obs ${id} --grep WORD]`,
  ].join('\n');
  return extract.length <= text.length / 2 ? extract : null;
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
