import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { type SQL, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { findDatabase } from './embedded/folder.ts';

/** What the rooms work with: a Drizzle transaction (in migrations, a connection). */
export type Tx = PgDatabase<PgQueryResultHKT, Record<string, never>>;

export type Database = {
  engine: 'pglite' | 'postgres';
  /** not limited to a tenant: only `src/db` may use it; all work for a tenant goes through `asUser` */
  drizzle: Tx;
  /** the same; what it does goes before all that waits for the embedded engine, and has connections of its own */
  urgent: Tx;
  /** the same, behind all that waits there */
  behind: Tx;
  /**
   * Calls `onNotify` for each NOTIFY on a channel, and `onConnect` at the start and whenever notifications may have been
   * lost: after each reconnection. Resolves to a function that stops listening.
   */
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onConnect?: () => void,
  ): Promise<() => Promise<void>>;
  /**
   * Copies the embedded database into a folder that is not there yet, as it is at one moment; null on PostgreSQL. Returns
   * the number of rows in each table of that moment.
   */
  copyTo: ((target: string) => Promise<RowCounts>) | null;
  close(): Promise<void>;
};

/** Rows by table, as `schema.table`. */
export type RowCounts = Record<string, number>;

type EmbeddedOptions = { sync?: boolean; onRestart?: (why: Error) => void };
type PostgresOptions = { connections?: { usual: number; urgent: number }; onDemand?: boolean };

/**
 * Opens the embedded database in `<home>/pgdata`, or PostgreSQL when `databaseUrl` is set.
 *
 * @param options.sync lets the embedded database wait at each commit until the disk has it
 * @param options.onRestart called with the reason, each time the embedded engine is started anew
 * @param options.connections most connections to PostgreSQL, beside the one that listens
 * @param options.onDemand for a process that is started for a request and may be frozen after it: nothing is prepared, so any
 *   pooler may lie between, nothing is listened to, and connections that are not used are given up
 * @throws Problem (500) when the folder holds no usable database
 * @throws Problem (503) when the PostgreSQL server cannot be reached or is too old
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'home'> & Partial<Pick<Config, 'listenUrl'>>,
  options: EmbeddedOptions & PostgresOptions = {},
): Promise<Database> {
  return config.databaseUrl === undefined
    ? openEmbedded(join(config.home, 'pgdata'), options)
    : openPostgres(config.databaseUrl, config.listenUrl, options);
}

async function openEmbedded(folder: string, options: EmbeddedOptions): Promise<Database> {
  const found = findDatabase(folder);
  const existed = found.state === 'whole';
  const restoring = `restore a backup: lore restore <folder>, of which the daily ones lie in ${join(dirname(folder), 'backups')}`;
  const cannot = (detail: string, cause?: unknown) =>
    new Problem({ status: 500, title: 'Database cannot be opened', detail, cause });
  // PGlite would make an empty database over what is left of this one.
  if (found.state === 'lacking')
    throw cannot(
      `The embedded database in ${folder} is damaged: it lacks ${found.missing.join(', ')}. To go on, ${restoring}.`,
    );
  const opening = import('./embedded/client.ts').then(({ openEmbeddedClient }) => {
    // PGlite would let everybody read it, and the data folder around it may be open to others
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openEmbeddedClient(folder, options);
  });
  try {
    const [client, { drizzle }] = await Promise.all([opening, import('drizzle-orm/pglite')]);
    const of = (turn: object) => over(drizzle, { ...client, ...turn });
    return {
      engine: 'pglite',
      drizzle: of(client),
      urgent: of(client.inTurn('urgent')),
      behind: of(client.inTurn('behind')),
      listen: (channel, onNotify, onConnect) => client.listen(channel, { onNotify, onConnect }),
      copyTo: (target) =>
        client.copyTo(target, (query) => countRows(async (text) => (await query(text)).rows)),
      close: client.close,
    };
  } catch (cause) {
    throw cannot(
      existed
        ? `The embedded database in ${folder} is damaged or of another version, or the disk is full (${reason(cause)}). Make room on a full disk; otherwise ${restoring}.`
        : `No database could be made in ${folder} (${reason(cause)}). Check that the folder is writable and the disk not full.`,
      cause,
    );
  }
}

/**
 * Connections to PostgreSQL; one more listens. Urgent work has its own, so that it neither waits for work behind the
 * answers nor has to open one: far away that takes as long as a prompt may.
 */
export const CONNECTIONS = { usual: 6, urgent: 4 };

/** An Edge Function keeps a connection that nothing uses for this long. */
const IDLE_MS = 20_000;

async function openPostgres(
  url: string,
  listenUrl: string | undefined,
  { connections = CONNECTIONS, onDemand = false }: PostgresOptions,
): Promise<Database> {
  const [{ openPool, openListener }, { drizzle }] = await Promise.all([
    import('./postgres.ts'),
    import('drizzle-orm/pglite'),
  ]);
  const pooled = isPooled(url);
  // in an Edge Function any pooler may lie between
  const settings = { prepare: !pooled && !onDemand, idleMs: onDemand ? IDLE_MS : 0 };
  const usual = openPool(url, { max: connections.usual, ...settings });
  const urgent = openPool(url, { max: connections.urgent, ...settings });
  const listener = openListener(listenUrl ?? url);
  const close = async () => {
    await Promise.all([usual, urgent, listener].map((one) => one.close()));
  };
  try {
    const found = await usual.query(`select current_setting('server_version_num')::int as version`);
    // the tests run on 17, and on the embedded engine's 18
    if (Number(found.rows[0]?.version) < 170_000) throw new Error('PostgreSQL 17 or newer is needed');
  } catch (cause) {
    await close();
    throw unusable(`DATABASE_URL (host ${new URL(url).host}): ${reason(cause)}.`, cause);
  }
  return {
    engine: 'postgres',
    drizzle: over(drizzle, usual),
    behind: over(drizzle, usual),
    urgent: over(drizzle, urgent),
    async listen(channel, onNotify, onConnect) {
      if (pooled && listenUrl === undefined)
        throw unusable(
          'DATABASE_URL leads through a transaction pooler, which passes no notifications. Set LORE_LISTEN_URL to the same database, directly or in session mode (port 5432).',
        );
      return listener.listen(channel, { onNotify, onConnect });
    },
    copyTo: null,
    close,
  };
}

/** Returns Drizzle over a driver that is used as PGlite is. */
const over = (drizzle: (client: PGlite) => unknown, driver: object): Tx =>
  drizzle(driver as unknown as PGlite) as Tx;

/** The usual ports of Supavisor in transaction mode and of pgbouncer. */
const POOLER_PORTS = ['6543', '6432'];

/**
 * Whether an address leads through a transaction pooler, by its port, or because it says `?prepare=false`. It hands each
 * transaction to any of its own connections, so nothing stays prepared and no notification arrives.
 */
function isPooled(url: string): boolean {
  const { port, searchParams } = new URL(url);
  return POOLER_PORTS.includes(port) || searchParams.get('prepare') === 'false';
}

/** Says why a server cannot work with its database of PostgreSQL. */
export const unusable = (detail: string, cause?: unknown) =>
  new Problem({ status: 503, title: 'PostgreSQL cannot be used', detail, cause });

/**
 * Returns the number of rows in each table of a database that outlives a crash. An unlogged one is empty in each copy:
 * who follows changes on a page is nothing to keep.
 *
 * @param rows runs a statement and returns its rows
 */
export async function countRows(
  rows: (text: string) => Promise<Record<string, unknown>[]>,
): Promise<RowCounts> {
  const tables = await rows(
    `select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
     where relkind = 'r' and relpersistence = 'p'
       and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const counts: RowCounts = {};
  for (const { name } of tables)
    counts[name as string] = Number((await rows(`select count(*) as n from ${name}`))[0]?.n);
  return counts;
}

const reason = (cause: unknown) => {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || (cause as { code?: string }).code || cause.name;
};

type Columns = Record<string, unknown>;
type Written = (text: TemplateStringsArray, ...values: unknown[]) => SQL;

/**
 * Runs raw SQL and returns its rows, on either engine: written behind it, or a statement. Times are returned as text.
 *
 * @throws DrizzleQueryError with the database's error as `cause`
 * @example const rows = await query<{ id: string }>(tx)`select id from plans where project_id = ${projectId}`;
 */
export function query<T extends Columns>(tx: Tx): (...written: Parameters<Written>) => Promise<T[]>;
export function query<T extends Columns>(tx: Tx, statement: SQL): Promise<T[]>;
export function query(tx: Tx, statement?: SQL) {
  const run = async (one: SQL) => ((await tx.execute(one)) as unknown as { rows: Columns[] }).rows;
  return statement ? run(statement) : (...written: Parameters<Written>) => run(sql(...written));
}
