import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { ensureOwner } from '../../src/accounts/accounts.ts';
import type { Claims } from '../../src/db/as-user.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';

/**
 * Makes a new, migrated database.
 *
 * @param engine 'pglite', or the URL of a PostgreSQL on which a database may be created
 */
export async function emptyDatabase(engine: string): Promise<{ db: Database; drop: () => Promise<void> }> {
  if (engine === 'pglite') {
    const home = mkdtempSync(join(tmpdir(), 'lore-bench-'));
    const db = await openDatabase({ home, databaseUrl: undefined });
    await migrateDatabase(db, undefined);
    return {
      db,
      drop: async () => {
        await db.close();
        rmSync(home, { recursive: true, force: true });
      },
    };
  }
  const name = `lore_bench_${randomBytes(4).toString('hex')}`;
  const admin = postgres(engine, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(engine);
  url.pathname = `/${name}`;
  await migrateDatabase({ engine: 'postgres' } as Database, url.href);
  const db = await openDatabase({ home: '', databaseUrl: url.href });
  return {
    db,
    drop: async () => {
      await db.close();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/** Returns the owner of a new database. */
export const benchUser = async (db: Database): Promise<Claims> => ({
  userId: await ensureOwner(db, {
    key: randomBytes(16).toString('hex'),
    source: 'key file',
    inFolder: null,
  }),
  role: 'owner',
});
