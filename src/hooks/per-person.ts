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
  /** `read`: what the database said last, also while it is asked again */
  type Known = { read?: { is: T }; asking: Promise<T> | null; until: number };
  const people = new LRUCache<string, Known>({ max: MAX_PEOPLE });
  const ask = (claims: Claims, known: Known): Promise<T> => {
    known.until = Date.now() + FRESH_MS;
    const asking = asUser(db, claims, read, { readOnly: true, urgent: true });
    known.asking = asking;
    asking
      .then((is) => {
        known.read = { is };
      })
      .catch(() => {
        // a database that does not answer is asked again with the next event
        known.until = 0;
      })
      .finally(() => {
        known.asking = null;
      });
    return asking;
  };
  const current = (claims: Claims): Known => {
    const known: Known = people.get(claims.userId) ?? { asking: null, until: 0 };
    people.set(claims.userId, known);
    if (known.until <= Date.now() && known.asking === null) ask(claims, known).catch(() => {});
    return known;
  };
  return {
    async of(claims) {
      const known = current(claims);
      if (known.read) return known.read.is;
      return (known.asking ?? ask(claims, known)).catch(() => usual);
    },
    known: (claims) => current(claims).read?.is ?? usual,
    forget: (userId) => {
      people.delete(userId);
    },
  };
}
