import { constants, existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Config } from '../config.ts';
import { countRows, type Database, openDatabase, query, type RowCounts } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { version } from '../files/package-root.ts';
import { dump, ownersUrl } from './dump.ts';

// A backup is a folder: the database (`pgdata`, or `database.dump` of PostgreSQL), the secrets without which it cannot be
// used as before, and `backup.json`, which says what it is. It is written under another name and verified before it gets
// its own, so a folder that has its name is whole.

/** Files of the data folder that belong to the database: without them keys and verdicts would be others. */
export const SECRETS = ['key', 'secret'] as const;
export const MANIFEST = 'backup.json';

/** What a backup says of itself. */
export type Manifest = {
  version: string;
  at: string;
  engine: 'pglite' | 'postgres';
  /** rows by table at that moment; null for a dump of PostgreSQL, which pg_restore has listed */
  rows: RowCounts | null;
};

export type BackupServices = {
  config: Pick<Config, 'home' | 'databaseUrl'> & Partial<Pick<Config, 'migrateUrl'>>;
  db: Database;
  /** what is acknowledged and not stored yet; null if nothing ever is */
  journal: { drained(): Promise<void> } | null;
};

/**
 * Writes a backup of the running database into a folder, and opens it to see that all rows are there.
 *
 * @param folder an absolute path; must not exist, or be empty
 * @throws Problem (400) if the folder cannot be one for a backup, (507) if there is not enough room, (500) if the backup
 *   could not be written or verified; then nothing is left of it
 */
export async function writeBackup(services: BackupServices, folder: string): Promise<Manifest> {
  const { config, db } = services;
  refuseFolder(folder, config.home);
  await refuseFullDisk(folder, config.home);
  const part = `${folder}.part-${process.pid}`;
  try {
    await mkdir(part, { recursive: true, mode: 0o700 });
    await services.journal?.drained();
    const at = new Date().toISOString();
    const rows = db.copyTo === null ? await dumpInto(config, part) : await copy(db.copyTo, part);
    for (const name of SECRETS) {
      const file = join(config.home, name);
      if (existsSync(file)) await copyFile(file, join(part, name), constants.COPYFILE_EXCL);
    }
    const manifest: Manifest = { version, at, engine: db.engine, rows };
    await writeFile(join(part, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, {
      mode: 0o600,
      flush: true,
    });
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
    return manifest;
  } catch (cause) {
    await rm(part, { recursive: true, force: true });
    if (cause instanceof Problem) throw cause;
    throw new Problem({
      status: 500,
      title: 'No backup was written',
      detail: `${folder}: ${cause instanceof Error ? cause.message : cause}`,
      cause,
    });
  }
}

function refuseFolder(folder: string, home: string): void {
  const refuse = (why: string) => {
    throw new Problem({
      status: 400,
      title: 'Not a folder for a backup',
      detail: `folder: ${folder} ${why}.`,
    });
  };
  if (!isAbsolute(folder)) refuse('is no absolute path');
  if (folder.startsWith(join(home, 'pgdata'))) refuse('lies in the database');
  if (!existsSync(dirname(folder))) refuse(`would lie in a folder that does not exist`);
  if (existsSync(folder)) {
    const empty = (() => {
      try {
        return readdirSync(folder).length === 0;
      } catch {
        return false;
      }
    })();
    if (!empty) refuse('exists already');
  }
}

/** Refuses a backup for which there is not twice the room that the database takes, so that Lore itself goes on. */
async function refuseFullDisk(folder: string, home: string): Promise<void> {
  const size = await sizeOf(join(home, 'pgdata'));
  const { bavail, bsize } = await statfs(dirname(folder));
  if (bavail * bsize >= 2 * size) return;
  const mb = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MB`;
  throw new Problem({
    status: 507,
    title: 'Not enough room',
    detail: `folder: ${dirname(folder)} has ${mb(bavail * bsize)} free, and ${mb(2 * size)} are wanted, twice the size of the database.`,
  });
}

async function sizeOf(folder: string): Promise<number> {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const sizes = await Promise.all(
    files.map((one) =>
      stat(join(one.parentPath, one.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function dumpInto(config: BackupServices['config'], part: string): Promise<null> {
  await dump(ownersUrl(config) as string, join(part, 'database.dump'));
  return null;
}

async function copy(copyTo: NonNullable<Database['copyTo']>, part: string): Promise<RowCounts> {
  const rows = await copyTo(join(part, 'pgdata'));
  const found = await rowsOf(part);
  const differs = Object.keys({ ...rows, ...found }).find((table) => rows[table] !== found[table]);
  if (differs === undefined) return rows;
  throw new Error(
    `the copy has ${found[differs] ?? 'no'} rows in ${differs}, and the database ${rows[differs]}`,
  );
}

/** Opens the embedded database of a backup or data folder, and returns its rows by table. */
export async function rowsOf(folder: string): Promise<RowCounts> {
  const db = await openDatabase({ home: folder, databaseUrl: undefined });
  try {
    return await countRows((text) => query(db.drizzle, sql.raw(text)));
  } finally {
    await db.close();
  }
}

/** Beginning of the names of daily copies. */
const DAILY = 'daily-';
const KEPT = 3;
const DAY_MS = 24 * 3_600_000;

/** Returns where the copies of a data folder lie, and the names of the daily ones, the oldest first. */
function dailyOf(home: string): { folder: string; names: string[] } {
  const folder = join(home, 'backups');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(DAILY)) : [];
  return { folder, names: names.filter((name) => existsSync(join(folder, name, MANIFEST))).sort() };
}

/**
 * Makes the daily copy of an embedded database if the last is a day old, and removes all but the last three.
 *
 * @returns the folder of the copy; null if none was due
 */
export async function daily(services: BackupServices, now: Date): Promise<string | null> {
  if (services.db.copyTo === null) return null;
  const { folder, names } = dailyOf(services.config.home);
  const last = names.at(-1);
  const made = last === undefined ? 0 : (await stat(join(folder, last, MANIFEST))).mtimeMs;
  if (now.getTime() - made < DAY_MS) return null;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${DAILY}${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  await writeBackup(services, join(folder, name));
  for (const old of [...names, name].slice(0, -KEPT))
    await rm(join(folder, old), { recursive: true, force: true });
  return join(folder, name);
}
