import { DrizzleQueryError, type SQL, sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { backoffMs } from '../base/timing/backoff.ts';
import { asUser, type Claims } from './as-user.ts';
import { type Database, query, type Tx } from './open.ts';

// Uses the rows of a table as a queue of work. A worker leases a row for a while. If it is killed, the row is free again when
// the lease ends. Work that fails is tried again, with pauses that grow. Work that has failed too often becomes a dead
// letter: it keeps the reason and waits until somebody asks for another try.

/** The longest pause between two tries is a random time up to this. */
const MAX_PAUSE_MS = 7_200_000;
/** A worker looks for work again at once when there is some, so no row is due again at once. */
const MIN_PAUSE_MS = 1_000;
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
  /** the pause after try n is on average this × 2^n */
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
 * Leases up to `rows` rows to the caller and returns them, to be worked on with `workOn`.
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
  return query<T>(tx)`with ${sql.join(parts, sql`, `)}
    update ${table} set ${attempts} = ${attempts} + 1,
      ${runAfter} = now() + make_interval(secs => ${queue.leaseSeconds}::int)
    where id in (${sql.join(all, sql` union all `)} limit ${rows}::int)
    returning id, ${attempts} as attempts, ${returning}`;
}

/**
 * Puts a leased row that failed back into the queue, to be tried again later. After its last try it becomes a
 * dead letter. If the lease ran out and another worker took or finished the row, nothing happens.
 */
async function failRow(tx: Tx, queue: Queue, row: Leased, reason: string): Promise<void> {
  const { table, runAfter, error } = namesOf(queue);
  const limits = { firstMs: 4_000 * queue.pauseSeconds, maxMs: MAX_PAUSE_MS };
  const pause = Math.max(MIN_PAUSE_MS, backoffMs(row.attempts, limits)) / 1_000;
  const next =
    row.attempts >= queue.maxAttempts
      ? queue.dead.bury
      : sql`${runAfter} = now() + make_interval(secs => ${pause}::float8)`;
  await query(tx)`
    update ${table} set ${error} = ${reason.slice(0, MAX_REASON)}, ${next} where ${isStillOurs(queue, row)}`;
}

/** Returns a leased row that was not finished because the server stops. This was no try. */
async function giveBack(tx: Tx, queue: Queue, row: Leased): Promise<void> {
  const { table, attempts, runAfter } = namesOf(queue);
  await query(tx)`
    update ${table} set ${attempts} = ${attempts} - 1, ${runAfter} = now() where ${isStillOurs(queue, row)}`;
}

/** SQL condition: nobody has finished a row, or leased it again, since it was leased. */
const isStillOurs = (queue: Queue, row: Leased): SQL =>
  sql`id = ${row.id}::uuid and ${namesOf(queue).attempts} = ${row.attempts} and ${queue.open ?? sql`true`}`;

/** What is needed to work on leased rows. `signal` is aborted when the server stops. */
export type Job = { db: Database; claims: Claims; queue: Queue; log: Log; signal: AbortSignal };

/**
 * Works on leased rows until the work ends. Work that rejects has failed: the rows are tried again later (`failRow`), and
 * this function resolves all the same. The work is told by its signal to stop when the lease ends or the server stops. If it
 * rejects because the server stops, the rows are given back at once, and it was no try.
 *
 * @param rows take out the rows that are done: the others fail when the work rejects
 * @example
 * await workOn({ db, claims, queue: REPORT_QUEUE, log, signal }, [row], (signal) => sendReport(row, signal));
 */
export async function workOn(
  { db, claims, queue, log, signal }: Job,
  rows: readonly Leased[],
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const leaseEnds = AbortSignal.timeout(queue.leaseSeconds * 1_000);
  try {
    await work(AbortSignal.any([signal, leaseEnds]));
  } catch (error) {
    const reason = reasonOf(error);
    const about = { queue: queue.name, rows: rows.map(({ id }) => id), attempt: rows[0]?.attempts };
    if (!signal.aborted) log.warn({ ...about, reason }, 'queued work failed');
    await asUser(db, claims, async (tx) => {
      // in one order, or two servers could deadlock
      for (const row of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        await (signal.aborted ? giveBack(tx, queue, row) : failRow(tx, queue, row, reason));
    });
  }
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
  return query<DeadLetter>(tx)`
    select ${queue.name} as queue, id, ${queue.dead.about} as about, coalesce(${error}, '') as reason,
      ${attempts} as attempts
    from ${table} where ${queue.dead.is} order by id limit ${limit}::int`;
}

/**
 * Puts the caller's dead letters back into a queue, as if they had never been tried. Returns how many there
 * were.
 */
export async function retryDeadLetters(tx: Tx, queue: Queue): Promise<number> {
  const { table, attempts, runAfter, error } = namesOf(queue);
  const { revive } = queue.dead;
  const rows = await query(tx)`
    update ${table} set ${attempts} = 0, ${error} = null, ${runAfter} = now()${revive ? sql`, ${revive}` : sql``}
    where ${queue.dead.is} returning id`;
  return rows.length;
}

const namesOf = ({ table, columns }: Queue) => ({
  table: sql.raw(table),
  attempts: sql.raw(columns.attempts),
  runAfter: sql.raw(columns.runAfter),
  error: sql.raw(columns.error),
});
