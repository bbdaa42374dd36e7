import { LRUCache } from 'lru-cache';
import { asUser } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { isLoopback } from '../http/addresses.ts';
import type { Log } from '../log.ts';
import type { InBackground } from '../timing/loop.ts';
import { within } from '../timing/within.ts';
import { type Account, authenticate } from './accounts.ts';
import { hashKey, touchKey } from './keys.ts';
import { limitWrongTries } from './wrong-tries.ts';

/** How long a key that was looked up is trusted without looking it up again. */
const FRESH_MS = 5_000;
/**
 * Until this age a key is trusted while it is looked up again in the background, so that no request waits for a distant
 * database. A key revoked through another server is forgotten when the database reports it (`lore_keys`); if that is
 * lost, it works for at most this long.
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
/**
 * A key that was not found is not looked up again for this long: a client whose key was revoked goes on sending it. The
 * database reports a new key (`lore_keys`). Only LORE_KEY, which a person makes up, can have been asked for before it
 * is there; if that report is lost, it is refused for at most this long.
 */
const UNKNOWN_MS = 10_000;
const MAX_UNKNOWN = 1_000;
/**
 * Look-ups of keys that are not found, from one address within a minute. After a restart the keys of everybody behind an
 * address may be looked up at once; each counts until it is found.
 */
const MAX_WRONG = 100;

/** A time so long ago that a key of then is not trusted in any case. */
const NEVER = 0;

type Known = {
  account: Account;
  /** when it was last looked up, in milliseconds since 1970 */
  seen: number;
  /** when it was last asked for */
  used: number;
  touched: number;
  looking: Promise<{ account: Account | null }> | null;
};

/** The keys that this server has seen lately, with their accounts. */
export type KnownKeys = {
  /**
   * Returns the account of a key; null when the key is unknown or revoked.
   *
   * @param address where the key came from
   * @throws Problem (429) when the key is not known, and too many that came from there were not found. This machine may
   *   ask as often as it likes: on it a valid key must always work
   * @throws Problem (503) when the database does not answer and the key is not known from before
   */
  accountOf(key: string, address: string): Promise<Account | null>;
  /** Returns the account of a key without waiting; null also when the key must be looked up first. */
  accountAtOnce(key: string): Account | null;
  /**
   * Looks the keys of a user (of all users when none is named) up again before they are trusted again, and those that
   * were not found. Call it when a key was revoked or made.
   */
  forget(userId?: string): void;
  /**
   * Looks the keys that are in use up again, behind the requests, and forgets the others. Call it when any key may have
   * been revoked or made, and nothing says which.
   */
  lookAgain(): Promise<unknown>;
};

/** Returns a memory of keys that looks one up when it is not known, or was not for a while. */
export function createKnownKeys(services: { db: Database; log: Log; inBackground: InBackground }): KnownKeys {
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  /** look-ups of keys that are not known: under way, or without a result */
  const unknown = new LRUCache<string, { since: number; looking: Promise<Account | null> }>({
    max: MAX_UNKNOWN,
  });
  const wrong = limitWrongTries({ max: MAX_WRONG });
  /**
   * How often keys were forgotten. A look-up that began before that may have read a key as it was before, so its result
   * is not trusted for longer than its own request. The key stays known, for the same reason as in `forget`.
   */
  let forgotten = 0;

  const lookUp = async (hash: string): Promise<Account | null> => {
    const begun = forgotten;
    const account = await authenticate(services.db, hash);
    const { touched = 0, used = Date.now() } = known.get(hash) ?? {};
    known.delete(hash);
    if (account === null) return account;
    const seen = forgotten === begun ? Date.now() : NEVER;
    const entry = { account, seen, used, touched, looking: null };
    known.set(hash, entry);
    if (Date.now() - touched > TOUCH_MS) {
      entry.touched = Date.now();
      services.inBackground('touch key', () =>
        asUser(services.db, account, (tx) => touchKey(tx, account.keyId)),
      );
    }
    return account;
  };

  /** Looks a key up that is not known, once at a time, and not again right after it was not found. */
  const lookUpUnknown = (hash: string, address: string): Promise<Account | null> => {
    const asked = unknown.get(hash);
    if (asked && performance.now() - asked.since < UNKNOWN_MS) return asked.looking;
    const worked = isLoopback(address) ? () => {} : wrong.begin(address);
    const look = { since: performance.now(), looking: lookUp(hash) };
    unknown.set(hash, look);
    const found = () => {
      worked();
      if (unknown.get(hash) === look) unknown.delete(hash);
    };
    // a database that is away is not the key's fault
    look.looking.then((account) => account && found(), found);
    return look.looking;
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
    if (entry) entry.used = Date.now();
    if (!entry || age >= TRUST_MS) return null;
    if (age >= FRESH_MS) lookUpAgain(hash, entry);
    return entry.account;
  };

  return {
    accountAtOnce: (key) => atOnce(hashKey(key)),
    async accountOf(key, address) {
      const hash = hashKey(key);
      const account = atOnce(hash);
      if (account) return account;
      const entry = known.get(hash);
      if (!entry) return verified(lookUpUnknown(hash, address).then((found) => ({ account: found })));
      const looking = lookUpAgain(hash, entry);
      const patience = services.db.engine === 'pglite' ? EMBEDDED_PATIENCE_MS : PATIENCE_MS;
      const old = Date.now() - entry.seen > TRUST_WITHOUT_DATABASE_MS;
      if (old) return verified(looking);
      const found = await within(looking, patience);
      return found ? found.account : entry.account;
    },
    forget(userId) {
      forgotten += 1;
      unknown.clear();
      for (const [hash, entry] of [...known]) {
        if (userId !== undefined && entry.account.userId !== userId) continue;
        // as if it was looked up long ago; it stays, so that the limit of unknown keys does not count for it
        known.set(hash, { ...entry, seen: NEVER, looking: null });
      }
    },
    lookAgain() {
      forgotten += 1;
      unknown.clear();
      const all = [...known].map(([hash, entry]) => {
        if (Date.now() - entry.used < TRUST_MS) return lookUpAgain(hash, entry);
        entry.seen = NEVER;
        return null;
      });
      return Promise.allSettled(all);
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
