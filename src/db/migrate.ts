import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
// Imported here and not where it is used: while PGlite's code is being compiled, reading a file takes 200 ms.
import { migrate as runMigrations } from 'drizzle-orm/pglite/migrator';
import { codesOf, kindOfFailure } from '../base/errors/database-failure.ts';
import { Problem } from '../base/errors/problem.ts';
import { packageRoot } from '../base/files/package-root.ts';
import { insideOf } from './driver.ts';
import { type Database, query, type Tx, unusable } from './open.ts';

const migrationsFolder = fileURLToPath(new URL('drizzle', packageRoot));

/** Number of the advisory lock that lets one server migrate at a time. Any number will do if all servers share it. */
const MIGRATION_LOCK = 5_673_001;

/** Another server needs seconds for a migration, and a minute for one that rewrites a large table. */
const MAX_WAIT = '60s';

/**
 * Migrates the database to this version's schema. Safe when several servers start on one PostgreSQL at the same time:
 * one migrates, the others wait for it. A database that is up to date is not waited for. One that Supabase migrates is
 * never migrated here.
 *
 * @param url of PostgreSQL, for the role that owns Lore's tables or is to own them
 * @throws Problem (409) when the database was made by another version that this one does not know, or is Supabase's to migrate;
 *   the database is not changed
 * @throws Problem (503) when another connection holds the lock for a minute, or when the role may not migrate
 */
export async function migrateDatabase(db: Database, url: string | undefined): Promise<void> {
  if (db.engine === 'pglite') {
    if (!(await isMigrated(db.drizzle))) await runMigrations(db.drizzle as never, { migrationsFolder });
    return;
  }
  await asMigrator(url as string, async (one) => {
    if (!(await isMigrated(one))) await one.transaction((tx) => migrate(tx as unknown as Tx));
    await noteForSupabase(one);
  });
}

/**
 * Runs `work` on a connection of its own, which is closed afterwards. Nothing on it outlives a transaction, because it may
 * lead through a transaction pooler.
 */
async function asMigrator<T>(url: string, work: (one: Tx) => Promise<T>): Promise<T> {
  const [{ openPool }, { drizzle }] = await Promise.all([
    import('./postgres.ts'),
    import('drizzle-orm/pglite'),
  ]);
  const pool = openPool(url, { max: 1, prepare: false, idleMs: 0 });
  try {
    return await work(drizzle(pool as never) as unknown as Tx);
  } finally {
    await pool.close();
  }
}

/**
 * Migrates in a transaction that holds the lock: a transaction pooler would lose a lock of the connection, and keep it for
 * ever.
 */
async function migrate(tx: Tx): Promise<void> {
  try {
    await query(tx, sql.raw(`set local lock_timeout = '${MAX_WAIT}'`));
    await query(tx)`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await query(tx)`set local lock_timeout = 0`;
    if (!(await isMigrated(tx))) await runMigrations(insideOf(tx) as never, { migrationsFolder });
  } catch (cause) {
    const detail = codesOf(cause).flatMap((code) => REASONS[code] ?? [])[0];
    if (detail === undefined) throw cause;
    throw unusable(`${detail} (${kindOfFailure(cause).reason})`, cause);
  }
}

/** What stopped the migrations, by SQLSTATE. */
const REASONS: Record<string, string> = {
  '42501':
    'The database needs migrations, and this role may not make them. Set LORE_MIGRATE_URL to an address for a superuser, or ' +
    'give the role what docs/tenancy.md says under “Requirements on PostgreSQL”. Nothing was changed.',
  '55P03':
    `For a minute another connection has held the lock that lets one server migrate (advisory lock ${MIGRATION_LOCK}). If ` +
    'it is a server that migrates, wait and start again. Otherwise end that connection: pg_locks names its process, and ' +
    'pg_terminate_backend ends it. Nothing was changed.',
};

type Known = { version: string; name: string; hash: string; at: number; statements: string[] };

function knownMigrations(): Known[] {
  const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'));
  const files = readMigrationFiles({ migrationsFolder });
  return (journal.entries as { tag: string; when: number }[]).map(({ tag, when: at }, i) => {
    const [version = '', ...words] = tag.split('_');
    const { hash, sql } = files[i] as (typeof files)[number];
    return { version, name: words.join('_'), hash, at, statements: sql };
  });
}

const tableExists = async (tx: Tx, name: string) =>
  (await query<{ there: boolean }>(tx)`select to_regclass(${name}) is not null as there`)[0]?.there ?? false;

/** What `supabase db push` has applied: a version is the digits of a file's name. */
const SUPABASE_LEDGER = 'supabase_migrations.schema_migrations';

/**
 * Returns whether all migrations have been applied, by Lore or by Supabase. Each of them has a ledger of its own.
 *
 * @throws Problem (409) when the database has migrations that this version does not know, or lacks some that are
 *   Supabase's to apply
 */
export async function isMigrated(tx: Tx): Promise<boolean> {
  const bySupabase = await tableExists(tx, SUPABASE_LEDGER);
  if (!bySupabase && !(await tableExists(tx, 'drizzle.__drizzle_migrations'))) return false;
  const known = knownMigrations();
  const byLore = await appliedByLore(tx, known);
  await refuseNewer(tx, known);
  const pushed = bySupabase
    ? await query<{ version: string }>(tx)`select version from supabase_migrations.schema_migrations`
    : [];
  const versions = new Set(pushed.map(({ version }) => version));
  const missing = known.filter(({ version, hash }) => !versions.has(version) && !byLore.has(hash));
  if (missing.length === 0) return true;
  if (!bySupabase) return false;
  const unnoted = known.filter(({ version, hash }) => !versions.has(version) && byLore.has(hash));
  const repair = `supabase migration repair --status applied ${unnoted.map(({ version }) => version).join(' ')} --remote="$DATABASE_URL", then `;
  throw new Problem({
    status: 409,
    title: 'Database is migrated by Supabase',
    detail:
      `It lacks ${missing.map(({ version, name }) => `${version}_${name}`).join(', ')}, and Lore does not migrate what ` +
      `Supabase's ledger describes. In ${fileURLToPath(packageRoot)} run: ${unnoted.length > 0 ? repair : ''}` +
      'supabase db push --remote="$DATABASE_URL". Nothing was changed.',
  });
}

/** Returns the hashes of the migrations that Lore itself has applied. */
async function appliedByLore(tx: Tx, known: Known[]): Promise<Set<string>> {
  if (!(await tableExists(tx, 'drizzle.__drizzle_migrations'))) return new Set();
  const hashes = new Set(known.map(({ hash }) => hash));
  const applied = await query<{ hash: string; at: number }>(tx)`
    select hash, created_at::float8 as at from drizzle.__drizzle_migrations`;
  const unknown = applied.filter(({ hash }) => !hashes.has(hash));
  if (unknown.length > 0) throw unknownTo(known, unknown);
  return new Set(applied.map(({ hash }) => hash));
}

/** Supabase's ledger also holds migrations of other applications, so it cannot tell. The database says itself. */
async function refuseNewer(tx: Tx, known: Known[]): Promise<void> {
  const [column] = await query(tx)`select from pg_attribute
    where attrelid = to_regclass('lore.instance') and attname = 'migration' and not attisdropped`;
  if (!column) return;
  const [row] = await query<{ migration: string | null }>(tx)`select migration from lore.instance`;
  const newest = known.at(-1)?.version ?? '';
  if ((row?.migration ?? '') > newest) throw notOurs(`Its newest migration is ${row?.migration}.`);
}

const notOurs = (why: string) =>
  new Problem({
    status: 409,
    title: 'Database is newer than this Lore',
    detail: `${why} Nothing was changed. Update Lore (lore update); to stay with this version, restore a backup from before (lore restore).`,
  });

/** Says who made a database that has migrations which this version does not know: they have the time of their making. */
function unknownTo(known: Known[], unknown: { at: number }[]): Problem {
  const times = unknown.map(({ at }) => at);
  if (Math.max(...times) > (known.at(-1)?.at ?? 0))
    return notOurs(`It has ${unknown.length} migration(s) that this version does not know.`);
  const old = Math.min(...times) < (known[0]?.at ?? 0);
  return new Problem({
    status: 409,
    title: 'Database was made by another Lore',
    detail:
      `It has ${unknown.length} migration(s) of ${old ? 'Lore 0.1' : 'a version in the making: a commit between two releases, whose migrations were made anew'}. ` +
      'Nothing was changed. What is in it comes over by lore export with the Lore that made it and lore import into a new data ' +
      'folder; or restore a backup that a release made (lore restore).',
  });
}

/** On a database of Supabase, writes what Lore has applied into Supabase's ledger, so that nothing applies it again. */
async function noteForSupabase(one: Tx): Promise<void> {
  if (!(await tableExists(one, 'auth.users')) || (await tableExists(one, SUPABASE_LEDGER))) return;
  await one.transaction(async (nested) => {
    const tx = nested as unknown as Tx;
    // as the CLI makes it
    await query(tx)`create schema if not exists supabase_migrations`;
    await query(tx)`
      create table supabase_migrations.schema_migrations (version text not null primary key, statements text[], name text)`;
    for (const { version, name, statements } of knownMigrations()) {
      await query(tx)`insert into supabase_migrations.schema_migrations (version, name, statements)
        values (${version}, ${name}, ${sql.param(statements)}::text[])`;
    }
    await query(tx)`grant usage on schema supabase_migrations to lore_server`;
    await query(tx)`grant select on supabase_migrations.schema_migrations to lore_server`;
  });
}
