import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What every database of PostgreSQL has. Without one of them it cannot be opened. */
const PARTS = ['PG_VERSION', 'base', 'global/pg_control', 'pg_wal', 'pg_xact'];
/** The one part of the write-ahead log that a new database has. */
const FIRST_SEGMENT = '000000010000000000000001';
/** The numbers of files below this one are PostgreSQL's own; tables that anybody makes begin here. */
const FIRST_OWN = 16_384;

/**
 * Returns what is in the folder of the embedded database:
 * - `none`: nothing, or what a first start leaves that was killed while it made the database
 * - `whole`: a database, as far as its names show
 * - `lacking`: something else, with the parts of a database that are missing. It may hold data, so no database may be
 *   made there.
 */
export function findDatabase(
  folder: string,
): { state: 'none' } | { state: 'whole' } | { state: 'lacking'; missing: string[] } {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) return { state: 'lacking', missing: ['the folder itself'] };
  const missing = PARTS.filter((part) => !existsSync(join(folder, part)));
  const segments = namesIn(folder, 'pg_wal').filter((name) => /^[0-9A-F]{24}$/.test(name));
  if (segments.length === 0) missing.push('the files of pg_wal');
  if (missing.length === 0) return { state: 'whole' };
  // PGlite writes PG_VERSION near the end; nobody ever made a table there or wrote more than a new database writes
  const isUnused =
    missing.includes('PG_VERSION') &&
    segments.every((name) => name === FIRST_SEGMENT) &&
    namesIn(folder, 'base').every((one) =>
      namesIn(folder, 'base', one).every((name) => !(Number.parseInt(name, 10) >= FIRST_OWN)),
    );
  return isUnused ? { state: 'none' } : { state: 'lacking', missing };
}

function namesIn(...path: string[]): string[] {
  const folder = join(...path);
  return existsSync(folder) ? readdirSync(folder) : [];
}
