import { decode, sign, verify, verifyWithJwks } from 'hono/jwt';
import { z } from 'zod';

// Access tokens as Supabase has them: JSON Web Tokens with `sub`, `role` and `exp`. Lore's own server mints them for its
// devices; Supabase Auth mints them for signed-in users. No import here needs Node, because an Edge Function verifies
// tokens too.

const Keys = z.array(z.looseObject({ kid: z.string(), kty: z.string() }));
/** `{"keys": […]}` or the list of keys alone: Supabase passes either to a function. */
const Jwks = z.union([Keys, z.object({ keys: Keys }).transform(({ keys }) => keys)]);

/** A signed-in user's token, or the public (`anon`) key, which is a token too, but belongs to no user. */
const Payload = z.union([
  z.object({ sub: z.uuid(), role: z.literal('authenticated'), exp: z.number(), key: z.uuid().optional() }),
  z.object({ role: z.literal('anon'), exp: z.number() }),
]);

/** The user for whom a token is valid. */
type Bearer = {
  /** null for a public key, which belongs to no user */
  userId: string | null;
  role: 'authenticated' | 'anon';
  /** when it ends, in seconds since 1970 */
  exp: number;
  /** the key that Lore's server minted it for; null: another one minted it */
  keyId: string | null;
};

/** Why a token is not valid. `claims`: its signature is good, but it lacks a claim that it must have. */
type Refused = { refused: 'malformed' | 'signature' | 'expired' | 'claims' };

export type VerifyToken = (token: string) => Promise<Bearer | Refused>;

/**
 * Returns a function that verifies tokens. They are signed with a shared secret, or with one of a project's keys.
 *
 * @param trusted.jwks JSON: a list of keys, or an object with it
 * @throws Error when there is neither or the keys are malformed, because then no token could be verified
 */
export function createVerifier(trusted: {
  secret?: string | undefined;
  jwks?: string | undefined;
}): VerifyToken {
  const { secret } = trusted;
  const keys = trusted.jwks ? Jwks.parse(JSON.parse(trusted.jwks)) : [];
  if (!secret && keys.length === 0) throw new Error('Set SUPABASE_JWKS or SUPABASE_JWT_SECRET.');

  const verified = async (token: string) =>
    decode(token).header.alg === 'HS256' && secret
      ? verify(token, secret, 'HS256')
      : verifyWithJwks(token, { keys, allowedAlgorithms: ['ES256', 'RS256', 'EdDSA'] });

  return async (token) => {
    try {
      const { success, data } = Payload.safeParse(await verified(token));
      if (!success) return { refused: 'claims' };
      const { role, exp } = data;
      return role === 'anon'
        ? { userId: null, role, exp, keyId: null }
        : { userId: data.sub, role, exp, keyId: data.key ?? null };
    } catch (error) {
      const name = (error as Error).name;
      if (name === 'JwtTokenExpired') return { refused: 'expired' };
      return { refused: name === 'JwtTokenSignatureMismatched' ? 'signature' : 'malformed' };
    }
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
  caller: { userId: string; keyId: string },
): Promise<{ token: string; expiresAt: Date }> {
  const exp = seconds() + TOKEN_SECONDS;
  const claims = { sub: caller.userId, role: 'authenticated', aud: 'authenticated', key: caller.keyId, exp };
  return { token: await sign(claims, secret, 'HS256'), expiresAt: new Date(exp * 1_000) };
}

/** Returns a public key: what a client sends when it connects, before it says who it is. */
export const mintPublicKey = (secret: string): Promise<string> =>
  sign({ role: 'anon', exp: seconds() + PUBLIC_SECONDS }, secret, 'HS256');

const seconds = () => Math.floor(Date.now() / 1_000);
