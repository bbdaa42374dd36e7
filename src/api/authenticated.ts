import type { MiddlewareHandler } from 'hono';
import { type KnownKeys, keyIn } from '../accounts/known-keys.ts';
import { Problem } from '../errors/problem.ts';
import type { Env } from '../http/env.ts';
import { remoteAddress } from '../http/remote-address.ts';
import type { Log } from '../log.ts';

/**
 * Lets requests with a live key pass and sets their caller. Every refusal is logged, without the key.
 *
 * @throws Problem (401) when the key is missing, unknown or revoked
 * @throws Problem (429) when too many unknown keys came from the address of the request
 * @throws Problem (503) when the database does not answer and the key is not known from before
 */
export function authenticated({ keys, log }: { keys: KnownKeys; log: Log }): MiddlewareHandler<Env> {
  return async (c, next) => {
    const key = keyIn(c.req.header('authorization'));
    const account = key === null ? null : await keys.accountOf(key, remoteAddress(c));
    if (account === null) {
      const reason = key === null ? 'no key' : 'unknown or revoked key';
      log.warn({ requestId: c.get('requestId'), path: c.req.path, reason }, 'refused');
      throw new Problem({
        status: 401,
        title: 'Not authenticated',
        detail: `${reason[0]?.toUpperCase()}${reason.slice(1)}. Send “Authorization: Bearer <key>”; the owner's key lies in the data folder.`,
      });
    }
    c.set('caller', account);
    await next();
  };
}
