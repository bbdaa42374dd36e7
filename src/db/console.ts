import { isDamage } from '../base/errors/database-failure.ts';
import { Problem } from '../base/errors/problem.ts';
import { asUser, type Claims } from './as-user.ts';
import { driverOf, type Rows, type Transaction } from './driver.ts';
import type { Database, Tx } from './open.ts';

const READS = ['select', 'with', 'values', 'table', 'show', 'explain'];
/** Words of statements that can be read through a cursor. */
const CURSORS = ['select', 'with', 'values', 'table'];
/**
 * Names that could change the caller's role or claims in the middle of a statement, run another statement
 * given as text, or take a lock that outlives the statement; and functions that do more than read the caller's rows, even
 * in a transaction that only reads. They are searched for everywhere, also within quotes: a name may be quoted, and
 * U&"…" may spell it in escapes.
 */
const REFUSED =
  /set_config|pg_settings|_to_xml|ts_stat|ts_rewrite|pg_(?:try_)?advisory|u&"|pg_notify|pg_logical_\w+|pg_(?:create|drop|copy)_\w*slot\w*|pg_replication_\w+|pg_sleep\w*|pg_(?:terminate|cancel)_backend|pg_(?:reload_conf|rotate_logfile|switch_wal|promote|export_snapshot|create_restore_point)|pg_(?:read|ls|stat|file)_\w*(?:file|dir|write|sync|rename|unlink)\w*|\blo_(?:creat|create|import|export|open|put|get|from_bytea|truncate|unlink|lseek|tell|close)\w*|\blo(?:read|write)\b|\bdblink\w*/i;

/** The embedded database runs one statement at a time: others wait for this one. */
const MAX_MS = 5_000;

/** How much of a result is read. docs/dashboard.md lists these. */
const LIMITS = { rows: 10_000, bytes: 5_000_000 };
/** Rows that are fetched at once. */
const AT_ONCE = 50;

const DECLARE = 'declare lore_asked no scroll cursor for ';

/** `cut`: what is missing; null: nothing */
type Result = { columns: string[]; rows: Rows['rows']; cut: string | null };

/**
 * Runs one SQL statement as the caller, under row level security, in a read-only transaction of its own, and returns its
 * result. Statements that could change the role or the session (DO, SET, …) are refused, and so are functions with
 * effects. A statement that runs for more than 5 s is ended. At most 10,000 rows and about 5 MB are read.
 *
 * @throws Problem (400) when the statement is refused or fails; then with the database's message, position and hint
 */
export async function runConsole(db: Database, claims: Claims, statement: string): Promise<Result> {
  const word = firstWord(statement);
  if (!READS.includes(word))
    throw refused(`The console only reads: ${READS.join(', ')}; this begins with “${word}”.`);
  const name = REFUSED.exec(statement)?.[0];
  if (name !== undefined)
    throw refused(`The console does not run statements that contain “${name}”: it does more than read rows.`);
  const read = CURSORS.includes(word);
  try {
    // what `show` and `explain` answer is short
    const run = async (tx: Tx): Promise<Result> => {
      const driver = driverOf<Transaction>(tx);
      if (read) return readSome(driver, statement);
      const { rows, fields } = await driver.single(statement, MAX_MS);
      return { columns: fields.map(({ name }) => name), rows, cut: null };
    };
    return await asUser(db, claims, run, { readOnly: true });
  } catch (cause) {
    // what to do then is the same for every request (src/http/errors.ts)
    if (isDamage(cause)) throw cause;
    const detail = explain(cause, read ? DECLARE.length : 0);
    throw new Problem({ status: 400, title: 'SQL error', detail, cause });
  }
}

const refused = (detail: string) => new Problem({ status: 400, title: 'Statement refused', detail });

/** Reads through a cursor: an answer without an end fills neither this process nor the engine. */
async function readSome(driver: Transaction, given: string): Promise<Result> {
  const until = performance.now() + MAX_MS;
  const run = (text: string) => driver.single(text, Math.max(1, Math.ceil(until - performance.now())));
  // within another statement it may not end with a semicolon
  await run(`${DECLARE}${given.replace(/[\s;]+$/, '')}\n`);
  const rows: Record<string, unknown>[] = [];
  for (let bytes = 0; ; ) {
    const { fields, rows: next } = await run(`fetch ${AT_ONCE} from lore_asked`);
    const columns = fields.map(({ name }) => name);
    for (const row of next) {
      bytes += JSON.stringify(row, asJson).length;
      if (rows.length === LIMITS.rows || bytes > LIMITS.bytes) return cutOff(columns, rows);
      rows.push(row);
    }
    if (next.length < AT_ONCE) return { columns, rows, cut: null };
  }
}

/** Whole numbers beyond 2^53 are bigints, which JSON does not know. */
const asJson = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const cutOff = (columns: string[], rows: Record<string, unknown>[]): Result => {
  const cut = `Only the first ${rows.length.toLocaleString('en')} rows are here: ask for fewer, or go on with limit and offset.`;
  return { columns, rows, cut };
};

/** Returns the statement's first word in lower case, after white space, comments and opening brackets. */
function firstWord(statement: string): string {
  const rest = statement.replace(/^(\s|\(|--[^\r\n]*([\r\n]|$)|\/\*((?!\/\*)[\s\S])*?\*\/)+/, '');
  return /^[a-z]+/i.exec(rest)?.[0].toLowerCase() ?? '';
}

function explain(error: unknown, before: number): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code, hint, position } = cause as { code?: string; hint?: string; position?: string };
  if (code === '57014')
    return `The statement was ended after ${MAX_MS / 1_000} s. Ask for less, or with a condition that an index answers.`;
  const at = position && `at character ${Number(position) - before}`;
  return [cause.message, at, hint && `hint: ${hint}`].filter(Boolean).join('; ');
}
