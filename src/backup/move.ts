import { constants, existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { findDatabase } from '../db/embedded/folder.ts';
import { asMigrator, migrateDatabase } from '../db/migrate.ts';
import { openDatabase, query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { prepareTarget, refuseBlind } from './dump.ts';

// Moves an embedded database into one of PostgreSQL, row by row: the two engines are of different versions, so neither
// files nor dumps of the one fit the other. All of it is one transaction of the target. So the target has nothing of the
// store or all of it, whenever this process is killed, and no server ever sees a part.

/** A table that was moved: its rows, and a checksum of all their values, which is the same on both sides. */
type MovedTable = { name: string; rows: number; checksum: string };
export type Moved = {
  tables: MovedTable[];
  /** whether nothing had to be done, because the target holds the store already */
  already: boolean;
};

const raw = sql.raw;

/** About how much is sent in one statement, in characters. */
const BATCH = 1_000_000;
const MOST_ROWS = 1_000;

/**
 * Moves the embedded database of a data folder, which the caller has locked, into a database of PostgreSQL. Both are
 * brought to this version's schema first, the embedded one as a copy, so that the store stays as it is.
 *
 * @param url for the role that owns Lore's tables there, or is to own them
 * @param onTable called for each table that is copied
 * @throws Problem (400) without an embedded database; (409) if the target holds other data, or the store with changes;
 *   (503) if the target cannot be used; then nothing was changed in it but its schema
 */
export async function moveDatabase(
  home: string,
  url: string,
  onTable: (name: string, rows: number) => void = () => {},
): Promise<Moved> {
  const copy = join(home, 'pgdata.moving');
  try {
    await copyStore(home, copy);
    const source = await openDatabase({ home: copy, databaseUrl: undefined });
    try {
      await migrateDatabase(source, undefined);
      await prepareTarget(url);
      return await source.drizzle.transaction((from) =>
        asMigrator(url, (one) =>
          one.transaction((to) => moveRows(from as unknown as Tx, to as unknown as Tx, onTable)),
        ),
      );
    } finally {
      await source.close();
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function copyStore(home: string, copy: string): Promise<void> {
  const folder = join(home, 'pgdata');
  if (!existsSync(folder) || findDatabase(folder).state !== 'whole') {
    throw new Problem({
      status: 400,
      title: 'Nothing to move',
      detail: `${folder} is no whole embedded database. Set LORE_HOME to the data folder of the store.`,
    });
  }
  // what an earlier run left that was killed
  await rm(copy, { recursive: true, force: true });
  await mkdir(copy, { mode: 0o700 });
  await cp(folder, join(copy, 'pgdata'), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

async function moveRows(from: Tx, to: Tx, onTable: (name: string, rows: number) => void): Promise<Moved> {
  await Promise.all([from, to].map(writeAlike));
  const wanted = await tablesOf(from);
  const there = new Map((await tablesOf(to)).map((table) => [table.name, table]));
  const tables = wanted.map(({ name }) => there.get(name) ?? lacking(name));
  await refuseRole(to, tables);
  await query(to, sql`lock table ${raw(tables.map(({ name }) => name).join(', '))} in access exclusive mode`);
  if (await holdsStore(from, to, tables)) return { tables: await compare(from, to, tables), already: true };
  await copyRows(from, to, tables, onTable);
  const moved = await compare(from, to, tables);
  await query(to, sql`analyze`);
  return { tables: moved, already: false };
}

/** Lets both engines write values as the same text, whatever is set for a role or database; and lets them take their time. */
async function writeAlike(tx: Tx): Promise<void> {
  for (const [name, value] of Object.entries({
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
    IntervalStyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: '1',
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    lock_timeout: '10s',
  }))
    await query(tx, sql`select set_config(${name}, ${value}, true)`);
}

type Table = { name: string; owner: string; mine: boolean; columns: { name: string; type: string }[] };

/** Returns Lore's tables with the columns that are written: the rest is made of these. */
const tablesOf = (tx: Tx): Promise<Table[]> =>
  query<Table>(
    tx,
    sql`select format('%I.%I', n.nspname, c.relname) as name, c.relowner::regrole::text as owner,
          pg_has_role(c.relowner, 'usage') as mine,
          json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
            order by a.attname collate "C") as columns
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        where n.nspname in ('public', 'lore') and c.relkind = 'r' and c.relpersistence = 'p'
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        group by c.oid, n.nspname, c.relname order by 1`,
  );

function lacking(name: string): never {
  throw new Problem({
    status: 409,
    title: 'Database does not fit',
    detail: `The target has no table ${name}, although it is migrated. Nothing was moved.`,
  });
}

async function refuseRole(to: Tx, tables: Table[]): Promise<void> {
  const other = tables.find(({ mine }) => !mine);
  if (other) {
    throw new Problem({
      status: 503,
      title: 'PostgreSQL cannot be used',
      detail:
        `This role does not own ${other.name}; ${other.owner} does. Give the address that LORE_MIGRATE_URL has, or is to ` +
        'have. Nothing was moved.',
    });
  }
  await refuseBlind(to);
}

/**
 * Returns whether the target holds the store already: a run that was killed may have come so far.
 *
 * @throws Problem (409) if it holds other data
 */
async function holdsStore(from: Tx, to: Tx, tables: Table[]): Promise<boolean> {
  const filled: string[] = [];
  for (const { name } of tables.filter(({ name }) => name !== 'lore.instance')) {
    const [row] = await query<{ any: boolean }>(to, sql`select exists (select from ${raw(name)}) as any`);
    if (row?.any) filled.push(name);
  }
  if (filled.length === 0) return false;
  const [one, other] = await Promise.all(
    [from, to].map((tx) => query(tx, sql`select id from lore.instance`)),
  );
  if (one?.[0]?.id === other?.[0]?.id) return true;
  throw new Problem({
    status: 409,
    title: 'Database is not empty',
    detail: `The target holds other data of Lore, in ${filled.slice(0, 3).join(', ')}${filled.length > 3 ? ' …' : ''}: give an empty database. Nothing was changed.`,
  });
}

/** Copies all rows, and where the numbers of identity columns go on. No trigger of Lore runs: what they made is copied. */
async function copyRows(
  from: Tx,
  to: Tx,
  tables: Table[],
  onTable: (name: string, rows: number) => void,
): Promise<void> {
  const links = await query<{ table: string; name: string }>(
    to,
    sql`select c.conrelid::regclass::text as table, quote_ident(c.conname) as name from pg_constraint c
        where c.contype = 'f' and not c.condeferrable
          and c.conrelid::regclass = any (${sql.param(tables.map(({ name }) => name))}::regclass[])`,
  );
  for (const { table, name } of links)
    await query(
      to,
      sql`alter table ${raw(table)} alter constraint ${raw(name)} deferrable initially deferred`,
    );
  for (const { name } of tables) await query(to, sql`alter table ${raw(name)} disable trigger user`);
  // the migration has made its row
  await query(to, sql`delete from lore.instance`);
  for (const table of tables) onTable(table.name, await copyTable(from, to, table));
  const counters = await query<{ name: string; at: string | null }>(
    from,
    sql`select format('%I.%I', schemaname, sequencename) as name, last_value::text as at from pg_sequences
        where schemaname in ('public', 'lore')`,
  );
  for (const { name, at } of counters)
    if (at !== null) await query(to, sql`select setval(${name}::regclass, ${at}::bigint)`);
  // looks at all that was deferred, so that the tables can be as they were
  await query(to, sql`set constraints all immediate`);
  for (const { name } of tables) await query(to, sql`alter table ${raw(name)} enable trigger user`);
  for (const { table, name } of links)
    await query(to, sql`alter table ${raw(table)} alter constraint ${raw(name)} not deferrable`);
}

/** Copies a table. Values go as text, which both engines read as they write it. */
async function copyTable(from: Tx, to: Tx, { name, columns }: Table): Promise<number> {
  const names = columns.map((column) => column.name);
  const values = columns.map(({ type }, i) => `(v ->> ${i})::${type}`);
  await query(
    from,
    raw(
      `declare rows no scroll cursor for
       select to_json(array[${names.map((one) => `${one}::text`).join(', ')}])::text as line from ${name}`,
    ),
  );
  let copied = 0;
  for (let most = 10; ; ) {
    const lines = await query<{ line: string }>(from, raw(`fetch ${most} from rows`));
    if (lines.length === 0) break;
    const batch = `[${lines.map(({ line }) => line).join(',')}]`;
    await query(
      to,
      sql`insert into ${raw(name)} (${raw(names.join(', '))}) overriding system value
          select ${raw(values.join(', '))} from jsonb_array_elements(${batch}::text::jsonb) v`,
    );
    copied += lines.length;
    most = Math.min(MOST_ROWS, Math.max(1, Math.round((most * BATCH) / batch.length)));
  }
  await query(from, sql`close rows`);
  return copied;
}

/** Compares all tables on both sides. @throws Problem if one differs, which also takes back what was copied */
async function compare(from: Tx, to: Tx, tables: Table[]): Promise<MovedTable[]> {
  const compared: MovedTable[] = [];
  for (const table of tables) {
    const [one, other] = await Promise.all([from, to].map((tx) => checksumOf(tx, table)));
    if (one?.rows !== other?.rows || one?.checksum !== other?.checksum) {
      throw new Problem({
        status: 409,
        title: 'Database does not fit',
        detail:
          `${table.name} has ${one?.rows} rows here and ${other?.rows} in the target, or other values. If the target was ` +
          'used since the store was moved there, this is why, and nothing is left to move. Nothing was changed.',
      });
    }
    compared.push(one as MovedTable);
  }
  return compared;
}

/** Returns the rows of a table, and a checksum of their values in any order. */
async function checksumOf(tx: Tx, { name, columns }: Table): Promise<MovedTable> {
  // by a cursor, because the embedded engine gives a plain select half a minute
  await query(
    tx,
    raw(
      `declare sums no scroll cursor for
       select count(*)::int as rows, md5(coalesce(string_agg(hash, '' order by hash collate "C"), '')) as checksum
       from (select md5(row(${columns.map((column) => column.name).join(', ')})::text) as hash from ${name}) r`,
    ),
  );
  const [found] = await query<{ rows: number; checksum: string }>(tx, sql`fetch all from sums`);
  await query(tx, sql`close sums`);
  return { name, rows: Number(found?.rows), checksum: found?.checksum ?? '' };
}

/** Returns the number of rows that were moved. */
export const rowsMoved = ({ tables }: Moved): number => tables.reduce((sum, { rows }) => sum + rows, 0);
