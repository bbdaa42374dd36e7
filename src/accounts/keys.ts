import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { Problem } from '../problem.ts';
import { apiKeys, profiles } from './schema.ts';

/** A new device key: `lore_` and 256 random bits, base64url. Shown once; only its hash is stored. */
export const newKey = () => `lore_${randomBytes(32).toString('base64url')}`;

/** SHA-256 of a key, hex. Keys are random and long, so a plain hash is enough (no dictionary to try). */
export const hashKey = (key: string) => createHash('sha256').update(key).digest('hex');

const shown = {
  id: apiKeys.id,
  name: apiKeys.name,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
};

export const listKeys = (tx: Tx) => tx.select(shown).from(apiKeys).orderBy(desc(apiKeys.createdAt));

/** Makes another key for the caller; `key` in the result is the only time it is seen. */
export async function createKey(tx: Tx, name: string) {
  const key = newKey();
  const [row] = await tx
    .insert(apiKeys)
    .values({ name, keyHash: hashKey(key) })
    .returning(shown);
  return { ...row, key };
}

/** @throws Problem (404) when the caller has no such live key. */
export async function revokeKey(tx: Tx, id: string) {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  if (revoked.length === 0) {
    throw new Problem({ status: 404, title: 'Key not found', detail: `You have no live key ${id}.` });
  }
}

export async function touchKey(tx: Tx, id: string) {
  await tx.update(apiKeys).set({ lastUsedAt: new Date() }).where(eq(apiKeys.id, id));
}

/** Whether the caller has an account in this database. */
export async function accountExists(tx: Tx): Promise<boolean> {
  return (await tx.select({ userId: profiles.userId }).from(profiles).limit(1)).length > 0;
}
