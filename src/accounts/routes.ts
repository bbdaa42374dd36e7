import { createRoute, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { decode } from 'hono/jwt';
import type { Config } from '../config.ts';
import type { Database } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import { Problem } from '../errors/problem.ts';
import type { Caller } from '../http/env.ts';
import { SCOPES, type Scope } from '../http/key-scope.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem, time, wire } from '../http/schemas.ts';
import { mintPublicKey, mintToken } from './access-tokens.ts';
import { AccountName } from './account-name.ts';
import { claimOwner, createMember, listUsers, revokeMemberKey } from './accounts.ts';
import { bindKey, createKey, listKeys, revokeKey } from './keys.ts';
import { type KnownKeys, keyIn } from './known-keys.ts';

/** the only project whose hooks a key may send; null: any */
const project = z.string().trim().min(1).max(2000).nullable();
const Key = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(SCOPES),
    project,
    createdAt: time,
    lastUsedAt: time.nullable(),
    revokedAt: time.nullable(),
  })
  .openapi('Key');
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
    removedAt: time.nullable(),
    /** the user of Supabase Auth who signs in to the account; null: nobody does */
    authId: z.string().nullable(),
    keys: z.array(Key),
  })
  .openapi('User');
const Claimed = z
  .object({
    userId: z.string(),
    authId: z.string().nullable(),
    /** the member's account that the user had, which is closed now */
    closed: z.string().nullable(),
  })
  .openapi('Claimed');
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

const routes = {
  me: createRoute({
    method: 'get',
    path: '/v1/me',
    summary: 'The account of the key',
    responses: { 200: json(Me, 'The account'), ...commonProblems },
  }),
  token: createRoute({
    method: 'post',
    path: '/v1/token',
    summary: 'A short-lived access token for Realtime',
    responses: { 200: json(Token, 'The token, for the account of the key'), ...commonProblems },
  }),
  claim: createRoute({
    method: 'put',
    path: '/v1/owner/sign-in',
    summary: "Who signs in to the owner's account with Supabase Auth (owner only)",
    request: body(z.strictObject({ authId: z.uuid().nullable() })),
    responses: {
      200: json(Claimed, 'The account of the owner'),
      403: problem('Owner only'),
      ...commonProblems,
    },
  }),
  list: createRoute({
    method: 'get',
    path: '/v1/keys',
    summary: "The caller's keys; with a device's key those of devices",
    responses: {
      200: json(z.object({ keys: z.array(Key) }), 'The keys, without their secrets'),
      ...commonProblems,
    },
  }),
  create: createRoute({
    method: 'post',
    path: '/v1/keys',
    summary: 'Another key for the caller, for hooks, a device or a person',
    request: body(
      z
        .strictObject({
          name: AccountName,
          scope: z.enum(SCOPES).default('person'),
          project: project.optional(),
        })
        .refine(({ scope, project }) => !project || scope === 'hooks', {
          path: ['project'],
          message: 'is only for a key of scope hooks',
        }),
    ),
    responses: { 201: json(NewKey, 'The key, shown this once'), ...commonProblems },
  }),
  bind: createRoute({
    method: 'patch',
    path: '/v1/keys/{id}',
    summary: 'Bind a key for hooks to a project, so that it cannot send those of another',
    request: { params: z.object({ id: z.uuid() }), ...body(z.strictObject({ project })) },
    responses: {
      200: json(Key, 'The key'),
      404: problem('No such live key for hooks'),
      ...commonProblems,
    },
  }),
  revoke: createRoute({
    method: 'delete',
    path: '/v1/keys/{id}',
    summary: "Revoke a key; with a device's key that of a device",
    request: {
      params: z.object({ id: z.uuid() }),
      query: z.object({
        /** the member whose key it is, if it is not the caller's own (owner only) */
        user: z.uuid().optional(),
      }),
    },
    responses: {
      204: { description: 'Revoked' },
      403: problem("Only the owner revokes another user's key"),
      404: problem('No such live key'),
      ...commonProblems,
    },
  }),
  users: createRoute({
    method: 'get',
    path: '/v1/users',
    summary: 'All accounts with their device keys (owner only), removed members included',
    responses: {
      200: json(z.object({ users: z.array(User) }), 'The accounts, the oldest first; no key is shown'),
      403: problem('Owner only'),
      ...commonProblems,
    },
  }),
  member: createRoute({
    method: 'post',
    path: '/v1/users',
    summary: 'Add a member (owner only): a tenant of their own, with a first key',
    request: body(z.strictObject({ name: AccountName })),
    responses: {
      201: json(NewMember, 'The member and their key, shown this once'),
      403: problem('Owner only'),
      409: problem('There is, or was, a member with that name'),
      ...commonProblems,
    },
  }),
};

export function accountRoutes(services: {
  db: Database;
  keys: Pick<KnownKeys, 'forget'>;
  /** signs the access tokens */
  jwtSecret: string;
  config: Pick<Config, 'supabase'>;
}): Router {
  const app = router();
  app.openapi(routes.me, (c) => {
    const { userId, name, role, keyId, scope, project } = c.get('caller');
    return c.json({ userId, name, role, keyId, scope, project }, 200);
  });
  app.openapi(routes.token, async (c) => {
    const { jwtSecret, config, db } = services;
    const caller = c.get('caller');
    const signedIn = caller.keyId === null ? keyIn(c.req.header('authorization')) : null;
    const { token, expiresAt } = signedIn === null ? await mintToken(jwtSecret, caller) : ownToken(signedIn);
    const { url, anonKey, jwtSecret: shared } = config.supabase;
    // its Realtime verifies a token that Lore minted only if it knows the secret
    const theirs = url && anonKey && (shared || signedIn !== null) && (await isOfSupabase(db));
    const at = theirs ? { url, apiKey: anonKey } : { url: null, apiKey: await mintPublicKey(jwtSecret) };
    return c.json({ token, expiresAt: expiresAt.toISOString(), ...at }, 200);
  });
  app.openapi(routes.claim, async (c) => {
    const { authId } = c.req.valid('json');
    const claimed = await claimOwner(services.db, c.get('caller'), authId);
    return c.json({ ...claimed, authId }, 200);
  });
  app.openapi(routes.list, async (c) => {
    const keys = await asCaller(services, c, (tx) => listKeys(tx, onlyScope(c.get('caller'))));
    return c.json({ keys: wire(keys) }, 200);
  });
  app.openapi(routes.create, async (c) => {
    const wanted = c.req.valid('json');
    return c.json(
      wire(await asCaller(services, c, (tx) => createKey(tx, wanted))) as z.infer<typeof NewKey>,
      201,
    );
  });
  app.openapi(routes.bind, async (c) => {
    const { id } = c.req.valid('param');
    const { project } = c.req.valid('json');
    const bound = await asCaller(services, c, (tx) => bindKey(tx, id, project));
    services.keys.forget(c.get('caller').userId);
    return c.json(wire(bound) as z.infer<typeof Key>, 200);
  });
  app.openapi(routes.revoke, async (c) => {
    const { id } = c.req.valid('param');
    const caller = c.get('caller');
    const { user = caller.userId } = c.req.valid('query');
    if (user === caller.userId) await asCaller(services, c, (tx) => revokeKey(tx, id, onlyScope(caller)));
    else if (caller.scope !== 'person') throw onlyOwnDevices();
    else await revokeMemberKey(services.db, caller, user, id);
    services.keys.forget(user);
    return c.body(null, 204);
  });
  app.openapi(routes.users, async (c) => {
    return c.json({ users: await listUsers(services.db, c.get('caller')) }, 200);
  });
  app.openapi(routes.member, async (c) => {
    const { name } = c.req.valid('json');
    return c.json(await createMember(services.db, c.get('caller'), name), 201);
  });
  return app;
}

/** Live clients take the token that somebody signed in with as it is. */
function ownToken(token: string): { token: string; expiresAt: Date } {
  return { token, expiresAt: new Date(Number(decode(token).payload.exp) * 1_000) };
}

/** Whether the database has Supabase's Realtime. With another one, a project may still sign people in. */
async function isOfSupabase(db: Database): Promise<boolean> {
  const [row] = await askSystem<{ yes: boolean }>(
    db,
    sql`select to_regnamespace('realtime') is not null as yes`,
  );
  return row?.yes ?? false;
}

/** A device manages devices. All other keys are for a person's terminal. */
const onlyScope = ({ scope }: Caller): Scope | undefined => (scope === 'device' ? 'device' : undefined);

const onlyOwnDevices = () =>
  new Problem({
    status: 403,
    title: 'Not allowed',
    detail: 'A device revokes only the keys of its own user’s devices.',
  });
