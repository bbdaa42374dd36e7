import { z } from '@hono/zod-openapi';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { decode } from 'hono/jwt';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Database, Tx } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import { type Caller, ownerOnly } from '../http/env.ts';
import { SCOPES, type Scope } from '../http/key-scope.ts';
import { time } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { kindOf } from '../kinds/kind.ts';
import { projectNamed, projectNameOf } from '../sessions/projects.ts';
import { AccountName } from './account-name.ts';
import { hashKey, newKey } from './keys.ts';
import { type KnownKeys, keyIn } from './known-keys.ts';
import { apiKeys } from './schema.ts';
import { mintPublicKey, mintToken } from './tokens.ts';

/** the only project whose hooks a key may send; null: any */
const project = z.string().trim().min(1).max(2000).nullable();
const keys = kindOf('key', apiKeys, ['keyHash', 'source'], {
  project: { as: z.string().nullable(), sql: projectNameOf(sql`t.project`) },
});
const Key = z.object(keys.shape).openapi('Key');
const NewKey = Key.extend({ key: z.string() }).openapi('NewKey');
const Me = z
  .object({
    userId: z.string(),
    name: z.string(),
    role: z.enum(['owner', 'member']),
    /** the key that the request was sent with, and what it is for; null: an access token of Supabase Auth */
    keyId: z.string().nullable(),
    scope: z.enum(SCOPES),
    project,
  })
  .openapi('Me');
const User = z
  .object({
    userId: z.string(),
    name: z.string(),
    role: z.enum(['owner', 'member']),
    createdAt: time,
    /** when the owner removed the member; null: the account is open */
    removedAt: time.nullable(),
    /** the user of Supabase Auth who signs in to the account; null: nobody does */
    authId: z.string().nullable(),
    keys: z.array(Key),
  })
  .openapi('User');
const Claimed = z.object({
  userId: z.string(),
  authId: z.string().nullable(),
  /** the member's account that the user had, which is closed now; its rows stay */
  closed: z.string().nullable(),
});
const NewMember = z.object({ userId: z.string(), name: z.string(), key: z.string() }).openapi('NewMember');

const Token = z
  .object({
    token: z.string(),
    expiresAt: time,
    /** what a Realtime client sends when it connects; it gives no right to any row */
    apiKey: z.string(),
    /** where Realtime is; null: at this server */
    url: z.string().nullable(),
  })
  .openapi('Token');

const id = z.object({ id: z.uuid() });
const owner = { 403: 'Owner only' };

const keyNotFound = (detail: string) => new Problem({ status: 404, title: 'Key not found', detail });
/** Returns the id of the project that a key is for, which is made on first use; null: any. */
const idOf = async (tx: Tx, project: string | null | undefined): Promise<string | null> =>
  project ? (await projectNamed(tx, project)).id : null;

type Services = {
  db: Database;
  keys: Pick<KnownKeys, 'forget'>;
  /** signs the access tokens */
  jwtSecret: string;
  config: Pick<Config, 'supabase'>;
};

export const accountRoutes = served((route, services: Services) => {
  const { db } = services;
  route(
    'POST /v1/token',
    'A short-lived access token for Realtime, for the account of the key',
    { answer: Token },
    async ({ caller, header }) => {
      const { jwtSecret, config } = services;
      const signedIn = caller.keyId === null ? keyIn(header('authorization')) : null;
      // live clients take the token that somebody signed in with as it is
      const minted =
        signedIn === null
          ? await mintToken(jwtSecret, caller)
          : { token: signedIn, expiresAt: new Date(Number(decode(signedIn).payload.exp) * 1_000) };
      const { url, anonKey, jwtSecret: shared } = config.supabase;
      // its Realtime verifies a token that Lore minted only if it knows the secret
      if (url && anonKey && (shared || signedIn !== null) && (await isOfSupabase(db)))
        return { ...minted, url, apiKey: anonKey };
      return { ...minted, url: null, apiKey: await mintPublicKey(jwtSecret) };
    },
  );
  route('GET /v1/me', 'The account of the key', { answer: Me }, async ({ caller }) => {
    const { userId, name, role, keyId, scope, project } = caller;
    return { userId, name, role, keyId, scope, project };
  });
  route(
    'PUT /v1/owner/sign-in',
    "Who signs in to the owner's account with Supabase Auth (owner only)",
    { body: z.strictObject({ authId: z.uuid().nullable() }), answer: Claimed, problems: owner },
    async ({ caller, body: { authId } }) => {
      ownerOnly(caller, 'says who signs in to the account');
      const [row] = await askSystem<{ userId: string; closed: string | null }>(db)`
        select owner_id as "userId", closed from lore.claim_owner(${authId}::uuid)`;
      if (!row) throw new Error('lore.claim_owner returned no row');
      return { ...row, authId };
    },
  );
  route(
    'GET /v1/keys',
    "The caller's keys, without their secrets; with a device's key those of devices",
    { answer: z.object({ keys: z.array(Key) }) },
    async ({ as, caller }) => {
      const only = onlyScope(caller) ?? null;
      const fits = sql`(${only}::text is null or t.scope = ${only})`;
      return { keys: await as((tx) => keys.read(tx, fits, sql`order by t.created_at desc`)) } as never;
    },
  );
  route(
    'POST /v1/keys',
    'Another key for the caller, for hooks, a device or a person; it is shown this once',
    {
      body: z
        .strictObject({
          name: AccountName,
          scope: z.enum(SCOPES).default('person'),
          project: project.optional(),
        })
        .refine(({ scope, project }) => !project || scope === 'hooks', {
          path: ['project'],
          message: 'is only for a key of scope hooks',
        }),
      answer: NewKey,
      created: true,
    },
    ({ as, body: { name, scope, project } }) =>
      as(async (tx) => {
        const key = newKey();
        const row = { name, scope, projectId: await idOf(tx, project), keyHash: hashKey(key) };
        const [made] = await tx
          .insert(apiKeys)
          .values({ ...row, source: 'person' })
          .returning({ id: apiKeys.id });
        return { ...(await keys.get(tx, made?.id ?? '')), key };
      }),
  );
  route(
    'PATCH /v1/keys/{id}',
    'Bind a key for hooks to a project, so that it cannot send those of another',
    {
      params: id,
      body: z.strictObject({ project }),
      answer: Key,
      problems: { 404: 'No such live key for hooks' },
    },
    async ({ as, params, body, caller }) => {
      const bound = await as(async (tx) => {
        const [found] = await tx
          .update(apiKeys)
          .set({ projectId: await idOf(tx, body.project) })
          .where(and(eq(apiKeys.id, params.id), isNull(apiKeys.revokedAt), eq(apiKeys.scope, 'hooks')))
          .returning({ id: apiKeys.id });
        if (found) return keys.get(tx, found.id);
        throw keyNotFound(`You have no live key ${params.id} for hooks. Only these are bound to a project.`);
      });
      services.keys.forget(caller.userId);
      return bound;
    },
  );
  route(
    'DELETE /v1/keys/{id}',
    "Revoke a key; with a device's key that of a device",
    {
      params: id,
      query: z.object({
        /** the member whose key it is, if it is not the caller's own (owner only) */
        user: z.uuid().optional(),
      }),
      problems: { 403: "Only the owner revokes another user's key", 404: 'No such live key' },
    },
    async ({ as, params, query: { user }, caller }) => {
      const of = user ?? caller.userId;
      if (of === caller.userId) {
        const only = onlyScope(caller);
        const isMine = and(eq(apiKeys.id, params.id), only && eq(apiKeys.scope, only));
        const revoked = await as((tx) =>
          tx
            .update(apiKeys)
            .set({ revokedAt: new Date() })
            .where(and(isMine, isNull(apiKeys.revokedAt)))
            .returning({ id: apiKeys.id }),
        );
        if (revoked.length === 0) throw keyNotFound(`You have no live key ${params.id}.`);
      } else if (caller.scope !== 'person')
        throw new Problem({
          status: 403,
          title: 'Not allowed',
          detail: 'A device revokes only the keys of its own user’s devices.',
        });
      else {
        ownerOnly(caller, "revokes members' keys");
        const [row] = await askSystem<{ done: boolean }>(db)`
          select lore.revoke_member_key(${of}, ${params.id}) as done`;
        if (!row?.done) throw keyNotFound(`There is no member ${of} with a live key ${params.id}.`);
      }
      services.keys.forget(of);
    },
  );
  route(
    'GET /v1/users',
    'All accounts with their device keys (owner only), the oldest first, removed members included',
    { answer: z.object({ users: z.array(User) }), problems: owner },
    async ({ caller }) => {
      ownerOnly(caller, 'lists its users');
      const users = await askSystem<z.infer<typeof User>>(db)`
        select user_id as "userId", name, role, to_json(created_at) as "createdAt",
          to_json(removed_at) as "removedAt", auth_id as "authId", keys
        from lore.list_users()`;
      return { users };
    },
  );
  route(
    'POST /v1/users',
    'Add a member (owner only): a tenant of their own, with a first key, which is shown this once',
    {
      body: z.strictObject({ name: AccountName }),
      answer: NewMember,
      created: true,
      problems: { ...owner, 409: 'There is, or was, a member with that name' },
    },
    async ({ caller, body: { name } }) => {
      ownerOnly(caller, 'adds members');
      const key = newKey();
      const [row] = await askSystem<{ id: string | null }>(db)`
        select lore.create_member(${name}, ${hashKey(key)}, ${'first device'}) as id`;
      if (!row) throw new Error('lore.create_member returned no row');
      if (row.id !== null) return { userId: row.id, name, key };
      throw new Problem({
        status: 409,
        title: 'Name is taken',
        detail: `There is, or was, a member named ${name} (lore users lists them). Choose another name.`,
        errors: [{ field: 'name', message: 'is taken' }],
      });
    },
  );
});

/** Whether the database has Supabase's Realtime. With another one, a project may still sign people in. */
async function isOfSupabase(db: Database): Promise<boolean> {
  const [row] = await askSystem<{ yes: boolean }>(db)`select to_regnamespace('realtime') is not null as yes`;
  return row?.yes ?? false;
}

/** A device manages devices. All other keys are for a person's terminal. */
const onlyScope = ({ scope }: Caller): Scope | undefined => (scope === 'device' ? 'device' : undefined);
