import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
// Imported here and not where it is used: while PGlite's code is being compiled, reading a file takes 200 ms.
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator';
import { Problem } from '../errors/problem.ts';
import { packageRoot } from '../files/package-root.ts';
import { type Database, query, type Tx } from './open.ts';

const migrationsFolder = fileURLToPath(new URL('drizzle', packageRoot));

/** Number of the advisory lock that lets one server migrate at a time. Any number will do if all servers share it. */
const MIGRATION_LOCK = 5_673_001;

/** Another server needs seconds for a migration, and a minute for one that rewrites a large table. */
const MAX_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 200;

/** `onWait` is called once with the connection that is waited for. */
type WaitOptions = { onWait?: (holder: string) => void; maxWaitMs?: number };

/**
 * Migrates the database to this version's schema. Safe when several servers start on one PostgreSQL at the same time:
 * one migrates, the others wait for it. A database that is up to date is not waited for.
 *
 * @throws Problem (409) when the database was made by a newer version or by one before 0.2; the database is not changed
 * @throws Problem (503) that names the connection that holds the lock, when it still does after `maxWaitMs`
 */
export async function migrateDatabase(
  db: Database,
  databaseUrl: string | undefined,
  options: WaitOptions = {},
): Promise<void> {
  if (db.engine === 'pglite') {
    if (await isCurrent(db.drizzle)) return;
    await migrateEmbedded(db.drizzle as never, { migrationsFolder });
    return;
  }
  const [{ default: postgres }, { drizzle }, { migrate }] = await Promise.all([
    import('postgres'),
    import('drizzle-orm/postgres-js'),
    import('drizzle-orm/postgres-js/migrator'),
  ]);
  // The advisory lock belongs to the connection that took it, so migrating has a connection of its own.
  const client = postgres(databaseUrl as string, { max: 1, onnotice: () => {} });
  try {
    const one = drizzle(client);
    if (await isCurrent(one as unknown as Tx)) return;
    await lock(one as unknown as Tx, options);
    if (await isCurrent(one as unknown as Tx)) return;
    await migrate(one, { migrationsFolder });
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** Takes the lock for migrations. While another connection has it, says once which one. */
async function lock(tx: Tx, { onWait, maxWaitMs = MAX_WAIT_MS }: WaitOptions): Promise<void> {
  const until = performance.now() + maxWaitMs;
  for (let told = false; ; told = true) {
    const [taken] = await query<{ ok: boolean }>(
      tx,
      sql`select pg_try_advisory_lock(${MIGRATION_LOCK}) as ok`,
    );
    if (taken?.ok) return;
    const holder = await holderOfLock(tx);
    if (!told) onWait?.(holder);
    if (performance.now() > until) {
      throw new Problem({
        status: 503,
        title: 'Database is locked',
        detail:
          `For ${maxWaitMs / 1_000} s ${holder} has held the lock that lets one server migrate (advisory lock ` +
          `${MIGRATION_LOCK}). If it is a server that migrates, wait and start again. Otherwise end that connection: ` +
          'select pg_terminate_backend(<process>). Nothing was changed.',
      });
    }
    await sleep(LOOK_EVERY_MS);
  }
}

async function holderOfLock(tx: Tx): Promise<string> {
  const [found] = await query<{ pid: number; program: string | null; address: string | null; since: string }>(
    tx,
    sql`select a.pid, nullif(a.application_name, '') as program, host(a.client_addr) as address,
          date_trunc('second', a.backend_start)::text as since
        from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = ${MIGRATION_LOCK}
          and l.objsubid = 1 and l.database = (select oid from pg_database where datname = current_database())`,
  );
  if (!found) return 'another connection';
  const { pid, program, address, since } = found;
  return `process ${pid} of PostgreSQL (${program ?? 'unnamed'} from ${address ?? 'a local socket'}, since ${since})`;
}

/**
 * Returns whether the newest migration has been applied.
 *
 * @throws Problem (409) when the database has migrations that this version does not know
 */
async function isCurrent(tx: Tx): Promise<boolean> {
  const [present] = await query<{ name: string | null }>(
    tx,
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as name`,
  );
  if (!present?.name) return false;
  const known = readMigrationFiles({ migrationsFolder });
  const newest = Math.max(...known.map((file) => file.folderMillis));
  const hashes = new Set(known.map((file) => file.hash));
  const applied = await query<{ hash: string; when: number }>(
    tx,
    sql`select hash, created_at::float8 as when from drizzle.__drizzle_migrations`,
  );
  const unknown = applied.filter(({ hash }) => !hashes.has(hash));
  const newer = unknown.filter(({ when }) => when > newest);
  if (newer.length > 0) {
    throw new Problem({
      status: 409,
      title: 'Database is newer than this Lore',
      detail: `It has ${newer.length} migration(s) that this version does not know. Nothing was changed. Update Lore (lore update); to stay with this version, restore a backup from before (lore restore).`,
    });
  }
  if (unknown.length > 0) {
    throw new Problem({
      status: 409,
      title: 'Database was made by an older Lore',
      detail:
        'It was made by Lore 0.1, or by 0.2 before its release, and this version cannot use its tables. To carry notes ' +
        'and lessons over, run `lore export lore.jsonl` with the version that made it, start this version with a fresh ' +
        'LORE_HOME or an empty database, and run `lore import lore.jsonl`. Nothing was changed.',
    });
  }
  return applied.some(({ when }) => when === newest);
}
