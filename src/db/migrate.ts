import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
// Imported here and not where it is used: while PGlite's code is being compiled, reading a file takes 200 ms.
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator';
import { packageRoot } from '../package-root.ts';
import { Problem } from '../problem.ts';
import { type Database, query, type Tx } from './open.ts';

const migrationsFolder = fileURLToPath(new URL('drizzle', packageRoot));

/** Number of the advisory lock that lets one server migrate at a time. Any number will do if all servers share it. */
const MIGRATION_LOCK = 5_673_001;

/**
 * Migrates the database to this version's schema. Safe when several servers start on one PostgreSQL at the same time.
 *
 * @throws Problem (409) when the database was made by a newer version or by one before 0.2; the database is not changed
 */
export async function migrateDatabase(db: Database, databaseUrl: string | undefined): Promise<void> {
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
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    const one = drizzle(client);
    if (await isCurrent(one as unknown as Tx)) return;
    await migrate(one, { migrationsFolder });
  } finally {
    await client.end({ timeout: 5 });
  }
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
      detail: `It has ${newer.length} migration(s) that this version does not know. Update Lore; nothing was changed.`,
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
