import { sql } from 'drizzle-orm';
import { decode } from 'hono/jwt';
import type { Config } from '../config.ts';
import type { Database } from '../db/open.ts';
import { retryWhenCutOff } from '../db/retry.ts';
import { askSystem } from '../db/system.ts';
import { Problem } from '../errors/problem.ts';
import { type Bearer, createVerifier, type Refused, seconds, type VerifyToken } from './access-tokens.ts';
import { AccountName } from './account-name.ts';
import type { Account } from './accounts.ts';
import { fixedKeys, KeysUnavailable, keysAt } from './signing-keys.ts';

// People who signed in with Supabase Auth. Their access tokens stand where a key of Lore stands.

/** For this long after a person proved a second factor, the owner's token is as good as a key of scope `person`. */
const FRESH_SECONDS = 15 * 60;

/** A token that was verified. `authId`: the user of Supabase Auth who signed in; null: Lore's own server minted it. */
type Verified = Bearer & { authId: string | null };

export type Tokens = {
  /** Whether a request's key is an access token of Supabase Auth, by its form. */
  isToken(key: string): boolean;
  /**
   * Verifies a token of Supabase Auth or of Lore's own, without the database.
   *
   * @throws Problem (503) when the keys of the project cannot be fetched
   */
  verify(token: string): Promise<Verified | Refused>;
  /** Returns the account of somebody who signed in. It is made when they come for the first time. null: it was closed. */
  accountOf(signedIn: {
    authId: string;
    email: string | null;
    factorAt?: number | null;
  }): Promise<Account | null>;
};

/**
 * @param services.jwtSecret signs the tokens of Lore's own
 * @param services.config who signs those of Supabase Auth; without SUPABASE_URL nobody signs in there
 */
export function createTokens(services: {
  db: Database;
  config: Pick<Config, 'supabase'>;
  jwtSecret: string;
}): Tokens {
  const { db, jwtSecret } = services;
  const { supabase } = services.config;
  const own = createVerifier({ secret: jwtSecret });
  const theirs = supabase.url === undefined ? null : verifierOf(supabase, supabase.url);

  return {
    isToken: (key) => theirs !== null && isJwt(key),
    async verify(token) {
      // this one key is no token; the gateway of Supabase takes it for one too
      if (token === supabase.anonKey && isProjectKey(token)) return PUBLIC(seconds() + PUBLIC_SECONDS);
      const signedIn = theirs !== null && hasIssuer(token);
      try {
        const bearer = await (signedIn ? theirs : own)(token);
        return 'refused' in bearer ? bearer : { ...bearer, authId: signedIn ? bearer.userId : null };
      } catch (cause) {
        if (!(cause instanceof KeysUnavailable)) throw cause;
        throw new Problem({
          status: 503,
          title: 'Token cannot be verified',
          detail: 'The signing keys of the Supabase project cannot be fetched. Try again later.',
          cause,
        });
      }
    },
    async accountOf({ authId, email, factorAt = null }) {
      const account = await ensureProfile(db, authId, email);
      if (account === null) return null;
      const fresh = factorAt !== null && seconds() - factorAt < FRESH_SECONDS;
      return { ...account, scope: account.role === 'owner' && fresh ? 'person' : 'device' };
    },
  };
}

function verifierOf(supabase: Config['supabase'], url: string): VerifyToken {
  const at = `${url}/auth/v1`;
  return createVerifier({
    secret: supabase.jwtSecret,
    jwks: supabase.jwks === undefined ? keysAt(`${at}/.well-known/jwks.json`) : fixedKeys(supabase.jwks),
    issuer: supabase.issuer ?? at,
  });
}

const PUBLIC_SECONDS = 86_400;
const PUBLIC = (exp: number): Verified => ({
  userId: null,
  role: 'anon',
  exp,
  keyId: null,
  email: null,
  factorAt: null,
  authId: null,
});

const isJwt = (key: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(key);

/** Whether a key is one of a Supabase project's new keys, which are no tokens. */
export const isProjectKey = (key: string): boolean => /^sb_(?:publishable|secret)_/.test(key);

/** Supabase Auth names itself in its tokens. Lore does not. */
function hasIssuer(token: string): boolean {
  try {
    return decode(token).payload.iss !== undefined;
  } catch {
    return false;
  }
}

async function ensureProfile(db: Database, authId: string, email: string | null): Promise<Account | null> {
  const { data: name } = AccountName.safeParse(email);
  const [row] = await retryWhenCutOff(() =>
    askSystem<{ user_id: string; role: 'owner' | 'member'; name: string }>(
      db,
      sql`select * from lore.ensure_profile(${authId}, ${name ?? `user ${authId.slice(0, 8)}`})`,
    ),
  );
  if (!row) return null;
  const { role, name: called } = row;
  return {
    userId: row.user_id,
    keyId: null,
    role,
    name: called,
    scope: 'device',
    projectId: null,
    project: null,
  };
}
