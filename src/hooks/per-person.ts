import { LRUCache } from 'lru-cache';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';

// What each person has set, kept in memory so that hooks hardly ask the database for it.

export type PerPerson<T> = {
  /** Returns what a person has set. It waits for the database only if it was never read. */
  of(claims: Claims): Promise<T>;
  /** Returns the same as far as it is in memory, else what is usual. */
  known(claims: Claims): T;
  /** Reads it anew when it is needed next. */
  forget(userId: string): void;
};

const MAX_PEOPLE = 500;
/** A change that another server made is heard after this long. */
const FRESH_MS = 30_000;

/**
 * Returns a memory of what the people who were heard last have set.
 *
 * @param usual what holds as long as the database does not tell
 */
export function createPerPerson<T>(db: Database, read: (tx: Tx) => Promise<T>, usual: T): PerPerson<T> {
  type Known = { value: Promise<T>; now: T; until: number };
  const people = new LRUCache<string, Known>({ max: MAX_PEOPLE });
  const readFor = (claims: Claims, before: T): Known => {
    const value = asUser(db, claims, read, { readOnly: true, urgent: true });
    const known: Known = { value, now: before, until: Date.now() + FRESH_MS };
    value
      .then((now) => {
        known.now = now;
      })
      .catch(() => {
        // a database that does not answer is asked again with the next event
        if (people.get(claims.userId) === known) people.delete(claims.userId);
      });
    people.set(claims.userId, known);
    return known;
  };
  const current = (claims: Claims): Known => {
    const known = people.get(claims.userId);
    if (known && known.until > Date.now()) return known;
    const next = readFor(claims, known?.now ?? usual);
    return known ?? next;
  };
  return {
    of: (claims) => current(claims).value.catch(() => usual),
    known: (claims) => current(claims).now,
    forget: (userId) => {
      people.delete(userId);
    },
  };
}
