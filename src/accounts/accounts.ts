import { Problem } from '../base/errors/problem.ts';
import { retryWhenCutOff } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import type { Caller } from '../http/env.ts';
import { hashKey } from './keys.ts';

// Accounts, and the key that each request brings. What concerns several tenants (looking up a key, the rights on all
// tables, erasing) is done by SQL: sql/tenancy.

export type Account = Caller;
type KeyAccount = Account & { keyId: string };

/**
 * Returns the account that a key belongs to; null when the key is unknown or revoked.
 *
 * @param hash SHA-256 of the key, in hex
 */
export async function authenticate(db: Database, hash: string): Promise<KeyAccount | null> {
  const [account] = await retryWhenCutOff(
    () =>
      askSystem<KeyAccount>(db, { urgent: true })`
      select user_id as "userId", key_id as "keyId", role, name, scope, project_id as "projectId", project
      from lore.authenticate(${hash})`,
  );
  return account ?? null;
}

/** The key that a server is started with. */
export type OwnerKey = {
  key: string;
  source: 'LORE_KEY' | 'key file';
  /** the key in the data folder, if there is one */
  inFolder: string | null;
};

/**
 * Creates the owner account if there is none, and makes this key the owner's. A new LORE_KEY replaces the LORE_KEY
 * before it and the key of the data folder: these are revoked. Returns the owner's id.
 *
 * @throws Problem (409) when the key was revoked, is a member's, or is not a person's
 */
export async function ensureOwner(db: Database, { key, source, inFolder }: OwnerKey): Promise<string> {
  const [row] = await askSystem<{ owner_id: string; refused: Unusable | null }>(db)`
    select * from lore.ensure_owner(${hashKey(key)}, ${source},
      ${inFolder === null ? null : hashKey(inFolder)}::text)`;
  if (!row) throw new Error('lore.ensure_owner returned no row');
  if (row.refused !== null) throw unusable(source, row.refused);
  return row.owner_id;
}

type Unusable = 'revoked' | 'member' | 'scope';
const UNUSABLE = {
  revoked: ['Key is revoked', 'was revoked, or replaced by another LORE_KEY'],
  member: ["Key is not the owner's", 'belongs to a member, and a server is started with a key of the owner'],
  scope: ["Key is not a person's", 'is only for hooks or for a device'],
} as const satisfies Record<Unusable, [title: string, why: string]>;

function unusable(source: OwnerKey['source'], refused: Unusable): Problem {
  const [title, why] = UNUSABLE[refused];
  const what = source === 'LORE_KEY' ? 'LORE_KEY' : 'The key in the data folder (file “key”)';
  const detail = `${what} ${why}. Set LORE_KEY to a live key of the owner; or unset it and, if the key of the data folder is not one, delete that file to get a new key (then run lore init again).`;
  return new Problem({ status: 409, title, detail });
}
