import { decode, verify, verifyWithJwks } from 'hono/jwt';
import { z } from 'zod';
import type { Caller } from '../../src/http/env.ts';
import { Problem } from '../../src/problem.ts';

const Keys = z.array(z.looseObject({ kid: z.string(), kty: z.string() }));
/** `{"keys": […]}` or the list of keys alone: Supabase passes either to a function. */
const Jwks = z.union([Keys, z.object({ keys: Keys }).transform(({ keys }) => keys)]);

/** The token of a signed-in user. The project's public (`anon`) key is a token too, but belongs to no user. */
const Payload = z.object({ sub: z.uuid(), role: z.literal('authenticated'), exp: z.number() });

/**
 * Returns a function that finds the caller from an access token of Supabase Auth. The token is signed with one of the
 * project's keys (SUPABASE_JWKS) or with its older shared secret (SUPABASE_JWT_SECRET, or JWT_SECRET in a hosted
 * function, where names with the prefix SUPABASE_ are reserved).
 *
 * @throws Error when neither is set or one is malformed, because then no caller could be identified
 */
export function createCallerOf(env: Record<string, string | undefined>) {
  const secret = env.SUPABASE_JWT_SECRET || env.JWT_SECRET;
  const keys = env.SUPABASE_JWKS ? Jwks.parse(JSON.parse(env.SUPABASE_JWKS)) : [];
  if (!secret && keys.length === 0) throw new Error('Set SUPABASE_JWKS or SUPABASE_JWT_SECRET.');

  const verified = async (token: string) =>
    decode(token).header.alg === 'HS256' && secret
      ? verify(token, secret, 'HS256')
      : verifyWithJwks(token, { keys, allowedAlgorithms: ['ES256', 'RS256', 'EdDSA'] });

  /**
   * @param authorization the header of the request
   * @throws Problem (401) without a valid token
   */
  return async (authorization: string | undefined): Promise<Caller> => {
    const token = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
    const refuse = (why: string) =>
      new Problem({
        status: 401,
        title: 'Not authenticated',
        detail: `${why}. Send “Authorization: Bearer <access token>” of a signed-in user.`,
      });
    if (token === undefined) throw refuse('No token');
    // the reason why a token is not valid is withheld, because it would help a forger
    const payload = await verified(token).then(Payload.safeParse, () => null);
    if (!payload?.success) throw refuse('The token is not valid');
    return {
      userId: payload.data.sub,
      role: 'member',
      keyId: 'token',
      name: 'Supabase user',
      scope: 'person',
    };
  };
}
