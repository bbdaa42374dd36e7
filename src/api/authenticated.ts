import type { MiddlewareHandler } from 'hono';
import { type Account, authenticate } from '../accounts/accounts.ts';
import { hashKey, touchKey } from '../accounts/keys.ts';
import { asUser } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import type { Env } from '../http/env.ts';
import type { Log } from '../log.ts';
import type { InBackground } from '../loop.ts';
import { Problem } from '../problem.ts';

/** How long a looked-up key is trusted: one revoked through another server lives on for at most this long. */
const TRUST_MS = 5_000;
/** `last_used_at` is kept to the minute, so that reading does not mean writing. */
const TOUCH_MS = 60_000;

type Known = { account: Account; until: number; touched: number };

/** Lets in who brings a live key, and says who it is. Every refusal is logged, never with the key. */
export function authenticated(services: {
  db: Database;
  log: Log;
  inBackground: InBackground;
}): MiddlewareHandler<Env> {
  const known = new Map<string, Known>();

  const lookUp = async (hash: string): Promise<Account | null> => {
    const now = Date.now();
    const entry = known.get(hash);
    if (entry && entry.until > now) return entry.account;
    const account = await authenticate(services.db, hash);
    if (account === null) {
      known.delete(hash);
      return null;
    }
    const touched = entry?.touched ?? 0;
    if (known.size > 1000) known.clear();
    known.set(hash, { account, until: now + TRUST_MS, touched: now - touched > TOUCH_MS ? now : touched });
    if (now - touched > TOUCH_MS) {
      services.inBackground('touch key', () =>
        asUser(services.db, account, (tx) => touchKey(tx, account.keyId)),
      );
    }
    return account;
  };

  return async (c, next) => {
    const key = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    const account = key === undefined ? null : await lookUp(hashKey(key));
    if (account === null) {
      const reason = key === undefined ? 'no key' : 'unknown or revoked key';
      services.log.warn({ requestId: c.get('requestId'), path: c.req.path, reason }, 'refused');
      throw new Problem({
        status: 401,
        title: 'Not authenticated',
        detail: `${reason[0]?.toUpperCase()}${reason.slice(1)}. Send “Authorization: Bearer <key>”; the owner's key lies in the data folder.`,
      });
    }
    c.set('caller', account);
    await next();
    // a key revoked through this server is refused from now on
    if (c.req.method === 'DELETE' && c.req.path.startsWith('/v1/keys/')) known.clear();
  };
}
