import { asUser } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { dropOldest } from '../drop-oldest.ts';
import type { Log } from '../log.ts';
import type { InBackground } from '../loop.ts';
import { Problem } from '../problem.ts';
import { within } from '../within.ts';
import { type Account, authenticate } from './accounts.ts';
import { hashKey, touchKey } from './keys.ts';

/** How long a key that was looked up is trusted without looking it up again. */
const FRESH_MS = 5_000;
/**
 * Until this age a key is trusted while it is looked up again in the background, so that no request waits for a distant
 * database. A key revoked through another server is forgotten when the database tells (`lore_keys`); if that is lost,
 * it works for at most this long.
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

/** The keys that this server has seen lately, with their accounts. */
export type KnownKeys = {
  /**
   * Returns the account of a key; null when the key is unknown or revoked.
   *
   * @throws Problem (503) when the database does not answer and the key is not known from before
   */
  accountOf(key: string): Promise<Account | null>;
  /** Returns the account of a key without waiting; null also when the key must be looked up first. */
  accountAtOnce(key: string): Account | null;
  /**
   * Looks the keys of a user (of all users when none is named) up again before they are trusted again. Call it when a
   * key was revoked.
   */
  forget(userId?: string): void;
};

/** Returns a memory of keys that looks one up when it is not known, or was not for a while. */
export function createKnownKeys(services: { db: Database; log: Log; inBackground: InBackground }): KnownKeys {
  const known = new Map<string, Known>();
  /** how often keys were forgotten; a look-up that began before that may have read a key as it was before */
  let forgotten = 0;

  const lookUp = async (hash: string): Promise<Account | null> => {
    const begun = forgotten;
    const account = await authenticate(services.db, hash);
    const touched = known.get(hash)?.touched ?? 0;
    known.delete(hash);
    if (account === null || forgotten !== begun) return account;
    const entry = { account, seen: Date.now(), touched, looking: null };
    known.set(hash, entry);
    dropOldest(known, MAX_KNOWN);
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
    entry.looking.catch(() => {}); // whoever waits for it hears of it
    return entry.looking;
  };

  const atOnce = (hash: string): Account | null => {
    const entry = known.get(hash);
    const age = entry ? Date.now() - entry.seen : Infinity;
    if (!entry || age >= TRUST_MS) return null;
    if (age >= FRESH_MS) lookUpAgain(hash, entry);
    return entry.account;
  };

  return {
    accountAtOnce: (key) => atOnce(hashKey(key)),
    async accountOf(key) {
      const hash = hashKey(key);
      const account = atOnce(hash);
      if (account) return account;
      const entry = known.get(hash);
      if (!entry) return verified(lookUp(hash).then((found) => ({ account: found })));
      const looking = lookUpAgain(hash, entry);
      const patience = services.db.engine === 'pglite' ? EMBEDDED_PATIENCE_MS : PATIENCE_MS;
      const old = Date.now() - entry.seen > TRUST_WITHOUT_DATABASE_MS;
      if (old) return verified(looking);
      const found = await within(looking, patience);
      return found ? found.account : entry.account;
    },
    forget(userId) {
      forgotten += 1;
      for (const [hash, { account }] of known) {
        if (userId === undefined || account.userId === userId) known.delete(hash);
      }
    },
  };
}

/** Waits for the look-up of a key that cannot be trusted without it. */
async function verified(looking: Promise<{ account: Account | null }>): Promise<Account | null> {
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
}

/** Returns the key in an `authorization` header; null when there is none. */
export const keyIn = (authorization: string | undefined): string | null =>
  /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
