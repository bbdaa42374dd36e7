import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { sign } from 'hono/jwt';
import { describe, expect, test } from 'vitest';
import { query } from '../../src/db/open.ts';
import { startTestServer } from '../support/server.ts';
import { now, signingKey, supabaseAuth } from '../support/supabase-auth.ts';

// People who sign in with Supabase Auth: their access tokens at the API and at the live endpoint.

const auth = await supabaseAuth();
const LEGACY = 'the-older-shared-secret-of-a-supabase-project';
const env = { LORE_MODEL_DIR: '', SUPABASE_URL: auth.url, SUPABASE_ANON_KEY: auth.publishableKey };
const rsa = signingKey('RS256');
auth.keys.push(rsa);
const given = signingKey();
const [server, owners, withKeys, one, late] = await Promise.all([
  startTestServer(env),
  startTestServer({ ...env, SUPABASE_JWT_SECRET: LEGACY }),
  startTestServer({
    ...env,
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_JWKS: JSON.stringify({ keys: [given.publicJwk] }),
    SUPABASE_JWT_ISSUER: 'https://abc.supabase.co/auth/v1',
  }),
  // two whose signing keys are fetched when a test says so
  startTestServer(env),
  startTestServer(env),
]);
const someone = (email = `${randomUUID()}@example.org`) => ({ id: randomUUID(), email });
const me = (key: string, at = server) => at.request('GET', '/v1/me', { key });

describe('who signs in for the first time', () => {
  test('gets an account of their own, as a device, under their address', async () => {
    const ann = someone('ann@example.org');
    const token = await auth.token(ann);
    const [first, again] = await Promise.all([me(token), me(await auth.token(ann))]);
    const account = { name: 'ann@example.org', role: 'member', scope: 'device', keyId: null, project: null };
    expect(first).toMatchObject({ status: 200, body: { userId: ann.id, ...account } });
    expect(again.body).toEqual(first.body);
    const { users } = (await server.request('GET', '/v1/users')).body;
    expect(users.filter((user: { authId: string }) => user.authId === ann.id)).toMatchObject([
      { name: 'ann@example.org', keys: [] },
    ]);
  });

  test('does not come in anonymously', async () => {
    const nobody = someone();
    const answer = await me(await auth.token(nobody, { is_anonymous: true }));
    expect(answer).toMatchObject({
      status: 401,
      body: { detail: expect.stringContaining('Nobody signs in anonymously') },
    });
    expect(await server.rows(`select 1 from profiles where user_id = '${nobody.id}'`)).toEqual([]);
  });
});

describe('a token', () => {
  const user = someone();

  test('of either kind of key is good', async () => {
    for (const key of auth.keys) expect((await me(await auth.token(user, {}, key))).status).toBe(200);
  });

  test('that is not what it must be is refused', async () => {
    const [key] = auth.keys as [(typeof auth.keys)[number]];
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const good = await auth.token(user);
    const [header = '', payload = '', signature = ''] = good.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    /** signed with HMAC, whose secret is what everybody can read */
    const confused = (secret: string) => {
      const text = `${encoded({ alg: 'HS256', typ: 'JWT', kid: key.kid })}.${payload}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const wrong = {
      expired: await auth.token(user, { exp: now() - 1 }),
      'without an end': await auth.token(user, { exp: undefined }),
      'of another project': await auth.token(user, { iss: 'https://other.supabase.co/auth/v1' }),
      'for another audience': await auth.token(user, { aud: 'other' }),
      'for no audience': await auth.token(user, { aud: undefined }),
      'of the service': await auth.token(user, { role: 'service_role' }),
      'of nobody': await auth.token(user, { role: 'anon' }),
      'of no user': await auth.token(user, { sub: 'admin' }),
      'not yet valid': await auth.token(user, { nbf: now() + 600 }),
      'signed with another key of the same name': await auth.token(user, {}, signingKey('ES256', key.kid)),
      'signed with the public key': confused(key.publicPem),
      'signed with the public key as JSON': confused(JSON.stringify(key.publicJwk)),
      'without a signature': `${encoded({ alg: 'none', typ: 'JWT', kid: key.kid })}.${payload}.`,
      'with another algorithm': `${encoded({ alg: 'RS256', typ: 'JWT', kid: key.kid })}.${payload}.${signature}`,
      'with other claims': `${header}.${encoded({ ...claims, sub: randomUUID() })}.${signature}`,
      'with an empty secret': confused(''),
      'signed with the shared secret of a project that has none': await sign(claims, LEGACY),
    };
    expect((await me(good)).status).toBe(200);
    for (const [what, token] of Object.entries(wrong)) {
      const { status, body } = await me(token);
      expect({ what, status, code: body.code }).toEqual({ what, status: 401, code: 'not-authenticated' });
    }
    expect((await me(wrong.expired)).body.detail).toContain('has expired');
  });

  test('of the older shared secret is good where the project has one, and of no other', async () => {
    const at = owners;
    const about = { iss: `${auth.url}/auth/v1`, aud: 'authenticated', role: 'authenticated' };
    const claims = { ...about, sub: user.id, exp: now() + 60 };
    expect((await me(await sign(claims, LEGACY), at)).status).toBe(200);
    expect((await me(await auth.token(user), at)).status).toBe(200);
    for (const refused of [
      await sign(claims, `${LEGACY}r`),
      await sign(claims, auth.keys[0]?.publicPem ?? ''),
      await sign({ ...claims, iss: 'https://other.supabase.co/auth/v1' }, LEGACY),
      // what Lore's own server mints for live clients has no issuer
      await sign({ ...claims, iss: undefined, key: randomUUID() }, LEGACY),
      (await at.request('POST', '/v1/token')).body.token,
    ]) {
      expect((await me(refused, at)).status).toBe(401);
    }
  });

  test('of keys that were given is verified without asking, under the name that was given', async () => {
    const called = { iss: 'https://abc.supabase.co/auth/v1' };
    expect((await me(await auth.token(user, called, given), withKeys)).status).toBe(200);
    expect((await me(await auth.token(user, {}, given), withKeys)).status).toBe(401);
    expect((await me(await auth.token(user, called), withKeys)).status).toBe(401);
  });
});

describe('signing keys', () => {
  const user = someone();

  test('are fetched once, again for a new one, and not again for each that nobody has', async () => {
    const at = one;
    const before = auth.fetched();
    const first = await auth.token(user);
    const answers = await Promise.all([1, 2, 3].map(() => me(first, at)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(auth.fetched()).toBe(before + 1);
    // Lore's own keys cost no question
    await me(at.key, at);
    expect(auth.fetched()).toBe(before + 1);

    auth.keys.unshift(signingKey());
    const second = await auth.token(user);
    expect((await me(second, at)).status).toBe(200);
    expect(auth.fetched()).toBe(before + 2);

    const unknown = await Promise.all(
      Array.from({ length: 30 }, async () => me(await auth.token(user, {}, signingKey()), at)),
    );
    expect(new Set(unknown.map(({ status }) => status))).toEqual(new Set([401]));
    expect(auth.fetched()).toBe(before + 2);
    expect((await me(second, at)).status).toBe(200);
  });

  test('that cannot be fetched are no reason to sign anybody out', async () => {
    auth.setAway(true);
    const at = late;
    const token = await auth.token(user);
    expect(await me(token, at)).toMatchObject({ status: 503, body: { code: 'token-cannot-be-verified' } });
    expect((await me(at.key, at)).status).toBe(200);
    auth.setAway(false);
    await expect.poll(async () => (await me(token, at)).status).toBe(200);
    auth.setAway(true);
    expect((await me(token, at)).status).toBe(200);
    auth.setAway(false);
    // a key that the project has taken out is not among them
    expect((await me(await auth.token(user, {}, signingKey()), at)).status).toBe(401);
  });
});

describe('what a token may do', () => {
  test('is what a device may do', async () => {
    const user = someone();
    const key = await auth.token(user);
    const person: [string, string, object?][] = [
      ['POST', '/v1/keys', { name: 'a terminal' }],
      ['POST', '/v1/learnings', { lesson: 'x', context: 'y' }],
      ['GET', '/v1/users'],
      ['PUT', '/v1/owner/sign-in', { authId: user.id }],
      ['POST', '/v1/hooks', { session_id: 's', hook_event_name: 'Stop', cwd: '/' }],
      ['POST', '/mcp', {}],
    ];
    for (const [method, path, body] of person) {
      const answer = await server.request(method, path, { key, ...(body && { body }) });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect((await server.request('GET', '/v1/plans', { key })).status).toBe(200);
    expect(await server.request('POST', '/v1/pairings', { key })).toMatchObject({
      status: 403,
      body: { code: 'sign-in-on-the-device' },
    });
  });
});

describe('the owner', async () => {
  const at = owners;
  const owner = (await at.request('GET', '/v1/me')).body.userId;
  const claim = (authId: string | null, key = at.key) =>
    at.request('PUT', '/v1/owner/sign-in', { key, body: { authId } });

  test('signs in to the account of this installation', async () => {
    const user = someone('owner@example.org');
    const token = await auth.token(user);
    await at.request('POST', '/v1/plans', {
      body: { project: '/home/dev/app', goal: 'what the owner plans', steps: [{ description: 'think' }] },
    });
    // who signed in before was a member, whose account is closed
    expect((await me(token, at)).body.role).toBe('member');
    expect(await claim(user.id)).toMatchObject({
      status: 200,
      body: { userId: owner, authId: user.id, closed: 'owner@example.org' },
    });
    expect((await me(token, at)).body).toMatchObject({ userId: owner, role: 'owner', scope: 'device' });
    expect((await at.request('GET', '/v1/plans', { key: token })).body.plans).toMatchObject([
      { goal: 'what the owner plans' },
    ]);

    expect(await at.request('POST', '/v1/keys', { key: token, body: { name: 'a terminal' } })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('in a terminal of their own') },
    });
  });

  test('is another user when another is named, and nobody when none is', async () => {
    const [one, two] = [someone(), someone()];
    const [first, second] = [await auth.token(one), await auth.token(two)];
    await claim(one.id);
    await claim(two.id);
    expect((await me(second, at)).body).toMatchObject({ userId: owner, role: 'owner' });
    expect((await me(first, at)).body).toMatchObject({ userId: one.id, role: 'member' });
    await claim(null);
    expect((await me(second, at)).body).toMatchObject({ userId: two.id, role: 'member' });
    const { key } = await at.member();
    expect((await claim(two.id, key)).status).toBe(403);
  });
});

test('the Realtime of Supabase shows who signed in their own published rows, and nothing else', async () => {
  const at = owners;
  const [owner, member] = [someone(), someone()];
  await at.rows('delete from plans');
  await at.request('PUT', '/v1/owner/sign-in', { body: { authId: owner.id } });
  for (const [user, goal] of [
    [owner, 'of the owner'],
    [member, 'of the member'],
  ] as const) {
    await at.request('POST', '/v1/plans', {
      key: await auth.token(user),
      body: { project: '/home/dev/app', goal, steps: [{ description: 'think' }] },
    });
  }
  const account = (await me(at.key, at)).body.userId;
  /** Asks as Realtime and the Data API do: with the role and the claims of a token. */
  const asked = (sub: string, statement: string) =>
    at.db.drizzle.transaction(async (tx) => {
      const claims = JSON.stringify({ sub, role: 'authenticated' });
      await query(
        tx as never,
        sql`select set_config('role', 'authenticated', true),
        set_config('request.jwt.claims', ${claims}, true)`,
      );
      return query<{ goal: string }>(tx as never, sql.raw(statement));
    });
  const goals = async (sub: string) => (await asked(sub, 'select goal from plans')).map(({ goal }) => goal);
  expect(await goals(owner.id)).toEqual(['of the owner']);
  // a token that Lore's server minted names the account itself
  expect(await goals(account)).toEqual(['of the owner']);
  expect(await goals(member.id)).toEqual(['of the member']);
  expect(await goals(randomUUID())).toEqual([]);
  for (const statement of [
    'select * from profiles',
    `update profiles set auth_id = '${member.id}'`,
    `select * from lore.ensure_profile('${member.id}', 'x')`,
    `select * from lore.claim_owner('${member.id}')`,
  ]) {
    await expect(asked(member.id, statement)).rejects.toMatchObject({ cause: { code: '42501' } });
  }
  await at.request('DELETE', `/v1/users/${member.id}`);
  expect(await goals(member.id)).toEqual([]);
});
