import { createHash, randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { Problem } from '../base/errors/problem.ts';
import type { Tx } from '../db/open.ts';
import type { Scope } from '../http/key-scope.ts';
import { kindOf } from '../kinds/kind.ts';
import { projectNamed, projectNameOf } from '../sessions/projects.ts';
import { apiKeys, profiles } from './schema.ts';

/** Returns a new key: `lore_` and 256 random bits in base64url. It is shown once; only its hash is stored. */
export const newKey = () => `lore_${randomBytes(32).toString('base64url')}`;

/** Returns the SHA-256 of a key in hex. Keys are long and random, so a plain hash is enough: no dictionary has them. */
export const hashKey = (key: string) => createHash('sha256').update(key).digest('hex');

/** Keys as they are shown. */
export const shownKeys = kindOf('key', apiKeys, ['keyHash', 'source'], {
  project: { as: z.string().nullable(), sql: projectNameOf(sql`t.project`) },
});

/** Returns the caller's keys, or those of one scope, revoked ones included, the newest first. */
export const listKeys = (tx: Tx, scope: Scope | null = null) =>
  shownKeys.read(tx, sql`(${scope}::text is null or t.scope = ${scope})`, sql`order by t.created_at desc`);

/**
 * Creates another key for the caller: for one project, if one is named, which is made on first use. The result is the
 * only place where `key` is ever shown.
 */
export async function createKey(
  tx: Tx,
  { name, scope, project = null }: { name: string; scope: Scope; project?: string | null | undefined },
) {
  const key = newKey();
  const projectId = await idOf(tx, project);
  const row = { name, scope, projectId, keyHash: hashKey(key), source: 'person' } as const;
  const [made] = await tx.insert(apiKeys).values(row).returning({ id: apiKeys.id });
  return { ...(await shownKeys.get(tx, made?.id ?? '')), key };
}

export const keyNotFound = (detail: string): Problem =>
  new Problem({ status: 404, title: 'Key not found', detail });

const idOf = async (tx: Tx, project: string | null): Promise<string | null> =>
  project === null ? null : (await projectNamed(tx, project)).id;

/**
 * Revokes one of the caller's keys, which must have the scope if one is named.
 *
 * @throws Problem (404) when the caller has no live key with this id
 */
export async function revokeKey(tx: Tx, id: string, scope?: Scope) {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), scope && eq(apiKeys.scope, scope)))
    .returning({ id: apiKeys.id });
  if (revoked.length === 0) throw keyNotFound(`You have no live key ${id}.`);
}

/**
 * Binds one of the caller's keys for hooks to a project, which is made on first use, or to none.
 *
 * @throws Problem (404) when the caller has no live key for hooks with this id
 */
export async function bindKey(tx: Tx, id: string, project: string | null) {
  const [bound] = await tx
    .update(apiKeys)
    .set({ projectId: await idOf(tx, project) })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), eq(apiKeys.scope, 'hooks')))
    .returning({ id: apiKeys.id });
  if (bound) return shownKeys.get(tx, bound.id);
  throw keyNotFound(`You have no live key ${id} for hooks. Only these are bound to a project.`);
}

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
