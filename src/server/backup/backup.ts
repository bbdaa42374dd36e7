import { execFile } from 'node:child_process';
import { constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Config } from '../../base/config.ts';
import { Problem } from '../../base/errors/problem.ts';
import { version } from '../../base/files/package-root.ts';
import { migrateDatabase } from '../../db/migrate.ts';
import { countRows, type Database, openDatabase, query, type RowCounts } from '../../db/open.ts';
import { ownerOnly } from '../../http/env.ts';
import { served } from '../../http/serve.ts';

// A backup is a folder: the embedded database (`pgdata`) or a dump of PostgreSQL, the secrets without which it cannot be used
// as before, and `backup.json`, which says what it is. It is written under another name and verified before it gets its own,
// so a folder that has its name is whole.

/** Files of the data folder that belong to the database: without them keys and verdicts would be others. */
const SECRETS = ['key', 'secret'];
const MANIFEST = 'backup.json';
const DUMP = 'database.dump';

/** What a backup says of itself: the rows of an embedded database. */
type Manifest = { version: string; at: string; engine: string; rows: RowCounts };

export type BackupServices = {
  config: Pick<Config, 'home' | 'databaseUrl' | 'migrateUrl'>;
  db: Database;
  /** what is acknowledged and not stored yet; null if nothing ever is */
  journal: { drained(): Promise<void> } | null;
};

/**
 * Writes a backup of the running database into a folder, and opens an embedded one to see that all rows are there.
 *
 * @param folder an absolute path; must not exist
 * @throws Problem (400) if the folder cannot be one for a backup, (500) if the backup could not be written or verified; then
 *   nothing is left of it
 */
async function writeBackup(services: BackupServices, folder: string): Promise<Manifest> {
  const { config, db, journal } = services;
  refuseFolder(folder, config.home);
  const part = `${folder}.part-${process.pid}`;
  try {
    await mkdir(part, { mode: 0o700 });
    await journal?.drained();
    const at = new Date().toISOString();
    const rows = (await db.copyTo?.(join(part, 'pgdata'))) ?? {};
    if (db.copyTo === null) await dump(ownersUrl(config), join(part, DUMP));
    const lost = db.copyTo && (await differing(rows, part));
    if (lost !== null) throw new Error(`the copy has other rows in ${lost} than the database`);
    for (const name of SECRETS.filter((one) => existsSync(join(config.home, one))))
      await copyFile(join(config.home, name), join(part, name));
    const manifest: Manifest = { version, at, engine: db.engine, rows };
    await writeFile(join(part, MANIFEST), JSON.stringify(manifest, null, 1), { mode: 0o600, flush: true });
    await rename(part, folder);
    return manifest;
  } catch (cause) {
    await rm(part, { recursive: true, force: true });
    const detail = `${folder}: ${cause instanceof Error ? cause.message : cause}`;
    throw new Problem({ status: 500, title: 'No backup was written', detail, cause });
  }
}

const Made = z
  .object({
    ...{ folder: z.string(), version: z.string(), at: z.string(), engine: z.string() },
    /** by table */
    rows: z.record(z.string(), z.number()),
  })
  .openapi('Backup');

/** The route that writes a backup. */
export const backupRoutes = served((route, services: BackupServices) =>
  route(
    'POST /v1/backup',
    'Write a backup into a folder of the server’s machine, and verify it (owner only)',
    {
      body: z.strictObject({ folder: z.string().min(1).max(4_000) }),
      answer: Made,
      problems: { 403: 'Owner only' },
    },
    async ({ caller, body: { folder } }) => {
      ownerOnly(caller, 'backs it up');
      return { folder, ...(await writeBackup(services, folder)) };
    },
  ),
);

function refuseFolder(folder: string, home: string): void {
  const [, wrong] =
    [
      [!isAbsolute(folder), 'is no absolute path'],
      [folder.startsWith(join(home, 'pgdata')), 'lies in the database'],
      [!existsSync(dirname(folder)), 'would lie in a folder that does not exist'],
      [existsSync(folder), 'exists already'],
    ].find(([is]) => is) ?? [];
  if (wrong === undefined) return;
  const detail = `folder: ${folder} ${wrong}.`;
  throw new Problem({ status: 400, title: 'Not a folder for a backup', detail });
}

/** Opens the embedded database in a folder, and returns a table that has another number of rows there; null if none has. */
async function differing(rows: RowCounts, folder: string): Promise<string | null> {
  const db = await openDatabase({ home: folder, databaseUrl: undefined });
  try {
    const found = await countRows((text) => query(db.drizzle, sql.raw(text)));
    return Object.keys({ ...rows, ...found }).find((table) => rows[table] !== found[table]) ?? null;
  } finally {
    await db.close();
  }
}

/** What was restored, and where what was there before lies now. */
export type Restored = Manifest & { home: string; aside: string[] };

/**
 * Puts a backup in the place of the data folder, which the caller has locked. What is there already is moved aside, and
 * never removed; the database is opened to see that all rows are there.
 *
 * @throws Problem (400) if the folder is no backup, or of a newer Lore; (500) if it is damaged
 */
export async function restoreBackup(config: BackupServices['config'], folder: string): Promise<Restored> {
  const { home } = config;
  const manifest = manifestOf(folder);
  const isDump = manifest.engine !== 'pglite';
  if (isDump !== (config.databaseUrl !== undefined) || (isDump && manifest.version !== version)) {
    const needed = isDump ? `DATABASE_URL, and Lore ${manifest.version}` : 'no DATABASE_URL';
    const detail = `This backup is of ${manifest.engine}, and needs ${needed}.`;
    throw new Problem({ status: 400, title: 'Backup does not fit', detail });
  }
  if (isDump)
    await restoreDump(ownersUrl(config), join(folder, DUMP)).catch((cause) => {
      const detail = `${cause.message}. Nothing was changed.`;
      throw new Problem({ status: 500, title: 'The database was not restored', detail, cause });
    });
  const before = `before-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`;
  const aside: string[] = [];
  for (const name of ['pgdata', ...SECRETS].filter((one) => existsSync(join(folder, one)))) {
    const place = join(home, name);
    if (existsSync(place)) {
      await rename(place, `${place}.${before}`);
      aside.push(`${place}.${before}`);
    }
    await cp(join(folder, name), place, { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
  const lost = isDump ? null : await differing(manifest.rows, home);
  if (lost === null) return { ...manifest, home, aside };
  throw new Problem({
    status: 500,
    title: 'The backup is damaged',
    detail: `${lost} has other rows than when it was written. What was in ${home} before lies beside it, under names with “before”.`,
  });
}

function manifestOf(folder: string): Manifest {
  const refuse = (why: string): never => {
    throw new Problem({ status: 400, title: 'Not a backup', detail: `${folder} ${why}.` });
  };
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) refuse(`holds no ${MANIFEST}, which lore backup writes last`);
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  if (manifest.version.localeCompare(version, 'en', { numeric: true }) > 0)
    refuse(`was written by Lore ${manifest.version}, and this is ${version}: update Lore first`);
  return manifest;
}

const DAILY = 'daily-';
const KEPT = 3;
const DAY_MS = 24 * 3_600_000;

/**
 * Makes the daily copy of an embedded database if the last is a day old, and removes all but the last three.
 *
 * @returns the folder of the copy; null if none was due
 */
export async function daily(services: BackupServices, now: Date): Promise<string | null> {
  const folder = join(services.config.home, 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, MANIFEST)));
  const dailies = names.filter((name) => name.startsWith(DAILY)).sort();
  const last = dailies.at(-1);
  if (last && now.getTime() - (await stat(join(folder, last, MANIFEST))).mtimeMs < DAY_MS) return null;
  const name = `${DAILY}${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  await writeBackup(services, join(folder, name));
  for (const old of [...dailies, name].slice(0, -KEPT))
    await rm(join(folder, old), { recursive: true, force: true });
  return join(folder, name);
}

// Dumps of PostgreSQL, by its own programs. Only Lore's schemas are dumped and restored: what is beside them belongs to the
// platform (on Supabase: auth, storage, vault …), and a migration makes what Lore needs there.

const SCHEMAS = ['public', 'lore', 'drizzle', 'supabase_migrations'];
const [, ...OWN] = SCHEMAS;
/** What is restored, as the list of a dump names it. The schema `public` is there, and other things may lie in it. */
const RESTORED = new RegExp(
  `^\\d+; \\d+ \\d+ (SCHEMA - (${OWN.join('|')})|ACL - SCHEMA (${OWN.join('|')})|(?!DEFAULT ACL)[A-Z ]+ (${SCHEMAS.join('|')})) `,
);

/** Returns the address of the role that owns Lore's tables: only that one reads and makes all. */
const ownersUrl = ({ databaseUrl, migrateUrl }: Pick<Config, 'databaseUrl' | 'migrateUrl'>) =>
  migrateUrl ?? (databaseUrl as string);

/** Runs a program on a database. A password in its arguments could be seen. @throws Error with what it says */
async function run(url: string, program: string, ...args: string[]): Promise<string> {
  const at = new URL(url);
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(at.password) };
  at.password = '';
  const ssl = at.searchParams.get('sslmode') ?? (at.searchParams.get('ssl') === 'true' ? 'require' : null);
  at.search = ssl === null ? '' : `sslmode=${ssl}`;
  const options = { env, maxBuffer: 1 << 26 };
  try {
    return (await promisify(execFile)(program, [...args, `--dbname=${at}`], options)).stdout;
  } catch (cause) {
    const { code, stderr, message } = cause as NodeJS.ErrnoException & { stderr?: string };
    if (code !== 'ENOENT') throw new Error(stderr?.trim() || message, { cause });
    throw new Error(`${program} is not on the PATH: install the client programs of PostgreSQL`, { cause });
  }
}

/** Writes a dump into a file. @throws Error that says what is wrong, such as a role that does not see the rows of everybody */
async function dump(url: string, file: string): Promise<void> {
  const db = await openDatabase({ home: '', databaseUrl: url });
  const others = await query<{ name: string }>(
    db.drizzle,
    sql`select quote_ident(nspname) as name from pg_namespace
        where nspname <> all (${sql.param(SCHEMAS)}::text[]) and nspname !~ '^pg_' and nspname <> 'information_schema'`,
  ).finally(db.close);
  const without = others.map(({ name }) => `--exclude-schema=${name}`);
  await run(url, 'pg_dump', '--format=custom', '--no-blobs', ...without, `--file=${file}`);
}

/**
 * Puts a dump of this version in the place of what Lore has in a database, all of it or nothing. The database is migrated
 * first, for the roles and extensions that a dump does not hold.
 *
 * @throws Error with what PostgreSQL says
 */
async function restoreDump(url: string, file: string): Promise<void> {
  const db = await openDatabase({ home: '', databaseUrl: url });
  await migrateDatabase(db, url).finally(db.close);
  const list = `${file}.list`;
  try {
    const { stdout } = await promisify(execFile)('pg_restore', ['--list', file], { maxBuffer: 1 << 26 });
    await writeFile(
      list,
      stdout
        .split('\n')
        .filter((line) => RESTORED.test(line))
        .join('\n'),
    );
    const how = ['--clean', '--if-exists', '--no-owner', '--no-comments', '--single-transaction'];
    await run(url, 'pg_restore', ...how, `--use-list=${list}`, file);
  } finally {
    await rm(list, { force: true });
  }
}
