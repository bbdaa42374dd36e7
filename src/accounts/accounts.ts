import { sql } from 'drizzle-orm';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { retryWhenCutOff } from '../db/retry.ts';
import { askSystem } from '../db/system.ts';
import { Problem } from '../errors/problem.ts';
import type { Caller } from '../http/env.ts';
import type { Scope } from '../http/key-scope.ts';
import { ownerOnly } from '../http/owner-only.ts';
import { looksLike } from './account-name.ts';
import { hashKey, newKey } from './keys.ts';

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
  type Row = {
    user_id: string;
    key_id: string;
    role: 'owner' | 'member';
    name: string;
    scope: Scope;
    project_id: string | null;
    project: string | null;
  };
  const [row] = await retryWhenCutOff(() =>
    askSystem<Row>(db, sql`select * from lore.authenticate(${hash})`, { urgent: true }),
  );
  if (!row) return null;
  const { role, name, scope, project, project_id: projectId } = row;
  return { userId: row.user_id, keyId: row.key_id, role, name, scope, projectId, project };
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
  const [row] = await askSystem<{ owner_id: string; refused: Unusable | null }>(
    db,
    sql`select * from lore.ensure_owner(${hashKey(key)}, ${source},
          ${inFolder === null ? null : hashKey(inFolder)}::text)`,
  );
  if (!row) throw new Error('lore.ensure_owner returned no row');
  if (row.refused !== null) throw unusable(source, row.refused);
  return row.owner_id;
}

type Unusable = 'revoked' | 'member' | 'scope';

function unusable(source: OwnerKey['source'], why: Unusable): Problem {
  const what = source === 'LORE_KEY' ? 'LORE_KEY' : 'The key in the data folder (file “key”)';
  const remedy =
    source === 'LORE_KEY'
      ? 'Set LORE_KEY to a new key or to a live one of the owner, or unset it to use the key in the data folder.'
      : 'Set LORE_KEY to a live key of the owner, or delete the file to get a new key (then run lore init again).';
  if (why === 'scope') {
    return new Problem({
      status: 409,
      title: "Key is not a person's",
      detail: `${what} is only for hooks or for a device, as in the environment of an agent's shell. ${remedy}`,
    });
  }
  return why === 'revoked'
    ? new Problem({
        status: 409,
        title: 'Key is revoked',
        detail: `${what} was revoked, or replaced by another LORE_KEY, so no request would be answered. ${remedy}`,
      })
    : new Problem({
        status: 409,
        title: "Key is not the owner's",
        detail: `${what} belongs to a member, and a server is started with a key of the owner. ${remedy}`,
      });
}

/**
 * Adds a member: a new tenant with a first key. The result is the only place where `key` is ever shown.
 *
 * @throws Problem (403) when the caller is not the owner, (409) when there is an account with that name
 */
export async function createMember(
  db: Database,
  caller: Claims,
  name: string,
): Promise<{ userId: string; name: string; key: string }> {
  ownerOnly(caller, 'adds members');
  const others = await listUsers(db, caller);
  const alike = others.find((other) => looksLike(other.name) === looksLike(name));
  if (alike !== undefined && alike.name !== name) {
    throw new Problem({
      status: 409,
      title: 'Name looks like another',
      detail: `${name} is easily taken for ${alike.name}, who is, or was, a member. Choose another name.`,
      errors: [{ field: 'name', message: `looks like ${alike.name}` }],
    });
  }
  const key = newKey();
  const [row] = await askSystem<{ id: string | null }>(
    db,
    sql`select lore.create_member(${name}, ${hashKey(key)}, ${'first device'}) as id`,
  );
  if (!row) throw new Error('lore.create_member returned no row');
  if (row.id === null) {
    throw new Problem({
      status: 409,
      title: 'Name is taken',
      detail: `There is, or was, a member named ${name} (lore users lists them). Choose another name.`,
      errors: [{ field: 'name', message: 'is taken' }],
    });
  }
  return { userId: row.id, name, key };
}

export type User = {
  userId: string;
  name: string;
  role: 'owner' | 'member';
  createdAt: string;
  /** when the owner removed the member; null: the account is open */
  removedAt: string | null;
  /** the user of Supabase Auth who signs in to the account; null: nobody does */
  authId: string | null;
  keys: {
    id: string;
    name: string;
    scope: Scope;
    project: string | null;
    createdAt: string;
    lastUsedAt: string | null;
    revokedAt: string | null;
  }[];
};

/**
 * Returns all accounts of the server with their keys, the oldest first, removed members included.
 *
 * @throws Problem (403) when the caller is not the owner
 */
export async function listUsers(db: Database, caller: Claims): Promise<User[]> {
  ownerOnly(caller, 'lists its users');
  return askSystem<User>(
    db,
    sql`select user_id as "userId", name, role, to_json(created_at) as "createdAt",
          to_json(removed_at) as "removedAt", auth_id as "authId", keys
        from lore.list_users()`,
  );
}

/**
 * Revokes a key of a member.
 *
 * @throws Problem (403) when the caller is not the owner, (404) when the member has no live key with this id
 */
export async function revokeMemberKey(
  db: Database,
  caller: Claims,
  member: string,
  keyId: string,
): Promise<void> {
  ownerOnly(caller, "revokes members' keys");
  const [row] = await askSystem<{ done: boolean }>(
    db,
    sql`select lore.revoke_member_key(${member}, ${keyId}) as done`,
  );
  if (row?.done) return;
  throw new Problem({
    status: 404,
    title: 'Key not found',
    detail: `There is no member ${member} with a live key ${keyId}.`,
  });
}

/**
 * Closes a member's account: its keys are refused from now on, its rows stay. Doing it again changes nothing. Returns
 * the member's name.
 *
 * @throws Problem (403) when the caller is not the owner, (404) when there is no such member, (409) for the owner
 */
export async function removeMember(db: Database, caller: Claims, member: string): Promise<string> {
  ownerOnly(caller, 'removes members');
  if (member === caller.userId) {
    throw new Problem({ status: 409, title: 'Not a member', detail: 'The owner cannot be removed.' });
  }
  const [row] = await askSystem<{ name: string | null }>(
    db,
    sql`select lore.remove_member(${member}) as name`,
  );
  if (typeof row?.name === 'string') return row.name;
  throw new Problem({ status: 404, title: 'User not found', detail: `There is no member ${member}.` });
}

/**
 * Lets a user of Supabase Auth sign in to the owner's account, in place of whoever did before (null: nobody does any
 * more). The account that the user had as a member is closed; its rows stay. Returns the owner's id, and the name of
 * the account that was closed.
 *
 * @throws Problem (403) when the caller is not the owner
 */
export async function claimOwner(
  db: Database,
  caller: Claims,
  authId: string | null,
): Promise<{ userId: string; closed: string | null }> {
  ownerOnly(caller, 'says who signs in to the account');
  const [row] = await askSystem<{ owner_id: string; closed: string | null }>(
    db,
    sql`select * from lore.claim_owner(${authId}::uuid)`,
  );
  if (!row) throw new Error('lore.claim_owner returned no row');
  return { userId: row.owner_id, closed: row.closed };
}

/** Deletes the account of a removed member for good, after their rows were erased. */
export async function deleteMember(db: Database, member: string): Promise<void> {
  await askSystem(db, sql`select lore.delete_member(${member})`);
}
