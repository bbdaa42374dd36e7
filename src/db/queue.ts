import { DrizzleQueryError, type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from './open.ts';

// Uses the rows of a table as a queue of work. A worker leases a row for a while; if the worker is killed, the row is
// free again after that. Work that fails is tried again, with a pause that doubles each time. Work that has failed too
// often becomes a dead letter: it keeps the reason and waits until somebody asks for another try.

/** The longest pause between two tries. */
const MAX_PAUSE_SECONDS = 3600;
const MAX_REASON = 1000;

/**
 * Describes a table that is used as a queue.
 *
 * @example
 * const REPORT_QUEUE: Queue = {
 *   name: 'reports to send', table: 'reports', leaseSeconds: 60, pauseSeconds: 15, maxAttempts: 5,
 *   columns: { attempts: 'attempts', runAfter: 'run_after', error: 'last_error' },
 *   dead: { is: sql`failed`, bury: sql`failed = true`, revive: sql`failed = false`, about: sql`title` },
 * };
 */
export type Queue = {
  /** what the rows are, in the plural, as people read it */
  name: string;
  table: string;
  /** names of columns: how many tries have begun, the earliest time of the next one, why the last one failed */
  columns: { attempts: string; runAfter: string; error: string };
  /** SQL condition: the row waits for work; only of a table that keeps rows that are done */
  open?: SQL;
  leaseSeconds: number;
  /** the pause after try n is this × 2^n */
  pauseSeconds: number;
  maxAttempts: number;
  dead: {
    /** SQL condition: the row is a dead letter */
    is: SQL;
    /** SQL assignments that make a row a dead letter */
    bury: SQL;
    /** SQL assignments that undo `bury`; the columns above are reset anyway */
    revive?: SQL;
    /** SQL text that tells people what the row is about */
    about: SQL;
  };
};

export type Leased = { id: string; attempts: number };

/**
 * Leases up to `rows` rows to the caller and returns them. The caller has `leaseSeconds` to finish them.
 *
 * @param options.waiting conditions of rows that wait for work. Give several conditions when each has an index of its
 *   own: one condition with `or`, or one order over all rows, would read the whole table for each lease
 * @param options.order of the rows of the first condition; those of the others come after them, in any order
 * @param options.returning the columns to return besides `id` and `attempts`
 */
export async function leaseRows<T extends Leased>(
  tx: Tx,
  queue: Queue,
  options: { rows: number; waiting: SQL[]; order?: SQL; returning: SQL },
): Promise<T[]> {
  const { table, attempts, runAfter } = namesOf(queue);
  const { rows, waiting, order, returning } = options;
  const parts = waiting.map(
    (condition, i) =>
      sql`${sql.raw(`part${i}`)} as (
            select id from ${table} where ${condition} and ${runAfter} <= now()
            ${order && i === 0 ? sql`order by ${order}` : sql``} limit ${rows}::int for update skip locked)`,
  );
  const all = waiting.map((_, i) => sql.raw(`select id from part${i}`));
  return query<T>(
    tx,
    sql`with ${sql.join(parts, sql`, `)}
        update ${table} set ${attempts} = ${attempts} + 1,
          ${runAfter} = now() + make_interval(secs => ${queue.leaseSeconds}::int)
        where id in (${sql.join(all, sql` union all `)} limit ${rows}::int)
        returning id, ${attempts} as attempts, ${returning}`,
  );
}

/**
 * Returns a leased row that failed to the queue, to be tried again later. After its last try it becomes a
 * dead letter. If the lease ran out and another worker took or finished the row, nothing happens.
 */
export async function failRow(tx: Tx, queue: Queue, row: Leased, reason: string): Promise<void> {
  const { table, attempts, runAfter, error } = namesOf(queue);
  const pause = Math.min(MAX_PAUSE_SECONDS, queue.pauseSeconds * 2 ** row.attempts);
  const next =
    row.attempts >= queue.maxAttempts
      ? queue.dead.bury
      : sql`${runAfter} = now() + make_interval(secs => ${pause}::int)`;
  await query(
    tx,
    sql`update ${table} set ${error} = ${reason.slice(0, MAX_REASON)}, ${next}
        where id = ${row.id}::uuid and ${attempts} = ${row.attempts} and ${queue.open ?? sql`true`}`,
  );
}

/** Returns why work failed. For a failed statement this is the database's message, without the statement's values. */
export function reasonOf(error: unknown): string {
  const said = error instanceof DrizzleQueryError ? error.cause : error;
  return said instanceof Error ? said.message : String(said);
}

export type DeadLetter = { queue: string; id: string; about: string; reason: string; attempts: number };

/** Returns up to `limit` of the caller's dead letters of a queue. */
export async function listDeadLetters(tx: Tx, queue: Queue, limit: number): Promise<DeadLetter[]> {
  const { table, attempts, error } = namesOf(queue);
  return query<DeadLetter>(
    tx,
    sql`select ${queue.name} as queue, id, ${queue.dead.about} as about, coalesce(${error}, '') as reason,
          ${attempts} as attempts
        from ${table} where ${queue.dead.is} order by id limit ${limit}::int`,
  );
}

/**
 * Puts the caller's dead letters back into a queue, as if they had never been tried. Returns how many there
 * were.
 */
export async function retryDeadLetters(tx: Tx, queue: Queue): Promise<number> {
  const { table, attempts, runAfter, error } = namesOf(queue);
  const { revive } = queue.dead;
  const rows = await query(
    tx,
    sql`update ${table} set ${attempts} = 0, ${error} = null, ${runAfter} = now()${revive ? sql`, ${revive}` : sql``}
        where ${queue.dead.is} returning id`,
  );
  return rows.length;
}

const namesOf = ({ table, columns }: Queue) => ({
  table: sql.raw(table),
  attempts: sql.raw(columns.attempts),
  runAfter: sql.raw(columns.runAfter),
  error: sql.raw(columns.error),
});
