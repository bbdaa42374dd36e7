import { Problem } from './problem.ts';

export type Failure = {
  /**
   * `refused`: the database will never take the data. `away`: it takes nothing from anybody until it is back or has room.
   * `for now`: it may take the data another time, and other data now. `unfit`: its schema, its grants or the connection
   * are not what the statement needs, so it may take the data when somebody has seen to that. `unknown`: something else
   * is wrong.
   */
  kind: 'refused' | 'away' | 'for now' | 'unfit' | 'unknown';
  reason: string;
};

/** The first kind that knows a code decides. The codes are SQLSTATEs, and those of Node and the driver. */
const KINDS: [Failure['kind'], RegExp][] = [
  // Connection, authorisation and database of the connection, resources (but not the memory that one statement wanted),
  // shutdown, system errors; behind them a connection or a disk.
  [
    'away',
    /^(?:08|28|3D|53(?!200)|57P|58|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ENOSPC|EIO)/,
  ],
  // deadlock and serialisation, memory, object state, a statement that was canceled because it took too long, internal errors
  ['for now', /^(?:40|53|55|57|XX)/],
  // for good: data exception, integrity violation, program limit exceeded
  ['refused', /^(?:22|23|54)/],
  // Any other speaks of the statement and not of the data: a missing table or column, a missing right, a prepared statement
  // that a pooler forgot, a plan from before a migration.
  ['unfit', /^[0-9A-Z]{3}\d[0-9A-Z]$/],
];

/** SQLSTATEs of a file of the database that is gone, cut or overwritten. */
const DAMAGED = /^(?:XX00[12]|58P01)$/;
/** What is away until somebody mends it: a login, a database, a host, a disk. */
const BY_HAND = /^(?:28|3D|58|ENOTFOUND|ENOSPC|EIO)/;

/** The database's own error is the error, or its cause. */
const partsOf = (error: unknown): unknown[] => [error, Object(error).cause];
/** Returns the codes of an error and of its cause. */
export const codesOf = (error: unknown): string[] =>
  partsOf(error).map((part) => String(Object(part).code ?? ''));

/** Returns whether the database says that one of its files is damaged: trying again does not help. */
export const isDamage = (error: unknown): boolean => codesOf(error).some((code) => DAMAGED.test(code));

/**
 * Returns whether a database is away only for now: it starts, stops, is full of connections, or cannot be reached. Such an
 * error ends no server, and a server that starts waits for it to pass.
 */
export const isAwayForNow = (error: unknown): boolean =>
  kindOfFailure(error).kind === 'away' && !codesOf(error).some((code) => BY_HAND.test(code));

/** Returns whether storing again can help after this error. */
export function kindOfFailure(error: unknown): Failure {
  const messages = partsOf(error).flatMap((part) => (part instanceof Error && part.message) || []);
  const reason = messages.at(-1) ?? String(error);
  if (error instanceof Problem && error.status < 500) return { kind: 'refused', reason: error.detail };
  const codes = codesOf(error);
  const found = KINDS.find(([, pattern]) => codes.some((code) => pattern.test(code)));
  return { kind: found?.[0] ?? 'unknown', reason };
}
