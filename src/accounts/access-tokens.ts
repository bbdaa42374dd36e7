import { decode, sign, verify, verifyWithJwks } from 'hono/jwt';
import { z } from 'zod';
import { type FindKeys, fixedKeys, KeysUnavailable } from './signing-keys.ts';

// Access tokens as Supabase has them: JSON Web Tokens with `sub`, `role` and `exp`. Lore's own server mints them for its
// devices; Supabase Auth mints them for signed-in users. No import here needs Node, because an Edge Function verifies
// tokens too.

/** How somebody has signed in, each way with its time in seconds since 1970. */
const Ways = z.array(z.object({ method: z.string(), timestamp: z.number() }));

/** A signed-in user's token, or the public (`anon`) key, which is a token too, but belongs to no user. */
const Payload = z.union([
  z.object({
    sub: z.uuid(),
    role: z.literal('authenticated'),
    exp: z.number(),
    key: z.uuid().optional(),
    email: z.string().optional().catch(undefined),
    is_anonymous: z.boolean().optional(),
    aal: z.string().optional().catch(undefined),
    amr: Ways.catch([]).default([]),
  }),
  z.object({ role: z.literal('anon'), exp: z.number() }),
]);

/** The user for whom a token is valid. */
export type Bearer = {
  /** null for a public key, which belongs to no user */
  userId: string | null;
  role: 'authenticated' | 'anon';
  /** when it ends, in seconds since 1970 */
  exp: number;
  /** the key that Lore's server minted it for; null: another one minted it */
  keyId: string | null;
  email: string | null;
  /** when the user last proved a second factor, in seconds since 1970; null: not in this session */
  factorAt: number | null;
};

/**
 * Why a token is not valid. `claims`: its signature is good, but it lacks a claim that it must have. `foreign`: another
 * project issued it, or for another audience. `anonymous`: Supabase Auth does not know who it is.
 */
export type Refused = {
  refused: 'malformed' | 'signature' | 'expired' | 'claims' | 'foreign' | 'anonymous';
};

export type VerifyToken = (token: string) => Promise<Bearer | Refused>;

const WHY: Record<string, Refused['refused']> = {
  JwtTokenExpired: 'expired',
  JwtTokenSignatureMismatched: 'signature',
  JwtTokenIssuer: 'foreign',
  JwtTokenAudience: 'foreign',
  JwtPayloadRequiresAud: 'foreign',
};

/** What Supabase Auth calls second factors in `amr`. */
const SECOND_FACTORS = ['totp', 'mfa/phone', 'mfa/webauthn'];

/**
 * Returns a function that verifies tokens. They are signed with a shared secret, or with one of a project's keys.
 *
 * @param trusted.jwks the project's keys as JSON, or a function that finds them
 * @param trusted.issuer who must have issued a token, which then must be for signed-in users; undefined: anybody who has
 *   the secret or a key
 * @throws Error when there is neither or the keys are malformed, because then no token could be verified
 */
export function createVerifier(trusted: {
  secret?: string | undefined;
  jwks?: string | FindKeys | undefined;
  issuer?: string | undefined;
}): VerifyToken {
  const { secret, jwks, issuer } = trusted;
  const findKeys = typeof jwks === 'string' && jwks !== '' ? fixedKeys(jwks) : jwks || null;
  if (!secret && findKeys === null) throw new Error('Set SUPABASE_JWKS or SUPABASE_JWT_SECRET.');
  // `iat` says nothing about whether it is valid, and clocks of two machines differ
  const wanted = { iat: false, ...(issuer !== undefined && { iss: issuer, aud: 'authenticated' }) };

  /** The key decides which algorithm may be used, never the token: a public key is no shared secret. */
  async function verified(token: string): Promise<unknown> {
    const { alg, kid } = decode(token).header as { alg: string; kid?: unknown };
    if (alg === 'HS256' && secret) return verify(token, secret, { alg: 'HS256', ...wanted });
    const keys = (await findKeys?.(kid)) ?? [];
    return verifyWithJwks(token, {
      keys,
      allowedAlgorithms: ['ES256', 'RS256', 'EdDSA'],
      verification: wanted,
    });
  }

  /** @throws KeysUnavailable when nobody knows the key of the token, and the project's keys cannot be fetched */
  return async (token) => {
    try {
      const { success, data } = Payload.safeParse(await verified(token));
      if (!success) return { refused: 'claims' };
      return bearerOf(data);
    } catch (error) {
      if (error instanceof KeysUnavailable) throw error;
      return { refused: WHY[(error as Error).name] ?? 'malformed' };
    }
  };
}

function bearerOf(data: z.infer<typeof Payload>): Bearer | Refused {
  const { role, exp } = data;
  if (role === 'anon') {
    return { userId: null, role, exp, keyId: null, email: null, factorAt: null };
  }
  if (data.is_anonymous) return { refused: 'anonymous' };
  const factors = data.amr.filter(({ method }) => SECOND_FACTORS.includes(method));
  const times = data.aal === 'aal2' ? factors.map(({ timestamp }) => timestamp) : [];
  return {
    userId: data.sub,
    role,
    exp,
    keyId: data.key ?? null,
    email: data.email || null,
    factorAt: times.length > 0 ? Math.max(...times) : null,
  };
}

/**
 * A token's life in seconds. It is long, so that tokens are fetched rarely; and short, because they cannot be
 * revoked everywhere.
 */
const TOKEN_SECONDS = 15 * 60;
/**
 * A public key gives no right to any row, but a place among the connections of nobody. A page that stays open for longer
 * gets another one (`src/dashboard/data/live.ts`).
 */
const PUBLIC_SECONDS = 86_400;

/** Returns a token for the user of a key, and when it ends. */
export async function mintToken(
  secret: string,
  caller: { userId: string; keyId: string | null },
): Promise<{ token: string; expiresAt: Date }> {
  const exp = seconds() + TOKEN_SECONDS;
  const claims = {
    sub: caller.userId,
    role: 'authenticated',
    aud: 'authenticated',
    key: caller.keyId ?? undefined,
    exp,
  };
  return { token: await sign(claims, secret, 'HS256'), expiresAt: new Date(exp * 1_000) };
}

/** Returns a public key: what a client sends when it connects, before it says who it is. */
export const mintPublicKey = (secret: string): Promise<string> =>
  sign({ role: 'anon', exp: seconds() + PUBLIC_SECONDS }, secret, 'HS256');

export const seconds = (): number => Math.floor(Date.now() / 1_000);
