import pg from 'pg';
import { codesOf } from '../base/errors/database-failure.ts';
import { backoffMs } from '../base/timing/backoff.ts';
import { within } from '../base/timing/within.ts';
import { MAX_STATEMENT_MS, type Query, type Rows, type Transaction } from './driver.ts';

// The one file that knows the driver of PostgreSQL. It gives Drizzle the same client as the embedded engine does.

const CONNECT_MS = 10_000;
const CLOSE_MS = 5_000;
/** A statement that a live server would have ended by then has lost its server. */
const LATE_MS = MAX_STATEMENT_MS + 5_000;

/** The types of date, timestamp, timestamptz, interval and their arrays stay text, as Drizzle and records want them. */
const TIMES = new Set([1082, 1114, 1184, 1186, 1182, 1115, 1185, 1187]);
const types = {
  getTypeParser: (type: number) => (TIMES.has(type) ? String : pg.types.getTypeParser(type)),
} as pg.CustomTypesConfig;

/** Lore has about 150 statement texts. Texts with a list of varying length would otherwise add up without end. */
const MAX_PREPARED = 300;
const names = new Map<string, string>();

/** Returns the name under which a statement stays prepared; undefined: it does not. */
function nameOf(text: string): string | undefined {
  if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `lore_${names.size + 1}`);
  return names.get(text);
}

class Connection extends pg.Client {
  constructor(settings: pg.ClientConfig) {
    super({ ...settings, connectionTimeoutMillis: CONNECT_MS, keepAlive: true, application_name: 'lore' });
    // whatever waits for the connection hears of it; nobody else need
    this.on('error', () => {});
  }
}

/**
 * Returns connections to PostgreSQL that work is spread over. What is sent over one does not wait for the answers before.
 *
 * @param options.prepare whether statements stay prepared, which a transaction pooler does not bear
 * @param options.idleMs connections that nothing uses for so long are given up; 0: none
 */
export function openPool(url: string, options: { max: number; prepare: boolean; idleMs: number }) {
  const { max, prepare, idleMs } = options;
  const settings = { connectionString: asLibpq(url), pipeline: true, max, idleTimeoutMillis: idleMs };
  const pool = new pg.Pool({ ...settings, Client: Connection as unknown as typeof pg.ClientBase });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.query("set time zone 'UTC'").catch(() => {}));

  const run = (on: pg.Pool | pg.ClientBase, late: object, ...statement: Parameters<Query>) => {
    const [text, values = [], options] = statement;
    const config = {
      ...late,
      ...{ text, values, types, queryMode: 'extended' },
      ...(prepare && options && { name: nameOf(text) }),
      ...(options?.rowMode === 'array' && { rowMode: 'array' }),
    };
    return (on.query(config as pg.QueryConfig) as Promise<unknown> as Promise<Rows>).catch(withCode);
  };

  return {
    query: (...statement: Parameters<Query>) => run(pool, {}, ...statement),
    async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      const client = await pool.connect().catch(withCode);
      return transact(client, (late, ...statement) => run(client, late, ...statement), work);
    },
    close: async () => void (await within(pool.end(), CLOSE_MS)),
  };
}

/**
 * Runs `work` in a transaction, which begins with its first statement. A read is sent right behind BEGIN and the settings, and
 * nobody waits for its COMMIT, so that a read of one statement takes one round trip. Where BEGIN fails, what was read is not
 * handed on; a write is sent only when BEGIN has been answered.
 */
async function transact<T>(
  client: pg.PoolClient,
  run: (late: object, ...statement: Parameters<Query>) => Promise<Rows>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let opening = 'begin';
  let readOnly = false;
  let begun: Promise<unknown> | undefined;
  let over = false;
  /** migrations may take as long as they need */
  let late = {};
  /** the first error of a statement; the caller may have swallowed it */
  let failure: unknown;

  async function send(...statement: Parameters<Query>): Promise<Rows> {
    if (over) throw new Error('Transaction is closed');
    begun ??= client.query(opening).catch(withCode);
    try {
      if (!readOnly) await begun;
      return (await Promise.all([run(late, ...statement), begun]))[0];
    } catch (error) {
      failure ??= error;
      throw error;
    }
  }
  const end = async (how: 'commit' | 'rollback') => {
    over = true;
    if (begun === undefined) return client.release();
    try {
      await client.query(how).catch(withCode);
      client.release(codesOf(failure).some((code) => OUTLIVED.test(code)));
    } catch (error) {
      // what may still be in a transaction serves nobody else
      client.release(error as Error);
      throw error;
    }
  };

  let result: T;
  try {
    result = await work({
      query: send,
      async enter(all, only) {
        readOnly = only;
        late = { query_timeout: LATE_MS };
        const limit = { statement_timeout: `${MAX_STATEMENT_MS}ms` };
        const sets = Object.entries({ ...all, ...limit }).map(
          ([name, value]) => `set local ${name} = ${quoted(value)}`,
        );
        opening = [`begin${only ? ' read only' : ''}`, ...sets].join('; ');
      },
      async single(text, limitMs) {
        const limit = send(`set local statement_timeout = ${limitMs}`);
        return (await Promise.all([send(text), limit]))[0];
      },
    });
    if (failure !== undefined) throw failure;
  } catch (error) {
    await end('rollback').catch(() => {});
    // The errors that follow a failed statement (25P02) only say that there was one: report the first.
    throw codesOf(error).includes('25P02') ? failure : error;
  }
  const ended = end('commit');
  if (readOnly) ended.catch(() => {});
  else await ended;
  return result;
}

type Listener = { onNotify(payload: string): void; onConnect?: (() => void) | undefined };

/** Returns what listens to notifications, over one connection that is opened again whenever it breaks. */
export function openListener(url: string) {
  const channels = new Map<string, Set<Listener>>();
  let ready: Promise<pg.Client> | undefined;
  let failures = 0;
  let closed = false;
  let pause: NodeJS.Timeout | undefined;

  async function connect(): Promise<pg.Client> {
    const client = new Connection({ connectionString: asLibpq(url) });
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { onNotify } of channels.get(channel) ?? []) onNotify(payload);
    });
    client.on('end', () => {
      if (!closed) pause = setTimeout(again, backoffMs(++failures, { firstMs: 200, maxMs: 2_000 }));
    });
    try {
      await client.connect();
      for (const channel of channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      failures = 0;
      return client;
    } catch (error) {
      client.end().catch(() => {});
      return withCode(error);
    }
  }
  function again() {
    ready = connect();
    ready.then(
      () => {
        for (const heard of channels.values()) for (const { onConnect } of heard) onConnect?.();
      },
      () => {},
    );
  }

  return {
    async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
      channels.set(channel, (channels.get(channel) ?? new Set()).add(listener));
      ready ??= connect();
      await (await ready).query(`listen ${pg.escapeIdentifier(channel)}`);
      listener.onConnect?.();
      // the database may go on to notify: nobody hears it
      return async () => void channels.get(channel)?.delete(listener);
    },
    async close() {
      closed = true;
      clearTimeout(pause);
      const client = await ready?.catch(() => null);
      if (client) await within(client.end(), CLOSE_MS);
    },
  };
}

/** `sslmode=require` means here what it means to psql: encrypted, whoever signed the certificate. */
function asLibpq(url: string): string {
  const given = new URL(url);
  if (given.searchParams.has('sslmode')) given.searchParams.set('uselibpqcompat', 'true');
  return given.href;
}

/** A statement that was prepared before a migration, or that a pooler forgot: the connection is of no more use. */
const OUTLIVED = /^(?:0A000|26000)$/;

/** What the driver says of a connection that is lost, or cannot be had. It gives no code. */
const LOST = /^(?:Connection terminated|Client (?:has encountered|was closed)|timeout e|Query read timeout)/;

/** Throws a driver's error, with the code by which kindOfFailure knows that a connection was lost. */
function withCode(error: unknown): never {
  const { code, message } = error as { code?: string; message: string };
  throw code === undefined && LOST.test(message)
    ? Object.assign(error as Error, { code: 'CONNECTION_CLOSED' })
    : error;
}

/** Returns a string literal that means the same whatever `standard_conforming_strings` is. */
const quoted = (text: string) => `E'${text.replace(/['\\]/g, '\\$&')}'`;
