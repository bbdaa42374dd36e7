import type { Database, StatementResult, Tx } from './open.ts';

// Reads what a statement returns through a cursor, and no more of it than an answer may hold. So an answer without an end
// fills neither this process nor the engine, and nobody waits while it is turned into JSON.

/** How much of a result is read. docs/dashboard.md lists these. */
export const READ_LIMITS = { rows: 10_000, bytes: 5_000_000, cell: 100_000 };

/** Rows that are fetched at once at first; later as many as fit into FETCH_BYTES. */
const FIRST_ROWS = 20;
const FETCH_BYTES = 500_000;

/** Types whose values are short: numbers, times, uuid and the like (type numbers of PostgreSQL). */
const SHORT = [16, 18, 19, 20, 21, 23, 26, 700, 701, 1082, 1083, 1114, 1184, 1186, 1266, 1700, 2950];
/** Types whose values can be cut: text, char(n), varchar, unknown. */
const TEXT = [25, 705, 1042, 1043];

export const DECLARE = 'declare lore_asked no scroll cursor for ';

export type Limited = StatementResult & { /** what is missing; null: nothing */ cut: string | null };

/**
 * Returns the rows of a statement that reads, at most 10,000 rows and about 5 MB. Long values are cut.
 *
 * @param limitMs most time for the whole, in milliseconds
 * @throws the database's error. Its `position` counts from the beginning of {@link DECLARE}
 */
export async function readLimited(db: Database, tx: Tx, given: string, limitMs: number): Promise<Limited> {
  // within another statement it may not end with a semicolon
  const statement = given.replace(/[\s;]+$/, '');
  const until = performance.now() + limitMs;
  const run = (text: string) => db.single(tx, text, Math.max(1, Math.ceil(until - performance.now())));
  // nothing is read by this: it says what the columns are
  await run(`${DECLARE}${statement}\n`);
  const { columns, types } = await run('fetch 0 from lore_asked');
  await run('close lore_asked');
  await run(`declare lore_cut no scroll cursor for ${cutting(statement, types)}`);
  const rows: Record<string, unknown>[] = [];
  let bytes = 0;
  let next = FIRST_ROWS;
  let long = false;
  for (;;) {
    const fetched = await run(`fetch ${next} from lore_cut`);
    for (const row of fetched.rows) {
      const { lore_long: isLong, ...cells } = row;
      const named = Object.fromEntries(columns.map((name, i) => [name, cells[`c${i}`]]));
      bytes += JSON.stringify(named, asJson).length;
      if (rows.length === READ_LIMITS.rows || bytes > READ_LIMITS.bytes) {
        return { columns, types, rows, affected: null, cut: said(rows.length, long) };
      }
      long ||= isLong === true;
      rows.push(named);
    }
    if (fetched.rows.length < next) break;
    const mean = bytes / rows.length;
    const left = READ_LIMITS.rows - rows.length + 1;
    next = Math.max(1, Math.min(left, Math.floor(FETCH_BYTES / mean)));
  }
  return { columns, types, rows, affected: null, cut: long ? said(null, long) : null };
}

/** Whole numbers beyond 2^53 are bigints, which JSON does not know. */
const asJson = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Returns a statement with the same rows, in which no value is long, and a column that says whether one was. */
function cutting(statement: string, types: number[]): string {
  if (types.length === 0) return statement;
  const { cell } = READ_LIMITS;
  const names = types.map((_, i) => `c${i}`);
  const cells = types.map((type, i) => {
    if (SHORT.includes(type)) return `c${i}`;
    if (TEXT.includes(type)) return `left(c${i}, ${cell}) as c${i}`;
    return `case when pg_column_size(c${i}) <= ${cell} then c${i} end as c${i}`;
  });
  const longs = types.flatMap((type, i) => {
    if (SHORT.includes(type)) return [];
    return TEXT.includes(type) ? `length(c${i}) > ${cell}` : `pg_column_size(c${i}) > ${cell}`;
  });
  const long = longs.length === 0 ? 'false' : `coalesce(${longs.join(' or ')}, false)`;
  // with an offset the values are made once, however often they are named here
  const asked = `select * from (${statement}\n) as lore_asked offset 0`;
  return `select ${cells.join(', ')}, ${long} as lore_long from (${asked}) as asked(${names.join(', ')})`;
}

/** Returns the sentence that tells what is missing. */
function said(rows: number | null, long: boolean): string {
  const parts = [
    ...(rows === null
      ? []
      : [
          `Only the first ${rows.toLocaleString('en')} rows are here: ask for fewer, or go on with limit and offset.`,
        ]),
    ...(long
      ? [
          `A value longer than ${READ_LIMITS.cell.toLocaleString('en')} characters is cut, or null if it is no text.`,
        ]
      : []),
  ];
  return parts.join(' ');
}
