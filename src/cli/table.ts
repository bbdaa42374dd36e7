import Table from 'cli-table3';
import { charactersOf } from '../base/text/clip.ts';
import { ago, type Io, percent, plain, short } from './io.ts';
import labels from './labels.txt' with { type: 'text' };

type Cell = string | number | boolean | null | undefined;

/** A column that is wider than this is a text: it wraps where the table has no room, down to this. */
const READABLE = 32;

/** Returns how many columns of the terminal a text takes at most: Chinese, emoji and the like take two a character. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, one) => sum + (/[\u1100-\u115f\u2300-\u{10ffff}]/u.test(one) ? 2 : 1), 0);

/**
 * Returns rows as a table that fits the terminal: texts wrap. Columns in which nothing stands are left out, and where there
 * is no room those whose head ends in `?`, the last first.
 *
 * @param options.whole also columns in which nothing stands are shown, and heads are taken as they are
 */
export function table(
  { columns: width = 120 }: { columns?: number | undefined },
  heads: string[],
  rows: Cell[][],
  { whole = false } = {},
): string {
  const head = heads.map((name) => (whole ? name : name.replace(/\?$/, '')));
  const all = [head, ...rows].map((row) => head.map((_, i) => plain(String(row[i] ?? ''))));
  const widths = head.map((_, i) =>
    Math.max(1, ...all.flatMap((row) => (row[i] as string).split('\n')).map(widthOf)),
  );
  let shown = [...head.keys()].filter(
    (i) => whole || rows.length === 0 || all.slice(1).some((row) => row[i] !== ''),
  );
  // a column needs three characters for border and padding
  const space = (most = Infinity) =>
    shown.reduce((sum, i) => sum + Math.min(widths[i] as number, most) + 3, 1);
  for (const i of [...head.keys()].reverse())
    if (!whole && heads[i]?.endsWith('?') && space(READABLE) > width)
      shown = shown.filter((one) => one !== i);
  while (space() > width) {
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
        if (line !== '' && widthOf(line + character) > (widths[i] as number)) lines.push(character);
        else lines[lines.length - 1] += character;
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
export type Special<R> = Record<string, (record: R) => unknown>;

/**
 * Returns what is shown of a record. Names stand behind each other; `told=toldIn` shows a field under another name, with a
 * space for each `_`.
 */
const fieldsOf = <R extends object>(record: R, names: string, special: Special<R>) =>
  names.split(' ').map((one) => {
    const [, name = '', field = name, mark = ''] = /^([^=?]+)(?:=([^?]+))?(\?)?$/.exec(one) ?? [];
    const own = special[name];
    if (!own && !(field in record)) throw new Error(`there is no ${field} to show`);
    const value = own ? own(record) : record[field as keyof R];
    return { name: `${name.replaceAll('_', ' ')}${mark}`, field, value };
  });

const LABELS: [name: string, label: string][] = labels
  .split('\n')
  .map((line) => [line.split(' ')[0] ?? '', line]);
/** Returns what people call a field; empty: it is not shown. */
const labelOf = (name: string): string =>
  LABELS.find(([one]) => one === name)?.[1].slice(name.length + 1) ??
  name.replace(/_|(?=[A-Z])/g, ' ').toLowerCase();

/** Returns a value as people read it: ids by their beginning, instants by their age, shares as percent. */
function shown(value: unknown, field: string): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map((one) => shown(one, field)).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, one]) => [labelOf(name), shown(one, name)])
      .filter(([, text]) => text !== '')
      .map((pair) => pair.join(' '))
      .join(', ');
  const text = String(value);
  if (typeof value === 'number') return /confidence|Rate$/.test(field) ? percent(value) : text;
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return short(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/.test(text) ? ago(text) : text;
}

/** Prints records as a table, or that there are none. @param names of the columns: {@link fieldsOf}, `?` as for `table` */
export function list<R extends object>(
  io: Io,
  records: R[],
  none: string,
  names: string,
  special: Special<R> = {},
) {
  if (io.json || records.length === 0) return io.answer(records, none);
  const all = records.map((record) => fieldsOf(record, names, special));
  const rows = all.map((row) => row.map(({ field, value }) => shown(value, field)));
  const head = all[0]?.map(({ name }) => name) ?? [];
  io.log(table(io, head, rows));
}

/** Prints all that is known of a record, a line for each field that has a value; of a list of objects a line for each. */
export function details(io: Io, record: object): void {
  // the events of a session are many, and for programs
  for (const [name, value] of Object.entries(record).filter(([name]) => name !== 'events' && labelOf(name)))
    for (const one of Array.isArray(value) && typeof value[0] === 'object' ? value : [value]) {
      const text = name === 'id' ? String(one) : shown(one, name).trim();
      if (text !== '')
        io.log(`  ${labelOf(name).padEnd(14)} ${plain(text).replaceAll('\n', `\n${' '.repeat(17)}`)}`);
    }
}

/** Returns a text in which `{name}` stands for what is shown of a record. */
export const fill = <R extends object>(text: string, record: R, special: Special<R>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const own = special[name];
    return shown(own ? own(record) : record[name as keyof R], name);
  });
