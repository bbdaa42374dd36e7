import { type SQL, sql } from 'drizzle-orm';
import { type Database, query } from './open.ts';

/**
 * Asks one of the few questions that cannot be asked as a user. Each is one SECURITY DEFINER function of schema `lore`;
 * a statement that reads a tenant's table directly does not belong here.
 */
export const askSystem = <T extends Record<string, unknown>>(db: Database, statement: SQL): Promise<T[]> =>
  query<T>(db.drizzle, statement);

/** Returns the ids of the users that such a function names, in a column `id`. */
export async function userIds(db: Database, statement: SQL): Promise<string[]> {
  return (await askSystem(db, statement)).map((row) => String(row.id));
}

/** Returns the id that names this database: not a server, nor a folder. A copy of the database has the same. */
export async function instanceId(db: Database): Promise<string> {
  const [row] = await askSystem<{ id: string }>(db, sql`select id from lore.instance`);
  if (!row) throw new Error('lore.instance has no row');
  return row.id;
}
