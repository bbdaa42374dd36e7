import { sql } from 'drizzle-orm';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { retryWhenCutOff } from '../db/retry.ts';
import { askSystem } from '../db/system.ts';
import { Problem } from '../problem.ts';
import { hashKey, newKey } from './keys.ts';

export type Account = Claims & { keyId: string; name: string };

/**
 * Returns the account that a key belongs to; null when the key is unknown or revoked.
 *
 * @param hash SHA-256 of the key, in hex
 */
export async function authenticate(db: Database, hash: string): Promise<Account | null> {
  type Row = { user_id: string; key_id: string; role: 'owner' | 'member'; name: string };
  const [row] = await retryWhenCutOff(() =>
    askSystem<Row>(db, sql`select * from lore.authenticate(${hash})`),
  );
  return row ? { userId: row.user_id, keyId: row.key_id, role: row.role, name: row.name } : null;
}

/**
 * Creates the owner account if there is none, and adds this key to it. Returns the owner's id.
 *
 * @param hash SHA-256 of the key, in hex
 */
export async function ensureOwner(db: Database, hash: string, keyName: string): Promise<string> {
  const known = await authenticate(db, hash);
  if (known?.role === 'owner') return known.userId;
  const [row] = await askSystem<{ id: string }>(db, sql`select lore.ensure_owner(${hash}, ${keyName}) as id`);
  if (!row) throw new Error('lore.ensure_owner returned no row');
  return row.id;
}

/**
 * Adds a member: a new tenant with a first key. The result is the only place where `key` is ever shown.
 *
 * @throws Problem (403) when the caller is not the owner
 */
export async function createMember(
  db: Database,
  caller: Claims,
  name: string,
): Promise<{ userId: string; name: string; key: string }> {
  if (caller.role !== 'owner') {
    throw new Problem({
      status: 403,
      title: 'Not allowed',
      detail: 'Only the owner of the server adds members.',
    });
  }
  const key = newKey();
  const [row] = await askSystem<{ id: string }>(
    db,
    sql`select lore.create_member(${name}, ${hashKey(key)}, ${'first device'}) as id`,
  );
  if (!row) throw new Error('lore.create_member returned no row');
  return { userId: row.id, name, key };
}
