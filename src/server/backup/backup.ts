import { constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Config } from '../../base/config.ts';
import { Problem } from '../../base/errors/problem.ts';
import { version } from '../../base/files/package-root.ts';
import { countRows, type Database, openDatabase, query, type RowCounts } from '../../db/open.ts';

// A backup is a folder: the embedded database (`pgdata`), the secrets without which it cannot be used as before, and
// `backup.json`, which says what it is. It is written under another name and verified before it gets its own, so a folder
// that has its name is whole. PostgreSQL has its own tools for this (docs/backup.md).

/** Files of the data folder that belong to the database: without them keys and verdicts would be others. */
const SECRETS = ['key', 'secret'];
const MANIFEST = 'backup.json';

/** What a backup says of itself. */
export type Manifest = { version: string; at: string; engine: string; rows: RowCounts };

export type BackupServices = {
  config: Pick<Config, 'home'>;
  db: Database;
  /** what is acknowledged and not stored yet; null if nothing ever is */
  journal: { drained(): Promise<void> } | null;
};

/**
 * Writes a backup of the running database into a folder, and opens it to see that all rows are there.
 *
 * @param folder an absolute path; must not exist, or be empty
 * @throws Problem (400) if the folder cannot be one for a backup, (409) on PostgreSQL, (500) if the backup could not be
 *   written or verified; then nothing is left of it
 */
export async function writeBackup(services: BackupServices, folder: string): Promise<Manifest> {
  const { config, db, journal } = services;
  const { copyTo } = db;
  if (copyTo === null) {
    throw new Problem({
      status: 409,
      title: 'No backup was written',
      detail:
        'The database is PostgreSQL: back it up with pg_dump, or as its provider does (docs/backup.md).',
    });
  }
  refuseFolder(folder, config.home);
  const part = `${folder}.part-${process.pid}`;
  try {
    await mkdir(part, { mode: 0o700 });
    await journal?.drained();
    const at = new Date().toISOString();
    const rows = await copyTo(join(part, 'pgdata'));
    const lost = await differing(rows, part);
    if (lost !== null) throw new Error(`the copy has other rows in ${lost} than the database`);
    for (const name of SECRETS.filter((one) => existsSync(join(config.home, one))))
      await copyFile(join(config.home, name), join(part, name));
    const manifest: Manifest = { version, at, engine: db.engine, rows };
    await writeFile(join(part, MANIFEST), JSON.stringify(manifest, null, 1), { mode: 0o600, flush: true });
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
    return manifest;
  } catch (cause) {
    await rm(part, { recursive: true, force: true });
    const detail = `${folder}: ${cause instanceof Error ? cause.message : cause}`;
    throw new Problem({ status: 500, title: 'No backup was written', detail, cause });
  }
}

function refuseFolder(folder: string, home: string): void {
  const wrong = [
    [!isAbsolute(folder), 'is no absolute path'],
    [folder.startsWith(join(home, 'pgdata')), 'lies in the database'],
    [!existsSync(dirname(folder)), 'would lie in a folder that does not exist'],
    [existsSync(folder) && !isEmpty(folder), 'exists already'],
  ].find(([is]) => is);
  if (!wrong) return;
  const detail = `folder: ${folder} ${wrong[1]}.`;
  throw new Problem({ status: 400, title: 'Not a folder for a backup', detail });
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
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
export async function restoreBackup(home: string, folder: string): Promise<Restored> {
  const manifest = manifestOf(folder);
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
  const lost = await differing(manifest.rows, home);
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
  if (manifest.engine !== 'pglite') refuse('is of PostgreSQL: pg_restore puts it back (docs/backup.md)');
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
