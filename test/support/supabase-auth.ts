import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { sign } from 'hono/jwt';
import { afterAll } from 'vitest';
import { listen } from './loopback.ts';

// A stand-in for a Supabase project's gateway and Auth, on loopback: signing keys, and as much of Auth's protocol as
// supabase-js speaks when somebody signs in by password or by a link.

type Algorithm = 'ES256' | 'RS256';
type SigningKey = { kid: string; alg: Algorithm; privateJwk: object; publicJwk: object; publicPem: string };

/** Makes a key that signs tokens. */
export function signingKey(alg: Algorithm = 'ES256', kid: string = randomUUID()): SigningKey {
  const { publicKey, privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    kid,
    alg,
    privateJwk: { ...privateKey.export({ format: 'jwk' }), kid, alg },
    publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig', key_ops: ['verify'] },
    publicPem: publicKey.export({ format: 'pem', type: 'spki' }) as string,
  };
}

/** Of a token, in seconds. */
const LIFETIME = 3600;

type AuthUser = { id: string; email: string; password: string };

export const now = (): number => Math.floor(Date.now() / 1000);

/** Starts it. It ends with the file. */
export async function supabaseAuth() {
  const publishableKey = 'sb_publishable_AbCdEfGhIjKlMnOpQrStUv_12345678';
  const keys = [signingKey()];
  const users: AuthUser[] = [];
  const links: string[] = [];
  const refused: string[] = [];
  const asked: string[] = [];
  const codes = new Map<string, { user: AuthUser; challenge: string }>();
  let fetched = 0;
  let away = false;

  /** An access token as Auth issues it; `changed` replaces claims (undefined: leaves them out). */
  async function token(
    user: { id: string; email?: string },
    changed: object = {},
    key = keys[0] as SigningKey,
  ): Promise<string> {
    const claims = {
      iss: `${url}/auth/v1`,
      sub: user.id,
      aud: 'authenticated',
      exp: now() + LIFETIME,
      iat: now(),
      email: user.email ?? '',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: now() }],
      session_id: randomUUID(),
      is_anonymous: false,
      ...changed,
    };
    return sign(claims, key.privateJwk as Parameters<typeof sign>[1]);
  }

  async function sessionOf(user: AuthUser) {
    const { id, email } = user;
    return {
      access_token: await token(user),
      token_type: 'bearer',
      expires_in: LIFETIME,
      expires_at: now() + LIFETIME,
      refresh_token: randomUUID(),
      user: { id, aud: 'authenticated', role: 'authenticated', email, app_metadata: {}, user_metadata: {} },
    };
  }

  const { url, server, close } = await listen((request, response) => {
    answer(request, response).catch((error) => send(response, 500, { msg: String(error) }));
  });
  afterAll(close);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = new URL(request.url ?? '', url);
    const path = at.pathname.replace('/auth/v1', '');
    asked.push(`${request.method} ${at.pathname}${at.search}`);
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS') {
      response.setHeader(
        'access-control-allow-headers',
        request.headers['access-control-request-headers'] ?? '',
      );
      response.setHeader('access-control-allow-methods', 'GET, POST, PUT');
      response.writeHead(204).end();
      return;
    }
    if (path === '/.well-known/jwks.json') {
      fetched += 1;
      return away ? send(response, 503, {}) : send(response, 200, { keys: keys.map((key) => key.publicJwk) });
    }
    // a link in a mail carries no key
    if (path === '/verify') {
      const link = codes.get(at.searchParams.get('token') ?? '');
      const to = new URL(at.searchParams.get('redirect_to') ?? '');
      if (link) to.searchParams.set('code', at.searchParams.get('token') as string);
      else to.searchParams.set('error_description', 'Email link is invalid or has expired');
      response.writeHead(303, { location: to.href }).end();
      return;
    }
    const { apikey, authorization } = request.headers;
    const bearer = authorization?.replace(/^Bearer /, '');
    if (apikey !== publishableKey || (bearer?.startsWith('sb_') && bearer !== apikey)) {
      refused.push(`${path}: apikey ${apikey}, authorization ${authorization}`);
      return send(response, 401, { message: 'Invalid API key' });
    }
    const sent = await text(request);
    const body = sent === '' ? {} : JSON.parse(sent);
    if (path === '/token') return grant(at.searchParams.get('grant_type'), body, response);
    if (path === '/otp') {
      const user = users.find(({ email }) => email === body.email);
      // Auth does not tell who has an account
      if (user) {
        const code = randomUUID();
        codes.set(code, { user, challenge: body.code_challenge ?? '' });
        links.push(
          `${url}/auth/v1/verify?token=${code}&type=magiclink&redirect_to=${encodeURIComponent(at.searchParams.get('redirect_to') ?? '')}`,
        );
      }
      return send(response, 200, {});
    }
    if (path === '/logout') {
      response.writeHead(204).end();
      return;
    }
    send(response, 404, { msg: `there is no ${path}` });
  }

  async function grant(
    type: string | null,
    body: Record<string, string>,
    response: ServerResponse,
  ): Promise<void> {
    const wrong = { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' };
    let user: AuthUser | undefined;
    if (type === 'password') {
      user = users.find(({ email, password }) => email === body.email && password === body.password);
    } else if (type === 'pkce') {
      const given = codes.get(body.auth_code ?? '');
      codes.delete(body.auth_code ?? '');
      const challenge = createHash('sha256')
        .update(body.code_verifier ?? '')
        .digest('base64url');
      if (given?.challenge === challenge) user = given.user;
    }
    if (!user) return send(response, 400, wrong);
    send(response, 200, await sessionOf(user));
  }

  return {
    url,
    publishableKey,
    /** the keys that it signs with, the present one first */
    keys,
    /** how often the keys were fetched */
    fetched: () => fetched,
    /** answers requests for the keys with an error while true */
    setAway: (value: boolean) => {
      away = value;
    },
    /** adds somebody who can sign in */
    addUser(email: string): AuthUser {
      const user = { id: randomUUID(), email, password: `the password of ${email}` };
      users.push(user);
      return user;
    },
    token,
    /** the links that were sent by mail so far */
    links,
    /** the requests that the gateway refused, and why */
    refused,
    /** the methods and paths of all requests */
    asked,
    /** what else the gateway leads to, such as Realtime */
    server,
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
