import Table from 'cli-table3';
import { charactersOf } from '../text/clip.ts';
import { plain } from './print.ts';

type Cell = string | number | boolean | null;

/** Text wraps down to this many columns of the terminal before a whole column of the table is left out. */
const NARROW = 16;
/** A cell of one word is never broken unless it is longer than this: ids, codes, dates and names of things are shorter. */
const LONG_WORD = 40;

/**
 * Returns rows as a table that fits the terminal: the widest columns wrap between words, and columns that find no room
 * are left out.
 *
 * @param options.drop heads of columns that may be left out, the least important first
 * @param options.width of the terminal, in columns
 */
export function table(
  head: string[],
  rows: Cell[][],
  { drop = [], width = process.stdout.columns || 120 }: { drop?: string[]; width?: number } = {},
): string {
  const text = rows.map((row) => row.map((cell) => (cell === null ? '' : plain(String(cell)))));
  const columns = head.map((name, i) =>
    columnOf(
      name,
      text.map((row) => row[i] ?? ''),
    ),
  );
  const shown = columns.map((_, i) => i);
  for (const name of drop) {
    if (spaceFor(shown.map((i) => (columns[i] as Column).least)) <= width) break;
    const at = shown.indexOf(head.indexOf(name));
    if (at >= 0) shown.splice(at, 1);
  }
  const widths = fitColumns(
    shown.map((i) => columns[i] as Column),
    width,
  );
  const printed = new Table({
    head: shown.map((i, at) => wrapped(head[i] as string, widths[at] as number)),
    colWidths: widths.map((w) => w + 2),
    style: { head: [], border: [], compact: true },
  });
  printed.push(...text.map((row) => shown.map((i, at) => wrapped(row[i] ?? '', widths[at] as number))));
  return printed.toString();
}

/** Columns of the terminal that a column of the table takes without wrapping, and at least. */
type Column = { natural: number; least: number };

function columnOf(head: string, cells: string[]): Column {
  const widest = (texts: string[]) => Math.max(1, ...texts.map(widthOf));
  const natural = widest([head, ...cells].flatMap((text) => text.split('\n')));
  const words = widest(cells.flatMap((cell) => (/\s/.test(cell.trim()) ? [] : [cell])));
  const unbroken = words <= LONG_WORD ? words : NARROW;
  return {
    natural,
    least: Math.min(natural, Math.max(unbroken, cells.some((c) => /\s/.test(c)) ? NARROW : 1)),
  };
}

/** Each column of a table needs three characters for border and padding, and the table one more. */
const spaceFor = (widths: number[]) => widths.reduce((sum, width) => sum + width + 3, 1);

/** Returns the widths of columns: the widest are shrunk until the row fits, but none below what it needs at least. */
function fitColumns(columns: Column[], width: number): number[] {
  const widths = columns.map(({ natural }) => natural);
  while (spaceFor(widths) > width) {
    const spare = columns.map(({ least }, i) => ((widths[i] as number) > least ? (widths[i] as number) : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) break;
    widths[widest] = (widths[widest] as number) - 1;
  }
  return widths;
}

/** Characters that take two columns of a terminal. */
const WIDE =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

const widthOf = (text: string) =>
  charactersOf(text).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);

/** Returns a text in lines that fit a column: broken between words, and inside one only if it alone is too long. */
function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const lines = [''];
  let room = width;
  const put = (text: string, takes: number) => {
    lines[lines.length - 1] += text;
    room -= takes;
  };
  const next = () => {
    lines[lines.length - 1] = (lines.at(-1) as string).trimEnd();
    lines.push('');
    room = width;
  };
  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    if (widthOf(word.trimEnd()) > room && room < width) next();
    if (widthOf(word) <= room) put(word, widthOf(word));
    else
      for (const character of charactersOf(word)) {
        const takes = WIDE.test(character) ? 2 : 1;
        if (takes > room && room < width) {
          if (/\s/.test(character)) continue;
          next();
        }
        put(character, takes);
      }
  }
  return lines.map((text) => text.trimEnd());
}
