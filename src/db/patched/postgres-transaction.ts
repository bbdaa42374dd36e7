import type { Sql } from 'postgres';

// The driver waits for BEGIN and for COMMIT: two extra round trips, which is 80 ms to a database that is 40 ms away.
// This file relies on the inside of postgres.js (README.md). Its version is pinned, and postgres-source.js fails when the
// source that it changes has changed.

/** A statement of the driver. It is sent, by calling `handler`, when somebody awaits it. */
type Query = Promise<unknown> & {
  handler(query: Query): void;
  options: { simple?: boolean; opens?: Opening };
  reject(error: unknown): void;
  execute(): Query;
  values(): Query;
};

/**
 * `statements` are sent before the query itself, without a sync message in between: after an error the server skips
 * the rest.
 */
type Opening = { statements: string[]; take(connection: Connection): void };

type Connection = {
  /** Sends a query. Returns false when the connection takes no more until it calls `reserved`. */
  execute(query: Query): boolean;
  /** called when everything that was sent has been answered; null once the transaction has ended */
  reserved: (() => void) | null;
  onclose: ((error: Error) => void) | null;
};

export type TransactionSql = {
  unsafe(text: string, params?: unknown[], options?: object): Query;
  /**
   * Sets what holds for the whole transaction. Must be called before its first statement. Nobody waits for the COMMIT
   * of a read-only transaction: nothing in it can be lost.
   */
  enter(settings: Record<string, string>, options: { readOnly: boolean }): void;
};

/**
 * Returns the driver for Drizzle, with transactions that begin with their first statement. BEGIN and the settings are
 * sent with that statement in one message group; after an error the server skips the rest of the group. So no statement
 * runs without the settings, and a read-only transaction with one statement takes one round trip.
 */
export function withEagerTransactions(client: Sql): Sql {
  const begin = <T>(work: (tx: TransactionSql) => Promise<T>) => transact(client, work);
  return { options: client.options, unsafe: client.unsafe, begin } as unknown as Sql;
}

async function transact<T>(client: Sql, work: (tx: TransactionSql) => Promise<T>): Promise<T> {
  const opening = ['begin'];
  const waiting: Query[] = [];
  let readOnly = false;
  let state: 'unused' | 'open' | 'closed' = 'unused';
  let connection: Connection | undefined;
  /** whether the connection takes nothing more until it has answered what was sent */
  let full = true;
  /** the first error of a statement; the caller may have swallowed it */
  let failure: unknown;
  /** why this transaction no longer has its connection */
  let gone: unknown;
  let lose: (error: unknown) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = (error) => {
      gone ??= error;
      for (const query of waiting.splice(0)) query.reject(gone);
      reject(error);
    };
  });
  lost.catch(() => {});

  function take(taken: Connection) {
    connection = taken;
    taken.reserved = goOn;
    taken.onclose = lose;
  }

  function goOn() {
    full = false;
    while (connection && waiting.length > 0 && !full) full = !connection.execute(waiting.shift() as Query);
  }

  const isMine = () => connection?.reserved === goOn;

  /** Sends a query over the connection of this transaction, never over another one. */
  function send(query: Query) {
    if (gone) return query.reject(gone);
    if (full) return void waiting.push(query);
    if (!connection || !isMine()) return query.reject(new Error('Transaction has ended on the server'));
    full = !connection.execute(query);
  }

  function statement(text: string, params: unknown[] = [], options?: object): Query {
    const query = client.unsafe(text, params as never[], options) as unknown as Query;
    const toPool = query.handler;
    query.handler = () => {
      query.catch((error) => {
        failure ??= error;
      });
      if (state === 'closed') return query.reject(new Error('Transaction is closed'));
      if (state === 'open') return send(query);
      state = 'open';
      // Use the extended protocol: after an error the server skips a simple query without answering it.
      Object.assign(query.options, { simple: false, opens: { statements: opening, take } });
      // If it fails and the connection is not ours, BEGIN itself failed or there is no connection.
      query.catch((error) => isMine() || lose(error));
      toPool(query);
    };
    return query;
  }

  function control(text: 'commit' | 'rollback'): Query {
    state = 'closed';
    const query = client.unsafe(text) as unknown as Query;
    query.handler = send;
    return query.execute();
  }

  const tx: TransactionSql = {
    unsafe: statement,
    enter(settings, options) {
      if (state !== 'unused') throw new Error('Settings come before the first statement');
      ({ readOnly } = options);
      if (readOnly) opening[0] = 'begin read only';
      for (const [name, value] of Object.entries(settings))
        opening.push(`set local ${name} = ${quoted(value)}`);
    },
  };

  let result: T;
  try {
    result = await Promise.race([work(tx), lost]);
    if (failure !== undefined) throw failure;
  } catch (error) {
    if (state === 'unused' || gone) state = 'closed';
    // The errors that follow a failed statement (25P02) only say that there was one: report the first.
    else await control('rollback').catch(() => {});
    throw (error as { code?: string }).code === '25P02' ? (failure ?? error) : error;
  }
  if (state === 'unused') {
    state = 'closed';
    return result;
  }
  const committed = control('commit');
  if (readOnly) committed.catch(() => {});
  else await Promise.race([committed, lost]);
  return result;
}

/** Returns a string literal that means the same whatever `standard_conforming_strings` is. */
const quoted = (text: string) => `E'${text.replace(/['\\]/g, '\\$&')}'`;
