import Table from 'cli-table3';
import { plain } from './print.ts';
import { widthOf, wrapped } from './wrap.ts';

type Cell = string | number | boolean | null;

/** A cell of several words that is wider than this is a text: it wraps, or gets lines of its own. */
const TEXT = 32;
/** A text reads well from this many columns of the terminal on; ids, codes, branches and files rarely have more. */
const READABLE = 40;
/** Between columns without a border, and before a text that has lines of its own. */
const GAP = '  ';

/**
 * Returns rows as a table that fits the terminal. If its texts find no decent width beside the other columns, each gets
 * lines of its own under its row, as in `git log`. Words, ids and heads are broken only if they alone are too long.
 * Columns in which nothing stands are left out. Projects are shown by their names; if all rows are of one project, a
 * line below names it instead of a column.
 *
 * @param options.drop heads of columns that may be left out where even that has no room, the least important first
 * @param options.whole all columns are shown, and projects by their whole names
 */
export function table(
  { columns: width = 120 }: { columns?: number | undefined },
  head: string[],
  rows: Cell[][],
  { drop = [], whole = false }: { drop?: string[]; whole?: boolean } = {},
): string {
  let columns = head.map((name, i) =>
    columnOf(
      name,
      rows.map((row) => plain(String(row[i] ?? ''))),
    ),
  );
  if (whole) return fitted(columns, drop, width);
  columns = columns
    .filter(({ cells }) => cells.length === 0 || cells.some((cell) => cell !== ''))
    .map((column) => (column.name === 'project' ? columnOf('project', projectNames(column.cells)) : column));
  const one = columns.find(({ name, cells }) => name === 'project' && new Set(cells).size === 1);
  if (one === undefined) return fitted(columns, drop, width);
  const others = columns.filter((column) => column !== one);
  return `${fitted(others, drop, width)}\nProject: ${one.cells[0]}`;
}

const fitted = (columns: Column[], drop: string[], width: number): string =>
  spaceFor(columns.map(({ least }) => least)) <= width
    ? bordered(columns, width)
    : stacked(columns, drop, width);

/** `natural`: columns of the terminal that it takes without wrapping; `least`: that it should have; `text`: it may wrap. */
type Column = { name: string; cells: string[]; natural: number; least: number; text: boolean };

function columnOf(name: string, cells: string[]): Column {
  const natural = Math.max(1, ...[name, ...cells].flatMap((cell) => cell.split('\n')).map(widthOf));
  const text =
    natural > READABLE || cells.some((cell) => /\n/.test(cell) || (widthOf(cell) > TEXT && /\s/.test(cell)));
  return { name, cells, natural, text, least: text ? Math.min(natural, READABLE) : natural };
}

/** Returns the shortest ends of projects' names, from a slash on, that tell them from each other. */
function projectNames(names: string[]): string[] {
  const all = [...new Set(names)];
  const end = (name: string, parts: number) => name.split('/').slice(-parts).join('/');
  return names.map((name) => {
    for (let parts = 1; parts < name.split('/').length; parts += 1)
      if (all.every((other) => other === name || end(other, parts) !== end(name, parts)))
        return end(name, parts);
    return name;
  });
}

/** Each column of a table with borders needs three characters for border and padding, and the table one more. */
const spaceFor = (widths: number[]) => widths.reduce((sum, width) => sum + width + 3, 1);

/** Returns a table with borders: the widest texts wrap until the row fits. */
function bordered(columns: Column[], width: number): string {
  const widths = columns.map(({ natural }) => natural);
  while (spaceFor(widths) > width) {
    const spare = columns.map(({ least }, i) => ((widths[i] as number) > least ? (widths[i] as number) : 0));
    const widest = spare.indexOf(Math.max(...spare));
    widths[widest] = (widths[widest] as number) - 1;
  }
  const wrap = (text: string, i: number) => wrapped(text, widths[i] as number);
  const printed = new Table({
    head: columns.map(({ name }, i) => wrap(name, i)),
    colWidths: widths.map((w) => w + 2),
    style: { head: [], border: [], compact: true },
  });
  const rows = columns[0]?.cells ?? [];
  printed.push(...rows.map((_, row) => columns.map(({ cells }, i) => wrap(cells[row] as string, i))));
  return printed.toString();
}

/**
 * Returns rows without borders: short columns on one line, each text below it. If there are several texts, each is
 * named. What finds no room on the line is left out if it may be, else it goes below.
 */
function stacked(columns: Column[], drop: string[], width: number): string {
  let short = columns.filter(({ text }) => !text);
  const moved: Column[] = [];
  const takes = () => short.reduce((sum, { natural }) => sum + natural + GAP.length, -GAP.length);
  const droppable = [...drop];
  while (takes() > width && short.length > 0) {
    const name = droppable.shift();
    const widest = short.reduce((a, b) => (b.natural > a.natural ? b : a));
    if (name === undefined) moved.push(widest);
    short = short.filter((column) => (name === undefined ? column !== widest : column.name !== name));
  }
  const below = columns.filter((column) => column.text || moved.includes(column));
  const line = (cellOf: (column: Column) => string) =>
    short
      .map((column) => cellOf(column) + ' '.repeat(column.natural - widthOf(cellOf(column))))
      .join(GAP)
      .trimEnd();
  const texts = (row: number) =>
    below
      .filter(({ cells }) => cells[row] !== '')
      .map(({ name, cells }) => (below.length > 1 && name !== '' ? `${name}: ${cells[row]}` : cells[row]))
      .map((text) => wrapped(text as string, width - GAP.length).replace(/^/gm, GAP));
  const rows = columns[0]?.cells ?? [];
  const lines = rows.flatMap((_, row) => [line(({ cells }) => cells[row] as string), ...texts(row)]);
  return [line(({ name }) => name), ...lines].filter((text) => text !== '').join('\n');
}
