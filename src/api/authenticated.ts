import type { MiddlewareHandler } from 'hono';
import { type Account, authenticate } from '../accounts/accounts.ts';
import { hashKey, touchKey } from '../accounts/keys.ts';
import { asUser } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import type { Env } from '../http/env.ts';
import type { Log } from '../log.ts';
import type { InBackground } from '../loop.ts';
import { Problem } from '../problem.ts';
import { within } from '../within.ts';

/** How long a key that was looked up is trusted without looking it up again. */
const FRESH_MS = 5_000;
/**
 * Until this age a key is trusted while it is looked up again in the background, so that no request waits for a distant
 * database. A key revoked through another server works for at most this long.
 */
const TRUST_MS = 10_000;
/**
 * While the database does not answer, known keys are trusted for this long (a day), because without an answer to a hook
 * the client runs the command. Nothing but verdicts and new events can be had without a database.
 */
const TRUST_WITHOUT_DATABASE_MS = 86_400_000;
/**
 * After that a request waits for the look-up, but not for longer than this. The embedded database may be busy with
 * somebody's statement; there a key can only be revoked through this server, which forgets it at once.
 */
const PATIENCE_MS = 1_000;
const EMBEDDED_PATIENCE_MS = 20;
/** How long a request waits for the look-up of a key that cannot be trusted without it. */
const UNKNOWN_PATIENCE_MS = 5_000;
/** `last_used_at` is exact to a minute only, so that not every read causes a write. */
const TOUCH_MS = 60_000;
const MAX_KNOWN = 1000;

type Known = {
  account: Account;
  seen: number;
  touched: number;
  looking: Promise<{ account: Account | null }> | null;
};

/**
 * Lets requests with a live key pass and sets their caller. Every refusal is logged, without the key.
 *
 * @throws Problem (401) when the key is missing, unknown or revoked
 * @throws Problem (503) when the database does not answer and the key is not known from before
 */
export function authenticated(services: {
  db: Database;
  log: Log;
  inBackground: InBackground;
}): MiddlewareHandler<Env> {
  const known = new Map<string, Known>();

  const lookUp = async (hash: string): Promise<Account | null> => {
    const account = await authenticate(services.db, hash);
    const touched = known.get(hash)?.touched ?? 0;
    known.delete(hash);
    if (account === null) return null;
    if (known.size >= MAX_KNOWN) known.clear();
    const entry = { account, seen: Date.now(), touched, looking: null };
    known.set(hash, entry);
    if (Date.now() - touched > TOUCH_MS) {
      entry.touched = Date.now();
      services.inBackground('touch key', () =>
        asUser(services.db, account, (tx) => touchKey(tx, account.keyId)),
      );
    }
    return account;
  };

  /** Looks a known key up again, once at a time. If the database is away, what was known goes on. */
  const lookUpAgain = (hash: string, entry: Known): Promise<{ account: Account | null }> => {
    entry.looking ??= lookUp(hash)
      .then(
        (account) => ({ account }),
        (error) => {
          services.log.warn({ error }, 'a key could not be looked up again');
          if (Date.now() - entry.seen > TRUST_WITHOUT_DATABASE_MS) throw error;
          return { account: entry.account };
        },
      )
      .finally(() => {
        entry.looking = null;
      });
    return entry.looking;
  };

  const verified = async (looking: Promise<{ account: Account | null }>): Promise<Account | null> => {
    let cause: unknown;
    const found = await within(looking, UNKNOWN_PATIENCE_MS).catch((error) => {
      cause = error;
      return null;
    });
    if (found) return found.account;
    throw new Problem({
      status: 503,
      title: 'Key cannot be verified',
      detail:
        'The database does not answer, and this server has not seen the key since it started. Try again later.',
      cause,
    });
  };

  const accountOf = async (hash: string): Promise<Account | null> => {
    const entry = known.get(hash);
    if (!entry) return verified(lookUp(hash).then((account) => ({ account })));
    const age = Date.now() - entry.seen;
    if (age < FRESH_MS) return entry.account;
    const looking = lookUpAgain(hash, entry);
    looking.catch(() => {}); // whoever waits for it hears of it
    if (age < TRUST_MS) return entry.account;
    const patience = services.db.engine === 'pglite' ? EMBEDDED_PATIENCE_MS : PATIENCE_MS;
    if (age > TRUST_WITHOUT_DATABASE_MS) return verified(looking);
    const found = await within(looking, patience);
    return found ? found.account : entry.account;
  };

  return async (c, next) => {
    const key = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    const account = key === undefined ? null : await accountOf(hashKey(key));
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
    // A key revoked through this server is refused from now on.
    if (c.req.method === 'DELETE' && c.req.path.startsWith('/v1/keys/')) known.clear();
  };
}
