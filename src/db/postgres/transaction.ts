import type { Sql } from 'postgres';

// The driver waits for BEGIN, then for COMMIT: two round trips that bring nothing, 80 ms to a database that is 40 ms away.
// What is used of its inside is held by the pinned version and by scripts/patch-postgres.js.

/** A statement of the driver's, which is sent when somebody waits for it, through `handler`. */
type Query = Promise<unknown> & {
  handler(query: Query): void;
  options: { simple?: boolean; opens?: Opening };
  reject(error: unknown): void;
  execute(): Query;
  values(): Query;
};

/** `statements` go ahead of the query's own, with nothing in between where the server would go on after an error. */
type Opening = { statements: string[]; take(connection: Connection): void };

type Connection = {
  /** Sends; false when the connection takes no more until it calls `reserved`. */
  execute(query: Query): boolean;
  /** called when all that was sent has been answered; null once the transaction has ended */
  reserved: (() => void) | null;
  onclose: ((error: Error) => void) | null;
};

export type TransactionSql = {
  unsafe(text: string, params?: unknown[], options?: object): Query;
  savepoint<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>;
  /**
   * Settings for the whole transaction, given before its first statement. The end of one that only reads is not waited
   * for: there is nothing in it that could be lost.
   */
  enter(settings: Record<string, string>, options: { readOnly: boolean }): void;
};

/**
 * Returns the driver for Drizzle, with transactions that begin with their first statement: BEGIN and the settings travel
 * with it, in one message group, of which the server runs all or, after an error, nothing more. So nothing runs without
 * the settings, and a transaction that reads by one statement takes one round trip.
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
  /** until what was sent is answered, the connection takes nothing more */
  let full = true;
  /** the first error of a statement, which somebody may have swallowed */
  let failure: unknown;
  /** why the connection is this transaction's no more */
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

  /** Sends over the connection of this transaction, and over no other. */
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
      // by the extended protocol: a simple query is passed over after an error, without an answer
      Object.assign(query.options, { simple: false, opens: { statements: opening, take } });
      // BEGIN itself failed, or there is no connection
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
      readOnly = options.readOnly;
      if (readOnly) opening[0] = 'begin read only';
      for (const [name, value] of Object.entries(settings))
        opening.push(`set local ${name} = ${quoted(value)}`);
    },
    async savepoint(inner) {
      const name = `s${++savepoints}`;
      await statement(`savepoint ${name}`);
      try {
        const result = await inner(tx);
        await statement(`release savepoint ${name}`);
        return result;
      } catch (error) {
        await statement(`rollback to savepoint ${name}`);
        failure = undefined;
        throw error;
      }
    },
  };
  let savepoints = 0;

  let result: T;
  try {
    result = await Promise.race([work(tx), lost]);
    if (failure !== undefined) throw failure;
  } catch (error) {
    if (state === 'unused' || gone) state = 'closed';
    // what comes after an error only says that there was one
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

/** A literal that means the same whatever `standard_conforming_strings` is. */
const quoted = (text: string) => `E'${text.replace(/['\\]/g, '\\$&')}'`;
