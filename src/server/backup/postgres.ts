import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import type { Config } from '../../base/config.ts';
import { migrateDatabase } from '../../db/migrate.ts';
import { openDatabase, query } from '../../db/open.ts';

// Dumps of PostgreSQL, by its own programs. Only Lore's schemas are dumped and restored: what is beside them belongs to the
// platform (on Supabase: auth, storage, vault …), and a migration makes what Lore needs there.

const SCHEMAS = ['public', 'lore', 'drizzle', 'supabase_migrations'];
const [, ...OWN] = SCHEMAS;
/** What is restored, as the list of a dump names it. The schema `public` is there, and other things may lie in it. */
const RESTORED = new RegExp(
  `^\\d+; \\d+ \\d+ (SCHEMA - (${OWN.join('|')})|ACL - SCHEMA (${OWN.join('|')})|(?!DEFAULT ACL)[A-Z ]+ (${SCHEMAS.join('|')})) `,
);

/** Returns the address of the role that owns Lore's tables: only that one reads and makes all. */
export const ownersUrl = ({ databaseUrl, migrateUrl }: Pick<Config, 'databaseUrl' | 'migrateUrl'>) =>
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
export async function dump(url: string, file: string): Promise<void> {
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
export async function restoreDump(url: string, file: string): Promise<void> {
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
