import { sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import { asUser, type Claims } from './as-user.ts';
import type { Database, StatementResult } from './open.ts';

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

/** The embedded database runs one statement at a time: this is how long others may have to wait for this one. */
const MAX_STATEMENT_MS = 5_000;

/**
 * Runs one SQL statement as the caller, under row level security, in a transaction of its own, and returns its result.
 * The transaction is read-only unless `write` is set. Statements that could change the role or the session (DO, SET, …)
 * are refused. A statement that runs for more than 5 s is ended.
 *
 * @throws Problem (400) when the statement is refused or fails; then with the database's message, position and hint
 */
export async function runConsole(
  db: Database,
  claims: Claims,
  statement: string,
  options: { write: boolean },
): Promise<StatementResult> {
  const word = firstWord(statement);
  const allowed = options.write ? WRITES : READS;
  if (!allowed.includes(word)) {
    const writes = WRITES.includes(word) ? ' It would write: say so with --write.' : '';
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
  try {
    return await asUser(
      db,
      claims,
      async (tx) => {
        const result = await db.single(tx, statement, MAX_STATEMENT_MS);
        // A temporary table would outlive the statement and hide the real table of that name from every user.
        if (options.write) await tx.execute(sql`discard temp`);
        return result;
      },
      { readOnly: !options.write },
    );
  } catch (cause) {
    throw new Problem({ status: 400, title: 'SQL error', detail: explain(cause), cause });
  }
}

/**
 * Returns the statement's first word in lower case, after white space, comments and opening brackets. Returns '' if the
 * statement begins with a nested comment.
 */
function firstWord(statement: string): string {
  const rest = statement.replace(/^(\s|\(|--[^\r\n]*([\r\n]|$)|\/\*((?!\/\*)[\s\S])*?\*\/)+/, '');
  return /^[a-z]+/i.exec(rest)?.[0].toLowerCase() ?? '';
}

function explain(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code, hint, position } = cause as { code?: string; hint?: string; position?: string };
  if (code === '57014') {
    return `The statement was ended after ${MAX_STATEMENT_MS / 1_000} s, and nothing of it is stored. Ask for less, or with a condition that an index answers.`;
  }
  return [cause.message, position && `at character ${position}`, hint && `hint: ${hint}`]
    .filter(Boolean)
    .join('; ');
}
