import { createHash, randomBytes } from 'node:crypto';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { apiKeys, profiles } from './schema.ts';

/** Returns a new key: `lore_` and 256 random bits in base64url. It is shown once; only its hash is stored. */
export const newKey = () => `lore_${randomBytes(32).toString('base64url')}`;

/** Returns the SHA-256 of a key in hex. Keys are long and random, so a plain hash is enough: no dictionary has them. */
export const hashKey = (key: string) => createHash('sha256').update(key).digest('hex');

/** Returns the ids of the projects that live keys are for. */
export async function attachedProjects(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ id: apiKeys.projectId })
    .from(apiKeys)
    .where(and(isNotNull(apiKeys.projectId), isNull(apiKeys.revokedAt)));
  return rows.flatMap(({ id }) => id ?? []);
}

/** Sets the time of a key's last use to now. */
export async function touchKey(tx: Tx, id: string) {
  await tx.update(apiKeys).set({ lastUsedAt: new Date() }).where(eq(apiKeys.id, id));
}

/** Returns whether the caller's account is open, and the key, if one is named, not revoked. */
export async function isLive(tx: Tx, keyId: string | null): Promise<boolean> {
  const [row] = await tx
    .select({ removedAt: profiles.removedAt, revokedAt: apiKeys.revokedAt, key: apiKeys.id })
    .from(profiles)
    .leftJoin(apiKeys, keyId === null ? sql`false` : eq(apiKeys.id, keyId))
    .limit(1);
  return !!row && row.removedAt === null && (keyId === null || (row.key !== null && row.revokedAt === null));
}

/** Returns whether the caller has an account in this database. */
export async function accountExists(tx: Tx): Promise<boolean> {
  return (await tx.select({ userId: profiles.userId }).from(profiles).limit(1)).length > 0;
}
