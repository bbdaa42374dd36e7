import type { MiddlewareHandler } from 'hono';
import type { Account } from '../../accounts/accounts.ts';
import { type KnownKeys, keyIn } from '../../accounts/known-keys.ts';
import { isProjectKey, type Tokens } from '../../accounts/tokens.ts';
import { Problem } from '../../base/errors/problem.ts';
import type { Log } from '../../base/log.ts';
import type { Env } from '../../http/env.ts';
import { remoteAddress } from '../../http/remote-address.ts';

const SEND = "Send “Authorization: Bearer <key>”; the owner's key lies in the data folder.";
const SIGN_IN = 'Sign in again.';
/** Why a token is refused. Other reasons would help a forger. */
const SAID: Record<string, string> = {
  expired: 'the access token has expired',
  anonymous: 'nobody signs in anonymously',
};

/**
 * Lets requests pass that have a live key, or an access token of somebody who signed in with Supabase Auth, and sets
 * their caller. Every refusal is logged, without the key.
 *
 * @throws Problem (401) when the key is missing, unknown or revoked, or the token not valid
 * @throws Problem (429) when too many unknown keys came from the address of the request
 * @throws Problem (503) when the database does not answer and the key is not known from before, or the keys of the
 *   Supabase project cannot be fetched
 */
export function authenticated(services: {
  keys: KnownKeys;
  tokens: Tokens;
  log: Log;
}): MiddlewareHandler<Env> {
  const { keys, tokens, log } = services;
  return async (c, next) => {
    const key = keyIn(c.req.header('authorization'));
    const refuse = (reason: string, remedy: string): Problem => {
      log.warn({ requestId: c.get('requestId'), path: c.req.path, reason }, 'refused');
      return new Problem({
        status: 401,
        title: 'Not authenticated',
        detail: `${reason[0]?.toUpperCase()}${reason.slice(1)}. ${remedy}`,
      });
    };
    if (key === null) throw refuse('no key', SEND);
    if (isProjectKey(key)) {
      throw refuse(
        'this is a key of the Supabase project, which is no key of Lore',
        'It belongs into the header “apikey” of requests to Supabase. Here, send “Authorization: Bearer …” with the access token of somebody who signed in, or with a key of Lore.',
      );
    }
    const account = tokens.isToken(key) ? await signedIn(key) : await keys.accountOf(key, remoteAddress(c));
    if (account === null) throw refuse('unknown or revoked key', SEND);
    c.set('caller', account);
    await next();

    async function signedIn(token: string): Promise<Account> {
      const verified = await tokens.verify(token);
      if ('refused' in verified) throw refuse(SAID[verified.refused] ?? 'the token is not valid', SIGN_IN);
      const { authId, email } = verified;
      if (authId === null) throw refuse('this token is of nobody who signed in', SIGN_IN);
      const account = await tokens.accountOf({ authId, email });
      if (account === null) throw refuse('this account was closed', 'Ask the owner of the server.');
      return account;
    }
  };
}
