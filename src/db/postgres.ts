import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { makePgArray } from 'drizzle-orm/pg-core';
import postgres from 'postgres';
import { parse as parseArray } from 'postgres-array';
import { Pool } from 'tarn';
import { codesOf } from '../base/errors/database-failure.ts';
import { backoffMs } from '../base/timing/backoff.ts';
import { within } from '../base/timing/within.ts';
import { MAX_STATEMENT_MS, type Query, type Rows, type Transaction } from './driver.ts';

// The one file that knows the driver of PostgreSQL. It gives Drizzle the same client as the embedded engine does.
// postgres.js 3.4.9 ends the process, or waits for ever, when a connection is used again that was lost in the middle of a
// transaction (https://github.com/porsager/postgres/issues/1208). So each connection is a client of its own, which is thrown
// away with it.

const CONNECT_MS = 10_000;
const CLOSE_MS = 5_000;
/** the longest time that a timer takes */
const NEVER = 2 ** 31 - 1;
/** A statement that a live server would have ended by then has lost its server. */
const LATE_MS = MAX_STATEMENT_MS + 5_000;

/** How values are read, by the numbers of a type and of its arrays. Times stay text, as Drizzle wants them, and int8 too. */
const READ: [read: (text: string) => unknown, types: Record<number, number>][] = [
  [(text) => text === 't', { 16: 1000 }],
  [Number, { 21: 1005, 23: 1007, 26: 1028, 700: 1021, 701: 1022 }],
  [JSON.parse, { 114: 199, 3802: 3807 }],
  [String, { 18: 1002, 19: 1003, 20: 1016, 25: 1009, 1042: 1014, 1043: 1015, 1700: 1231, 2950: 2951 }],
  [String, { 1082: 1182, 1114: 1115, 1184: 1185, 1186: 1187 }],
];
const PARSERS: Record<number, (text: string) => unknown> = {};
for (const [read, types] of READ)
  for (const [type, array] of Object.entries(types)) {
    PARSERS[Number(type)] = read;
    PARSERS[array] = (text) => parseArray(text, read);
  }
/** Drizzle has written JSON and times already. */
const written = (value: unknown) =>
  value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : JSON.stringify(value);
const SERIALIZERS = {
  ...Object.fromEntries([114, 3802, 1082, 1114, 1184].map((type) => [type, written])),
  16: String,
};

/** Lore has about 150 statement texts. Texts with a list of varying length would otherwise add up without end. */
const MAX_PREPARED = 300;
const prepared = new Set<string>();
const staysPrepared = (text: string) =>
  prepared.has(text) || (prepared.size < MAX_PREPARED && prepared.add(text) !== undefined);

type Connection = Awaited<ReturnType<typeof openConnection>>;

/** @throws what the driver or the system says, if it cannot be opened in ten seconds */
async function openConnection(
  url: string,
  { prepare = false, onNotify }: { prepare?: boolean; onNotify?: (channel: string, payload: string) => void },
) {
  let lost: Error | undefined;
  const onLost = new Set<(why: Error) => void>();
  const lose = (code = 'CONNECTION_CLOSED', why = 'the connection to PostgreSQL was lost') => {
    lost ??= Object.assign(new Error(why), { code });
    for (const tell of onLost) tell(lost);
    void client.end({ timeout: 0 });
  };
  /** What is sent between a socket's error and its end is never answered. */
  async function answered<T>(ms: number | null, send: () => PromiseLike<T>): Promise<T> {
    if (lost) throw lost;
    let tell: (why: Error) => void = () => {};
    const late =
      ms && setTimeout(lose, ms, 'CONNECTION_CLOSED', `PostgreSQL is silent for ${ms / 1_000} seconds`);
    try {
      return await new Promise<T>((resolve, reject) => {
        tell = reject;
        onLost.add(tell);
        send().then(resolve, reject);
      });
    } finally {
      onLost.delete(tell);
      if (late) clearTimeout(late);
    }
  }
  let opened = false;
  const settings = {
    ...{ max: 1, prepare, fetch_types: false, max_lifetime: null, connect_timeout: CONNECT_MS / 1_000 },
    connection: { application_name: 'lore', TimeZone: 'UTC' },
    ...{ onnotice: () => {}, onclose: () => lose(), onnotify: onNotify },
    // called again where it would connect anew by itself
    async socket({ host: [host], port: [port], path }: { host: string[]; port: number[]; path?: string }) {
      if (opened) throw Object.assign(new Error('PostgreSQL hung up'), { code: 'CONNECTION_CLOSED' });
      opened = true;
      const socket = path ? connectTo(path) : connectTo(Number(port), host);
      await once(socket, 'connect');
      // TLS asks for the certificate of this name
      return Object.assign(socket, { host });
    },
  };
  const client = postgres(url, settings as object);
  Object.assign(client.options.parsers, PARSERS);
  Object.assign(client.options.serializers, SERIALIZERS);
  // a connection that is not there yet is never reserved where the driver does not ask for types
  const opening = () => client.unsafe('select').then(() => client.reserve());
  const reserved = await answered(CONNECT_MS, opening).catch((error) => {
    lose();
    throw error;
  });
  return {
    /**
     * Sends one statement. It does not wait for the answers before. Rejects when the connection is lost, which it counts as
     * when nothing has come for `ms`.
     */
    async run(ms: number | null, ...[text, values = [], options]: Parameters<Query>): Promise<Rows> {
      const how = { simple: false, prepare: prepare && options !== undefined && staysPrepared(text) };
      const query = reserved.unsafe(text, values.map(toPlain) as never[], how as object);
      const rows = await answered<postgres.RowList<postgres.Row[]>>(ms, () =>
        options?.rowMode === 'array' ? (query.values() as never) : query,
      );
      const fields = (rows.columns ?? []).map(({ name, type }) => ({ name, dataTypeID: type }));
      return { rows: [...rows], fields };
    },
    /** the same of a text with several statements, and without values */
    say: (text: string): Promise<unknown> => answered<unknown>(LATE_MS, () => reserved.unsafe(text)),
    /** calls `tell` once it is lost or closed */
    onLost: (tell: () => void) => void onLost.add(tell),
    isLost: () => lost !== undefined,
    async close(): Promise<void> {
      if (lost) return;
      reserved.release();
      await client.end({ timeout: CLOSE_MS / 1000 });
      lose();
    },
  };
}

/** Writes an array as PostgreSQL does: the driver knows no types of arrays. */
const toPlain = (value: unknown): unknown =>
  Array.isArray(value) ? makePgArray(value) : value === undefined ? null : value;

/**
 * Returns connections to PostgreSQL that work is spread over.
 *
 * @param options.prepare whether statements stay prepared, which a transaction pooler does not bear
 * @param options.idleMs connections that nothing uses for so long are given up; 0: none
 */
export function openPool(url: string, options: { max: number; prepare: boolean; idleMs: number }) {
  const { max, prepare, idleMs } = options;
  const pool = new Pool<Connection>({
    create: () => openConnection(url, { prepare }),
    validate: (connection) => !connection.isLost(),
    destroy: (connection) => connection.close(),
    ...{ min: 0, max, propagateCreateError: true },
    ...{ idleTimeoutMillis: idleMs || NEVER, reapIntervalMillis: idleMs || NEVER },
    // whoever waits for a connection waits for the work of others, which has its own limits
    ...{ acquireTimeoutMillis: NEVER, createTimeoutMillis: NEVER, destroyTimeoutMillis: 2 * CLOSE_MS },
  });
  return {
    async query(...statement: Parameters<Query>): Promise<Rows> {
      const connection = await pool.acquire().promise;
      return connection.run(null, ...statement).finally(() => pool.release(connection));
    },
    async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      const connection = await pool.acquire().promise;
      const give = async (again: boolean) => {
        if (!again) await connection.close();
        pool.release(connection);
      };
      return transact(connection, give, work);
    },
    close: async () => void (await within(pool.destroy(), CLOSE_MS)),
  };
}

/**
 * Runs `work` in a transaction, which begins with its first statement. A read is sent right behind BEGIN and the settings, and
 * nobody waits for its COMMIT, so that a read of one statement takes one round trip. Where BEGIN fails, what was read is not
 * handed on; a write is sent only when BEGIN has been answered.
 */
async function transact<T>(
  { run, say }: Connection,
  give: (again: boolean) => Promise<void>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let opening = 'begin';
  let readOnly = false;
  let begun: Promise<unknown> | undefined;
  let over = false;
  /** migrations may take as long as they need */
  let late: number | null = null;
  /** the first error of a statement; the caller may have swallowed it */
  let failure: unknown;

  async function send(...statement: Parameters<Query>): Promise<Rows> {
    if (over) throw new Error('Transaction is closed');
    begun ??= say(opening);
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
    if (begun === undefined) return void give(true);
    try {
      await say(how);
      void give(!codesOf(failure).some((code) => OUTLIVED.test(code)));
    } catch (error) {
      // what may still be in a transaction serves nobody else
      void give(false);
      throw error;
    }
  };

  let result: T;
  try {
    result = await work({
      query: send,
      async enter(all, only) {
        readOnly = only;
        late = LATE_MS;
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
  let ready: Promise<Connection> | undefined;
  let failures = 0;
  let closed = false;
  let pause: NodeJS.Timeout | undefined;

  const onNotify = (channel: string, payload: string) => {
    for (const { onNotify } of channels.get(channel) ?? []) onNotify(payload);
  };
  const listenTo = (connection: Connection, channel: string) =>
    connection.say(`listen "${channel.replaceAll('"', '""')}"`);
  const later = () => {
    if (!closed) pause = setTimeout(again, backoffMs(++failures, { firstMs: 200, maxMs: 2_000 }));
  };
  async function connect(): Promise<Connection> {
    const connection = await openConnection(url, { onNotify }).catch((error) => {
      later();
      throw error;
    });
    connection.onLost(later);
    for (const channel of channels.keys()) await listenTo(connection, channel);
    failures = 0;
    return connection;
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
      await listenTo(await ready, channel);
      listener.onConnect?.();
      // the database may go on to notify: nobody hears it
      return async () => void channels.get(channel)?.delete(listener);
    },
    async close() {
      closed = true;
      clearTimeout(pause);
      const connection = await ready?.catch(() => null);
      if (connection) await within(connection.close(), CLOSE_MS);
    },
  };
}

/** A statement that was prepared before a migration, or that a pooler forgot: the connection is of no more use. */
const OUTLIVED = /^(?:0A000|26000)$/;

/** Returns a string literal that means the same whatever `standard_conforming_strings` is. */
const quoted = (text: string) => `E'${text.replace(/['\\]/g, '\\$&')}'`;
