import { createVerifier } from '../../src/accounts/access-tokens.ts';
import { Problem } from '../../src/errors/problem.ts';
import type { Caller } from '../../src/http/env.ts';

/**
 * Returns a function that finds the caller from an access token of Supabase Auth. The token is signed with one of the
 * project's keys (SUPABASE_JWKS) or with its older shared secret (SUPABASE_JWT_SECRET, or JWT_SECRET in a hosted
 * function, where names with the prefix SUPABASE_ are reserved).
 *
 * @throws Error when neither is set or one is malformed, because then no caller could be identified
 */
export function createCallerOf(env: Record<string, string | undefined>) {
  const verify = createVerifier({
    secret: env.SUPABASE_JWT_SECRET || env.JWT_SECRET,
    jwks: env.SUPABASE_JWKS,
  });

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
    const bearer = await verify(token);
    if ('refused' in bearer || bearer.userId === null) throw refuse('The token is not valid');
    return {
      userId: bearer.userId,
      role: 'member',
      keyId: null,
      name: 'Supabase user',
      scope: 'person',
      project: null,
    };
  };
}
