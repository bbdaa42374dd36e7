import { type SQL, sql } from 'drizzle-orm';
import { type Database, query } from './open.ts';

/**
 * Runs one of the few statements that cannot run as a user, and returns its rows. Each calls one SECURITY DEFINER
 * function of schema `lore`. A statement that reads a tenant's table directly does not belong here. `urgent`: a hook waits
 * for it, as in `asUser`.
 */
export const askSystem = <T extends Record<string, unknown>>(
  db: Database,
  statement: SQL,
  { urgent = false }: { urgent?: boolean } = {},
): Promise<T[]> => query<T>(urgent ? db.urgent : db.drizzle, statement);

/** Runs such a statement and returns the user ids in its column `id`. */
export async function userIds(db: Database, statement: SQL): Promise<string[]> {
  return (await askSystem(db, statement)).map((row) => String(row.id));
}

/** Returns the id of this database. It belongs to the data, not to a server or a folder: a copy has the same id. */
export async function instanceId(db: Database): Promise<string> {
  const [row] = await askSystem<{ id: string }>(db, sql`select id from lore.instance`);
  if (!row) throw new Error('lore.instance has no row');
  return row.id;
}
