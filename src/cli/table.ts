import Table from 'cli-table3';
import { charactersOf } from '../text/clip.ts';
import type { Io } from './io.ts';
import { ago, percent, plain, short } from './print.ts';

type Cell = string | number | boolean | null | undefined;

/** A column that is wider than this is a text: it wraps where the table has no room, down to this. */
const READABLE = 32;

/** Returns how many columns of the terminal a text takes at most: Chinese, emoji and the like take two a character. */
const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, character) => sum + (/[\u1100-\u115f\u2300-\u{10ffff}]/u.test(character) ? 2 : 1),
    0,
  );

/**
 * Returns rows as a table that fits the terminal: texts wrap. Columns in which nothing stands are left out.
 *
 * @param options.drop heads of columns that are left out where there is no room, the least important first
 * @param options.whole also columns in which nothing stands are shown
 */
export function table(
  { columns: width = 120 }: { columns?: number | undefined },
  head: string[],
  rows: Cell[][],
  { drop = [], whole = false }: { drop?: string[]; whole?: boolean } = {},
): string {
  const all = [head, ...rows].map((row) => head.map((_, i) => plain(String(row[i] ?? ''))));
  const natural = head.map((_, i) =>
    Math.max(1, ...all.flatMap((row) => (row[i] as string).split('\n')).map(widthOf)),
  );
  let shown = [...head.keys()].filter(
    (i) => whole || rows.length === 0 || all.slice(1).some((row) => row[i] !== ''),
  );
  // a column needs three characters for border and padding
  const space = (widths: number[]) => shown.reduce((sum, i) => sum + (widths[i] as number) + 3, 1);
  for (const name of drop)
    if (space(natural.map((n) => Math.min(n, READABLE))) > width)
      shown = shown.filter((i) => head[i] !== name);
  const widths = [...natural];
  while (space(widths) > width) {
    const widest = shown.reduce((a, b) => ((widths[b] as number) > (widths[a] as number) ? b : a));
    if ((widths[widest] as number) < 5) break;
    (widths[widest] as number)--;
  }
  // what is one word, and longer than its column, is broken
  const broken = (text: string, i: number) =>
    text.replace(/\S+/g, (word) => {
      const lines = [''];
      for (const character of charactersOf(word)) {
        const line = lines.at(-1) as string;
        if (line === '' || widthOf(line + character) <= (widths[i] as number))
          lines[lines.length - 1] += character;
        else lines.push(character);
      }
      return lines.join(' ');
    });
  const printed = new Table({
    head: shown.map((i) => broken(head[i] as string, i)),
    colWidths: shown.map((i) => (widths[i] as number) + 2),
    style: { head: [], border: [], compact: true },
    wordWrap: true,
  });
  printed.push(...all.slice(1).map((row) => shown.map((i) => broken(row[i] as string, i))));
  return printed.toString();
}

/** What a column or a line shows, where it is not a field of the record. */
type Special<R> = Record<string, (record: R) => unknown>;

/**
 * Returns what is shown of a record. Names stand behind each other; `told=toldIn` shows a field under another name, with a
 * space for each `_`.
 */
const fieldsOf = <R extends object>(record: R, names: string, special: Special<R>) =>
  names.split(' ').map((one) => {
    const [name = '', field = name] = one.split('=');
    const own = special[name];
    if (!own && !(field in record)) throw new Error(`there is no ${field} to show`);
    return {
      name: name.replaceAll('_', ' '),
      field,
      isOwn: own !== undefined,
      value: own ? own(record) : record[field as keyof R],
    };
  });

/** Returns a value as people read it: ids by their beginning, instants by their age, shares as percent. */
function shown(value: unknown, field: string): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map((one) => shown(one, field)).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, one]) => `${name} ${shown(one, name)}`)
      .join(', ');
  const text = String(value);
  if (typeof value === 'number') return /confidence|Rate$/.test(field) ? percent(value) : text;
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return short(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? ago(text) : text;
}

/**
 * Prints records as a table, or that there are none.
 *
 * @param names of the columns: {@link fieldsOf}
 * @param drop columns that are left out where there is no room, the least important first
 */
export function list<R extends object>(
  io: Io,
  records: R[],
  none: string,
  names: string,
  special: Special<R> = {},
  drop = '',
): void {
  if (io.json || records.length === 0) {
    io.answer(records, none);
    return;
  }
  const all = records.map((record) => fieldsOf(record, names, special));
  const head = (all[0] ?? []).map(({ name }) => name);
  const rows = all.map((row) => row.map(({ field, value }) => shown(value, field)));
  io.log(table(io, head, rows, { drop: drop.split(' ').map((name) => name.replaceAll('_', ' ')) }));
}

/** Prints what is known of something, a line for each name that has a value; of a list of values a line for each. */
export function details<R extends object>(io: Io, record: R, names: string, special: Special<R> = {}): void {
  for (const { name, field, isOwn, value } of fieldsOf(record, names, special))
    for (const one of Array.isArray(value) && isOwn ? value : [value]) {
      const text = field === 'id' ? String(one) : shown(one, field);
      if (text !== '')
        io.log(
          `  ${name.padEnd(11)}${plain(text)
            .trimEnd()
            .replace(/\n/g, `\n${' '.repeat(13)}`)}`,
        );
    }
}
