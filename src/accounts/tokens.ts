import { createHmac } from 'node:crypto';
import { decode, sign, verify, verifyWithJwks } from 'hono/jwt';
import { z } from 'zod';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { retryWhenCutOff } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import { AccountName } from './account-name.ts';
import type { Account } from './accounts.ts';
import { type FindKeys, fixedKeys, KeysUnavailable, keysAt } from './signing-keys.ts';

// Access tokens as Supabase has them: JSON Web Tokens with `sub`, `role` and `exp`. Lore's own server mints them for its
// live clients; Supabase Auth mints them for people who signed in, and there they stand where a key of Lore stands.

/** A signed-in user's token, or the public (`anon`) key, which is a token too, but belongs to no user. */
const Payload = z.union([
  z.object({
    sub: z.uuid(),
    role: z.literal('authenticated'),
    exp: z.number(),
    key: z.uuid().optional(),
    email: z.string().optional().catch(undefined),
    is_anonymous: z.boolean().optional(),
  }),
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
  email: string | null;
  /** the user of Supabase Auth who signed in; null: Lore's own server minted it */
  authId: string | null;
};

/**
 * Why a token is not valid. `claims`: its signature is good, but it lacks a claim that it must have. `foreign`: another
 * project issued it, or for another audience. `anonymous`: Supabase Auth does not know who it is.
 */
type Refused = { refused: 'malformed' | 'signature' | 'expired' | 'claims' | 'foreign' | 'anonymous' };

const WHY: Record<string, Refused['refused']> = {
  JwtTokenExpired: 'expired',
  JwtTokenSignatureMismatched: 'signature',
  JwtTokenIssuer: 'foreign',
  JwtTokenAudience: 'foreign',
  JwtPayloadRequiresAud: 'foreign',
};

/** A token's life: long, so that tokens are fetched rarely; short, because they cannot be revoked everywhere. */
const TOKEN_SECONDS = 15 * 60;
/** A public key gives no right to any row, but a place among the connections of nobody. */
const PUBLIC_SECONDS = 86_400;

export type Tokens = ReturnType<typeof createTokens>;

/**
 * @param services.jwtSecret signs the tokens of Lore's own
 * @param services.config who signs those of Supabase Auth; without SUPABASE_URL nobody signs in there
 * @throws Error when its keys are malformed
 */
export function createTokens(services: {
  db: Database;
  config: Pick<Config, 'supabase'>;
  jwtSecret: string;
}) {
  const { db, jwtSecret } = services;
  const { supabase } = services.config;
  const at = `${supabase.url}/auth/v1`;
  const theirs: Trusted | null =
    supabase.url === undefined
      ? null
      : {
          secret: supabase.jwtSecret,
          findKeys:
            supabase.jwks === undefined ? keysAt(`${at}/.well-known/jwks.json`) : fixedKeys(supabase.jwks),
          issuer: supabase.issuer ?? at,
        };

  return {
    /** Whether a request's key is an access token of Supabase Auth, by its form. */
    isToken: (key: string) => theirs !== null && /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(key),
    /**
     * Verifies a token of Supabase Auth or of Lore's own, without the database.
     *
     * @throws Problem (503) when the keys of the project cannot be fetched
     */
    async verify(token: string): Promise<Bearer | Refused> {
      // this one key is no token; the gateway of Supabase takes it for one too
      if (token === supabase.anonKey && isProjectKey(token)) return publicBearer(seconds() + PUBLIC_SECONDS);
      try {
        // Supabase Auth names itself in its tokens, and Lore does not
        const signedIn = theirs !== null && decode(token).payload.iss !== undefined;
        const { success, data } = Payload.safeParse(
          await payloadOf(token, signedIn ? theirs : { secret: jwtSecret }),
        );
        return success ? bearerOf(data, signedIn) : { refused: 'claims' };
      } catch (error) {
        if (!(error instanceof KeysUnavailable))
          return { refused: WHY[(error as Error).name] ?? 'malformed' };
        throw new Problem({
          status: 503,
          title: 'Token cannot be verified',
          detail: 'The signing keys of the Supabase project cannot be fetched. Try again later.',
          cause: error,
        });
      }
    },
    /** Returns the account of somebody who signed in. It is made when they come for the first time. null: it was closed. */
    async accountOf({ authId, email }: { authId: string; email: string | null }): Promise<Account | null> {
      const { data: name } = AccountName.safeParse(email);
      const [account] = await retryWhenCutOff(
        () =>
          askSystem<Pick<Account, 'userId' | 'role' | 'name'>>(db)`
          select user_id as "userId", role, name
          from lore.ensure_profile(${authId}, ${name ?? `user ${authId.slice(0, 8)}`})`,
      );
      return account ? { ...account, keyId: null, scope: 'device', projectId: null, project: null } : null;
    },
  };
}

/** Who may have signed a token: whoever has the secret or one of the keys. With an issuer it must be for its users. */
type Trusted = { secret?: string | undefined; findKeys?: FindKeys; issuer?: string };

/** Returns what a token says. The key decides which algorithm may be used, never the token: a public key is no secret. */
async function payloadOf(token: string, { secret, findKeys, issuer }: Trusted): Promise<unknown> {
  // `iat` says nothing about whether it is valid, and clocks of two machines differ
  const wanted = { iat: false, ...(issuer !== undefined && { iss: issuer, aud: 'authenticated' }) };
  const { alg, kid } = decode(token).header as { alg: string; kid?: unknown };
  if (alg === 'HS256' && secret) return verify(token, secret, { alg: 'HS256', ...wanted });
  const keys = (await findKeys?.(kid)) ?? [];
  return verifyWithJwks(token, {
    keys,
    allowedAlgorithms: ['ES256', 'RS256', 'EdDSA'],
    verification: wanted,
  });
}

const publicBearer = (exp: number): Bearer => ({
  userId: null,
  role: 'anon',
  exp,
  keyId: null,
  email: null,
  authId: null,
});

function bearerOf(data: z.infer<typeof Payload>, signedIn: boolean): Bearer | Refused {
  const { role, exp } = data;
  if (role === 'anon') return publicBearer(exp);
  if (data.is_anonymous) return { refused: 'anonymous' };
  return {
    userId: data.sub,
    role,
    exp,
    keyId: data.key ?? null,
    email: data.email || null,
    authId: signedIn ? data.sub : null,
  };
}

/** Whether a key is one of a Supabase project's new keys, which are no tokens. */
export const isProjectKey = (key: string): boolean => /^sb_(?:publishable|secret)_/.test(key);

/** Returns a token for the user of a key, and when it ends. */
export async function mintToken(
  secret: string,
  { userId, keyId }: { userId: string; keyId: string | null },
): Promise<{ token: string; expiresAt: Date }> {
  const exp = seconds() + TOKEN_SECONDS;
  const claims = { sub: userId, role: 'authenticated', aud: 'authenticated', key: keyId ?? undefined, exp };
  return { token: await sign(claims, secret, 'HS256'), expiresAt: new Date(exp * 1_000) };
}

/** Returns a public key: what a client sends when it connects, before it says who it is. */
export const mintPublicKey = (secret: string): Promise<string> =>
  sign({ role: 'anon', exp: seconds() + PUBLIC_SECONDS }, secret, 'HS256');

const seconds = (): number => Math.floor(Date.now() / 1_000);

/**
 * Returns the secret that signs access tokens: SUPABASE_JWT_SECRET, else one that is derived from the server's, so that
 * servers that share a database take each other's tokens.
 *
 * @param secret LORE_SECRET, or the one in the data folder
 */
export const tokenSecret = ({ supabase }: Pick<Config, 'supabase'>, secret: string): string =>
  supabase.jwtSecret ?? createHmac('sha256', secret).update('lore: access tokens').digest('base64url');
