import { sql } from 'drizzle-orm';
import { Problem } from '../errors/problem.ts';
import { asUser, type Claims } from './as-user.ts';
import type { Database, Tx } from './open.ts';
import { DECLARE, type Limited, READ_LIMITS, readLimited } from './read-limited.ts';

const READS = ['select', 'with', 'values', 'table', 'show', 'explain'];
const WRITES = [...READS, 'insert', 'update', 'delete', 'merge'];
/**
 * Names that could change the caller's role or claims in the middle of a statement, run another statement
 * given as text, or take a lock that outlives the statement. PostgreSQL keeps an advisory lock as long as the
 * connection, also when the transaction is rolled back, and such a lock would keep other servers from
 * migrating. The names are searched for everywhere, also within quotes: a name may be quoted, and U&"…" may
 * spell it in escapes.
 */
const ESCAPES = /set_config|pg_settings|_to_xml|ts_stat|ts_rewrite|pg_(?:try_)?advisory|u&"/i;
/**
 * Functions that do more than read the caller's rows, even in a transaction that only reads: they write the log of the
 * database, wake or stop others, hold the connection, or lead to files and other servers.
 */
const EFFECTS =
  /pg_notify|pg_logical_\w+|pg_(?:create|drop|copy)_\w*slot\w*|pg_replication_\w+|pg_sleep\w*|pg_(?:terminate|cancel)_backend|pg_(?:reload_conf|rotate_logfile|switch_wal|promote|export_snapshot|create_restore_point)|pg_(?:read|ls|stat|file)_\w*(?:file|dir|write|sync|rename|unlink)\w*|\blo_(?:creat|create|import|export|open|put|get|from_bytea|truncate|unlink|lseek|tell|close)\w*|\blo(?:read|write)\b|\bdblink\w*/i;

/**
 * The embedded database runs one statement at a time: this is how long others may have to wait for this one. A device is
 * easily lost, and gets less.
 */
const MAX_MS = { person: 5_000, device: 2_000 };

/**
 * Runs one SQL statement as the caller, under row level security, in a transaction of its own, and returns its result.
 * The transaction is read-only unless `write` is set. Statements that could change the role or the session (DO, SET, …)
 * are refused, and so are functions with effects. A statement that runs for more than 5 s is ended, of a device after 2 s.
 * A result is cut while it is read.
 *
 * @throws Problem (400) when the statement is refused or fails; then with the database's message, position and hint
 */
export async function runConsole(
  db: Database,
  claims: Claims,
  statement: string,
  options: { write: boolean; by: keyof typeof MAX_MS },
): Promise<Omit<Limited, 'types'>> {
  const word = firstWord(statement);
  const allowed = options.write ? WRITES : READS;
  if (!allowed.includes(word)) {
    const writes = WRITES.includes(word) ? ' It would write, which lore sql --write does in a terminal.' : '';
    throw new Problem({
      status: 400,
      title: 'Statement refused',
      detail: `The console runs ${allowed.join(', ')}; this begins with “${word}”.${writes}`,
    });
  }
  const way = ESCAPES.exec(statement)?.[0];
  if (way !== undefined) {
    const why = /advisory/i.test(way)
      ? 'the lock would outlive the statement'
      : 'it could lead past row level security';
    const detail = `The console does not run statements that contain “${way}”: ${why}.`;
    throw new Problem({ status: 400, title: 'Statement refused', detail });
  }
  const effect = EFFECTS.exec(statement)?.[0];
  if (effect !== undefined) {
    const detail = `The console does not run statements that contain “${effect}”: it does more than read and write rows.`;
    throw new Problem({ status: 400, title: 'Statement refused', detail });
  }
  const limitMs = MAX_MS[options.by];
  const read = CURSORS.includes(word) && !(options.write && CHANGES.test(statement));
  try {
    return await asUser(
      db,
      claims,
      async (tx) => {
        const { types: _, ...result } = await (read
          ? readLimited(db, tx, statement, limitMs)
          : runWhole(db, tx, statement, limitMs));
        // A temporary table would outlive the statement and hide the real table of that name from every user.
        if (options.write) await tx.execute(sql`discard temp`);
        return result;
      },
      { readOnly: !options.write },
    );
  } catch (cause) {
    throw new Problem({
      status: 400,
      title: 'SQL error',
      detail: explain(cause, limitMs, read ? DECLARE.length : 0),
      cause,
    });
  }
}

/** Words of statements that can be read through a cursor. */
const CURSORS = ['select', 'with', 'values', 'table'];
/** A statement with such a word, even in a text, may write and then has no cursor. */
const CHANGES = /\b(?:insert|update|delete|merge)\b/i;

/** Runs a statement whose result is short, or which a person has write. Its rows are cut only after they were read. */
async function runWhole(db: Database, tx: Tx, statement: string, limitMs: number): Promise<Limited> {
  const result = await db.single(tx, statement, limitMs);
  const rows = result.rows.slice(0, READ_LIMITS.rows);
  const cut = rows.length < result.rows.length ? `Only the first ${READ_LIMITS.rows} rows are here.` : null;
  return { ...result, rows, cut };
}

/**
 * Returns the statement's first word in lower case, after white space, comments and opening brackets. Returns '' if the
 * statement begins with a nested comment.
 */
function firstWord(statement: string): string {
  const rest = statement.replace(/^(\s|\(|--[^\r\n]*([\r\n]|$)|\/\*((?!\/\*)[\s\S])*?\*\/)+/, '');
  return /^[a-z]+/i.exec(rest)?.[0].toLowerCase() ?? '';
}

function explain(error: unknown, limitMs: number, before: number): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code, hint, position } = cause as { code?: string; hint?: string; position?: string };
  if (code === '57014') {
    return `The statement was ended after ${limitMs / 1_000} s, and nothing of it is stored. Ask for less, or with a condition that an index answers.`;
  }
  if (code === '0A000' && cause.message.includes('data-modifying'))
    return 'It would write, which lore sql --write does in a terminal.';
  return [cause.message, position && `at character ${Number(position) - before}`, hint && `hint: ${hint}`]
    .filter(Boolean)
    .join('; ');
}
