import { sql } from 'drizzle-orm';
import type { Claims } from './as-user.ts';
import { type Database, query } from './open.ts';
import { retryWhenCutOff } from './retry.ts';

// Questions that cannot be asked as a user. Each is one SECURITY DEFINER function of schema `lore` (sql/tenancy).

export type Account = Claims & { keyId: string; name: string };

/** The account a key belongs to, null when there is none or the key was revoked. `hash`: SHA-256 of the key, hex. */
export async function authenticate(db: Database, hash: string): Promise<Account | null> {
  type Row = { user_id: string; key_id: string; role: 'owner' | 'member'; name: string };
  const [row] = await retryWhenCutOff(() =>
    query<Row>(db.drizzle, sql`select * from lore.authenticate(${hash})`),
  );
  return row ? { userId: row.user_id, keyId: row.key_id, role: row.role, name: row.name } : null;
}

/** Makes the owner account if there is none, and gives it this key. Returns the owner's id. */
export async function ensureOwner(db: Database, hash: string, keyName: string): Promise<string> {
  const known = await authenticate(db, hash);
  if (known?.role === 'owner') return known.userId;
  const [row] = await query<{ id: string }>(
    db.drizzle,
    sql`select lore.ensure_owner(${hash}, ${keyName}) as id`,
  );
  if (!row) throw new Error('lore.ensure_owner gave no row');
  return row.id;
}

export async function createMember(db: Database, name: string, hash: string, keyName: string) {
  const [row] = await query<{ id: string }>(
    db.drizzle,
    sql`select lore.create_member(${name}, ${hash}, ${keyName}) as id`,
  );
  if (!row) throw new Error('lore.create_member gave no row');
  return row.id;
}

/** Returns the ids of the users for whom background work waits. */
export async function usersToDistil(db: Database): Promise<string[]> {
  return ids(await query(db.drizzle, sql`select lore.users_to_distil() as id`));
}

export async function usersWithIdleSessions(db: Database, idleMinutes: number): Promise<string[]> {
  const idle = sql`make_interval(mins => ${idleMinutes}::int)`;
  return ids(await query(db.drizzle, sql`select lore.users_with_idle_sessions(${idle}) as id`));
}

/** Returns the id that names this database: not a server, nor a folder. A copy of the database has the same. */
export async function instanceId(db: Database): Promise<string> {
  const [row] = await query<{ id: string }>(db.drizzle, sql`select id from lore.instance`);
  if (!row) throw new Error('lore.instance has no row');
  return row.id;
}

const ids = (rows: Record<string, unknown>[]) => rows.map((row) => String(row.id));
