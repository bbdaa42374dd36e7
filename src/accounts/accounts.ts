import { sql } from 'drizzle-orm';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { retryWhenCutOff } from '../db/retry.ts';
import { askSystem } from '../db/system.ts';
import { Problem } from '../problem.ts';
import { hashKey, newKey } from './keys.ts';

export type Account = Claims & { keyId: string; name: string };

/** Returns the account a key belongs to; null when there is none or the key was revoked. `hash`: SHA-256 of the key, hex. */
export async function authenticate(db: Database, hash: string): Promise<Account | null> {
  type Row = { user_id: string; key_id: string; role: 'owner' | 'member'; name: string };
  const [row] = await retryWhenCutOff(() =>
    askSystem<Row>(db, sql`select * from lore.authenticate(${hash})`),
  );
  return row ? { userId: row.user_id, keyId: row.key_id, role: row.role, name: row.name } : null;
}

/** Makes the owner account if there is none, and gives it this key. Returns the owner's id. */
export async function ensureOwner(db: Database, hash: string, keyName: string): Promise<string> {
  const known = await authenticate(db, hash);
  if (known?.role === 'owner') return known.userId;
  const [row] = await askSystem<{ id: string }>(db, sql`select lore.ensure_owner(${hash}, ${keyName}) as id`);
  if (!row) throw new Error('lore.ensure_owner gave no row');
  return row.id;
}

/**
 * Adds a member: a tenant of their own, with a first key. `key` in the result is the only time it is seen.
 *
 * @throws Problem (403) unless the owner asks
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
  if (!row) throw new Error('lore.create_member gave no row');
  return { userId: row.id, name, key };
}
