import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import type { Config } from '../config.ts';
import { asMigrator, migrateDatabase } from '../db/migrate.ts';
import { openDatabase, query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';

// Dumps of PostgreSQL, by its own programs. Only Lore's schemas are dumped and restored: what is beside them belongs to the
// platform (on Supabase: auth, storage, vault …), and a migration makes what Lore needs there.

const SCHEMAS = ['public', 'lore', 'drizzle', 'supabase_migrations'];

const run = promisify(execFile);

/** Returns the address for the role that owns Lore's tables: only that one reads and makes all. */
export const ownersUrl = ({ databaseUrl, migrateUrl }: Partial<Pick<Config, 'databaseUrl' | 'migrateUrl'>>) =>
  migrateUrl ?? databaseUrl;

/** Returns the settings by which PostgreSQL's programs find a database; a password in their arguments could be seen. */
function postgresEnv(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const ssl = searchParams.get('sslmode') ?? searchParams.get('ssl');
  return {
    ...process.env,
    PGHOST: decodeURIComponent(searchParams.get('host') ?? hostname),
    ...(port && { PGPORT: port }),
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...(ssl && { PGSSLMODE: ssl === 'true' ? 'require' : ssl }),
  };
}

/** Throws unless the role may read and write the rows of everybody. */
export async function refuseBlind(tx: Tx): Promise<void> {
  const [role] = await query<{ name: string; mighty: boolean }>(
    tx,
    sql`select rolname::text as name, rolsuper or rolbypassrls as mighty from pg_roles where rolname = current_user`,
  );
  if (role?.mighty) return;
  throw new Problem({
    status: 503,
    title: 'PostgreSQL cannot be used',
    detail:
      `${role?.name} does not look past row level security (bypassrls), so it cannot reach everybody's rows. Set ` +
      'LORE_MIGRATE_URL to an address for the role that owns Lore’s tables. Nothing was changed.',
  });
}

/**
 * Writes a dump into a file, and reads its list.
 *
 * @throws Error that says what to do; Problem (503) if the role cannot read everything
 */
export async function dump(url: string, file: string): Promise<void> {
  const others = await asMigrator(url, async (tx) => {
    await refuseBlind(tx);
    return query<{ name: string }>(
      tx,
      sql`select nspname as name from pg_namespace
          where nspname <> all (${sql.param(SCHEMAS)}::text[]) and nspname !~ '^pg_' and nspname <> 'information_schema'`,
    );
  });
  const env = postgresEnv(url);
  const without = others.map(({ name }) => `--exclude-schema="${name.replaceAll('"', '""')}"`);
  await run('pg_dump', ['--format=custom', '--no-blobs', ...without, '--file', file], { env }).catch(explain);
  await run('pg_restore', ['--list', file], { env }).catch(explain);
}

function explain(error: NodeJS.ErrnoException & { stderr?: string }): never {
  if (error.code === 'ENOENT')
    throw new Error(
      'pg_dump, pg_restore and psql are not on the PATH here: install the client programs of PostgreSQL',
    );
  throw new Error(error.stderr?.trim() || error.message);
}

/** Takes away what Lore has in a database, whichever version made it, so that a dump of another version fits. */
const CLEAR = `
do $$
declare
  o record;
begin
  drop schema if exists lore cascade;
  for o in select distinct p.polrelid::regclass as name from pg_policy p
    join pg_class c on c.oid = p.polrelid and c.relnamespace = 'public'::regnamespace where p.polname = 'own rows'
  loop
    execute format('drop table %s cascade', o.name);
  end loop;
  for o in select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.proowner = current_user::regrole
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('drop function if exists %s cascade', o.name);
  end loop;
end $$;
`;

/**
 * Puts a dump in the place of what Lore has in a database, in one transaction. A database without Lore is migrated first,
 * for the roles and extensions that a dump does not hold.
 *
 * @throws Problem (500) if it was not restored, (503) if the role may not; then nothing was changed
 */
export async function restoreDump(url: string, file: string): Promise<void> {
  const isNew = await asMigrator(url, async (tx) => {
    await refuseBlind(tx);
    const [row] = await query<{ there: boolean }>(
      tx,
      sql`select to_regnamespace('lore') is not null as there`,
    );
    return !row?.there;
  });
  if (isNew) await prepareTarget(url);
  const folder = await mkdtemp(join(tmpdir(), 'lore-restore-'));
  try {
    const [list, clear] = [join(folder, 'list'), join(folder, 'clear.sql')];
    const { stdout } = await run('pg_restore', ['--list', file], { maxBuffer: 1 << 26 }).catch(explain);
    await writeFile(list, stdout.split('\n').filter(isLores).join('\n'));
    await writeFile(clear, CLEAR);
    await pipe(url, { file, list, clear });
  } catch (cause) {
    throw new Problem({
      status: 500,
      title: 'The database was not restored',
      detail: `${cause instanceof Error ? cause.message : cause}. Nothing was changed.`,
      cause,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const ENTRY = new RegExp(
  `^\\d+; \\d+ \\d+ (?:SCHEMA - (?!public )|ACL - SCHEMA |(?!DEFAULT ACL)[A-Z ]+ )(?:${SCHEMAS.join('|')}) `,
);

/**
 * Whether an entry in the list of a dump is of Lore's schemas: “215; 1259 16386 TABLE public notes postgres”. What a role
 * grants by default is that role's.
 */
const isLores = (line: string): boolean => ENTRY.test(line);

/** Brings a database of PostgreSQL to this version. */
export async function prepareTarget(url: string): Promise<void> {
  const target = await openDatabase({ home: '', databaseUrl: url });
  try {
    await migrateDatabase(target, url);
  } finally {
    await target.close();
  }
}

async function pipe(url: string, { file, list, clear }: Record<'file' | 'list' | 'clear', string>) {
  const env = postgresEnv(url);
  // whoever restores becomes the owner, who may be another one than before
  const how = ['--clean', '--if-exists', '--no-owner', '--no-comments', '--use-list', list, '--file=-', file];
  const from = spawn('pg_restore', how, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const quiet = [
    '--no-psqlrc',
    '--quiet',
    '--output=/dev/null',
    '--set=ON_ERROR_STOP=1',
    '--single-transaction',
  ];
  const to = spawn('psql', [...quiet, `--file=${clear}`, '--file=-'], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const [read, written] = [endOf(from, 'pg_restore'), endOf(to, 'psql')];
  // psql that ends early says why; the pipe that breaks then does not
  await pipeline(from.stdout, to.stdin).catch(() => {});
  const failed = (await Promise.all([written, read])).find((why) => why !== null);
  if (failed) throw new Error(failed);
}

/** Resolves to why a program failed; null if it did not. */
function endOf(child: ReturnType<typeof spawn>, name: string): Promise<string | null> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-2_000);
  });
  return new Promise((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === 'ENOENT'
          ? `${name} is not on the PATH here: install the client programs of PostgreSQL`
          : error.message,
      ),
    );
    child.on('close', (code) => {
      const error = /^.*ERROR:.*$/m.exec(said)?.[0] ?? said.trim();
      resolve(code === 0 ? null : `${name}: ${error || `ended with ${code}`}`);
    });
  });
}
