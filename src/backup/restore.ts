import { constants, existsSync, readFileSync } from 'node:fs';
import { copyFile, cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { forgetRows } from '../db/damage.ts';
import { Problem } from '../errors/problem.ts';
import { version } from '../files/package-root.ts';
import { MANIFEST, type Manifest, rowsOf, SECRETS } from './backup.ts';
import { ownersUrl, restoreDump } from './dump.ts';

/** What was restored, and where what was there before lies now. */
export type Restored = Manifest & { home: string; aside: string[] };

/**
 * Puts a backup in the place of the data folder, which the caller has locked. What is there already is moved aside, and
 * never removed; the database is opened to see that all rows are there.
 *
 * @throws Problem (400) if the folder is no backup, or of a newer Lore; (500) if it is damaged
 */
export async function restoreBackup(
  { home, ...urls }: Pick<Config, 'home' | 'databaseUrl' | 'migrateUrl'>,
  folder: string,
): Promise<Restored> {
  const manifest = manifestOf(folder);
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const aside: string[] = [];
  const moveAside = async (name: string) => {
    if (!existsSync(join(home, name))) return;
    const to = join(home, `${name}.before-${now}`);
    await rename(join(home, name), to);
    aside.push(to);
  };
  if (manifest.engine === 'pglite') {
    forgetRows(home);
    await moveAside('pgdata');
    await cp(join(folder, 'pgdata'), join(home, 'pgdata'), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    });
  } else {
    const url = ownersUrl(urls) ?? noDatabase();
    await restoreDump(url, join(folder, 'database.dump'));
  }
  for (const name of SECRETS) {
    if (!existsSync(join(folder, name))) continue;
    await moveAside(name);
    await copyFile(join(folder, name), join(home, name));
  }
  if (manifest.rows !== null) await refuseLoss(manifest.rows, home);
  return { ...manifest, home, aside };
}

function manifestOf(folder: string): Manifest {
  const refuse = (why: string): never => {
    throw new Problem({ status: 400, title: 'Not a backup', detail: `${folder} ${why}.` });
  };
  const manifest = ((): Manifest => {
    try {
      return JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest;
    } catch {
      return refuse(`holds no readable ${MANIFEST}, which lore backup writes last`);
    }
  })();
  if (manifest.version.localeCompare(version, 'en', { numeric: true }) > 0)
    refuse(`was written by Lore ${manifest.version}, and this is ${version}: update Lore first`);
  return manifest;
}

async function refuseLoss(rows: NonNullable<Manifest['rows']>, home: string): Promise<void> {
  const found = await rowsOf(home);
  const lost = Object.keys(rows).find((table) => rows[table] !== found[table]);
  if (lost === undefined) return;
  throw new Problem({
    status: 500,
    title: 'The backup is damaged',
    detail: `${lost} had ${rows[lost]} rows when it was written, and has ${found[lost] ?? 'none'} now. What was in ${home} before lies beside it, under names with “before”.`,
  });
}

function noDatabase(): never {
  throw new Problem({
    status: 400,
    title: 'No database to restore into',
    detail: 'This backup is of PostgreSQL: set DATABASE_URL to the database that is to hold it.',
  });
}
