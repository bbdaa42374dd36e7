import { LRUCache } from 'lru-cache';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import type { InBackground } from '../base/timing/loop.ts';
import { within } from '../base/timing/within.ts';
import { asUser } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { isLoopback } from '../http/addresses.ts';
import { countedAs } from '../http/remote-address.ts';
import { type Account, authenticate } from './accounts.ts';
import { hashKey, touchKey } from './keys.ts';

/** A key that was looked up is trusted for this long; from half of it on, it is looked up again behind the requests. */
const TRUST_MS = 10_000;
/**
 * While the database does not answer, known keys are trusted for a day, because without an answer to a hook the client
 * runs the command.
 */
const TRUST_WITHOUT_DATABASE_MS = 86_400_000;
/**
 * How long a request waits until an older key is looked up. The look-up goes on behind it, so a key that was revoked
 * elsewhere, and whose report (`lore_keys`) was lost, works once more at most.
 */
const PATIENCE_MS = 20;
/** How long a request waits for the look-up of a key that is not known. */
const UNKNOWN_PATIENCE_MS = 5_000;
/** `last_used_at` is exact to a minute only, so that not every read causes a write. */
const TOUCH_MS = 60_000;
/** A key that was not found is not looked up again for this long: a client whose key was revoked goes on sending it. */
const UNKNOWN_MS = 10_000;
const MAX_KEYS = 1_000;
/**
 * Keys from one address that may be looked up within a minute and not be found. Nobody guesses a key, but each that is
 * unknown costs a question to the database.
 */
const MAX_WRONG = 100;

/** `seen`: when it was last looked up, in milliseconds since 1970; 0: not trusted without another look-up */
type Known = { account: Account; seen: number; touched: number };

/** The keys that this server has seen lately, with their accounts. */
export type KnownKeys = {
  /**
   * Returns the account of a key; null when the key is unknown or revoked.
   *
   * @param address where the key came from
   * @throws Problem (429) when too many unknown keys came from there. This machine may ask as often as it likes
   * @throws Problem (503) when the database does not answer and the key is not known from before
   */
  accountOf(key: string, address: string): Promise<Account | null>;
  /** Returns the account of a key without waiting; null also when the key must be looked up first. */
  accountAtOnce(key: string): Account | null;
  /**
   * Looks the keys of a user up again before they are trusted again, and those that were not found. Call it when a key was
   * revoked or made; without a user when that may have happened unheard: then a key works on while the database is away.
   */
  forget(userId?: string): void;
};

/** Returns a memory of keys that looks one up when it is not known, or was not for a while. */
export function createKnownKeys(services: { db: Database; log: Log; inBackground: InBackground }): KnownKeys {
  const known = new LRUCache<string, Known>({ max: MAX_KEYS });
  const missing = new LRUCache<string, true>({ max: MAX_KEYS, ttl: UNKNOWN_MS });
  const wrong = new LRUCache<string, number>({ max: MAX_KEYS, ttl: 60_000, noUpdateTTL: true });
  const looking = new Map<string, Promise<Account | null>>();

  /** Looks a key up, once at a time. What `forget` overtakes may be as it was before, so it is not trusted later. */
  const lookUp = (hash: string): Promise<Account | null> => {
    const running = looking.get(hash);
    if (running) return running;
    const isLast = () => looking.get(hash) === work;
    const work: Promise<Account | null> = authenticate(services.db, hash)
      .then((account) => {
        const touched = known.get(hash)?.touched ?? 0;
        known.delete(hash);
        if (account === null) {
          if (isLast()) missing.set(hash, true);
          return null;
        }
        const entry = { account, seen: isLast() ? Date.now() : 0, touched };
        known.set(hash, entry);
        if (Date.now() - touched > TOUCH_MS) {
          entry.touched = Date.now();
          services.inBackground('touch key', () =>
            asUser(services.db, account, (tx) => touchKey(tx, account.keyId)),
          );
        }
        return account;
      })
      .finally(() => isLast() && looking.delete(hash));
    looking.set(hash, work);
    work.catch((error) => services.log.warn({ error }, 'a key could not be looked up'));
    return work;
  };

  /** Counts a look-up from an address. Returns a function to call when it was not the key's fault. */
  const countTry = (address: string): (() => void) => {
    const from = countedAs(address);
    const count = (more: number) => wrong.set(from, (wrong.get(from) ?? 0) + more);
    if ((wrong.get(from) ?? 0) >= MAX_WRONG) {
      const retryAfter = Math.ceil(wrong.getRemainingTTL(from) / 1000);
      throw new Problem({
        status: 429,
        title: 'Too many wrong keys',
        detail: `Too many keys from this address did not work. Try again in ${retryAfter} s.`,
        retryAfter,
      });
    }
    count(1);
    return () => count(-1);
  };

  const atOnce = (hash: string): Account | null => {
    const entry = known.get(hash);
    const age = entry ? Date.now() - entry.seen : Infinity;
    if (!entry || age >= TRUST_MS) return null;
    if (age >= TRUST_MS / 2) lookUp(hash);
    return entry.account;
  };

  return {
    accountAtOnce: (key) => atOnce(hashKey(key)),
    async accountOf(key, address) {
      const hash = hashKey(key);
      const account = atOnce(hash);
      if (account) return account;
      const entry = known.get(hash);
      if (!entry && missing.get(hash)) return null;
      const counts = !entry && !looking.has(hash) && !isLoopback(address);
      const notWrong = counts ? countTry(address) : () => {};
      const trusted = entry && Date.now() - entry.seen < TRUST_WITHOUT_DATABASE_MS;
      const work = lookUp(hash);
      work.then((found) => found && notWrong(), notWrong);
      let cause: unknown;
      const found = await within(
        work.then((now) => ({ now })),
        trusted ? PATIENCE_MS : UNKNOWN_PATIENCE_MS,
      ).catch((error) => {
        cause = error;
        return null;
      });
      if (found) return found.now;
      if (trusted) return entry.account;
      throw new Problem({
        status: 503,
        title: 'Key cannot be verified',
        detail:
          'The database does not answer, and this server has not seen the key since it started. Try again later.',
        cause,
      });
    },
    forget(userId) {
      looking.clear();
      missing.clear();
      // they stay, so that the limit of unknown keys does not count for them
      for (const entry of known.values())
        if (userId === undefined) entry.seen = Math.min(entry.seen, Date.now() - TRUST_MS);
        else if (entry.account.userId === userId) entry.seen = 0;
    },
  };
}

/** Returns the key in an `authorization` header; null when there is none. */
export const keyIn = (authorization: string | undefined): string | null =>
  /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
