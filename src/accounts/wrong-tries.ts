import { LRUCache } from 'lru-cache';
import { Problem } from '../errors/problem.ts';
import { countedAs } from '../http/remote-address.ts';

// Keys are long and random, so nobody guesses one. But each that is unknown costs a question to the database, and anybody
// can ask it: so nobody may ask too often.

const MINUTE_MS = 60_000;
/** Who comes from more addresses than these is not held up. */
const MAX_ADDRESSES = 1_000;

export type WrongTries = {
  /**
   * Counts a try from an address until it is known to have worked. Returns a function to call then.
   *
   * @throws Problem (429) when too many tries of the last minute did not work, or have not ended yet
   */
  begin(address: string): () => void;
};

/** @param options.max tries from one address within a minute that do not work */
export function limitWrongTries(options: { max: number }): WrongTries {
  const { max } = options;
  const tries = new LRUCache<string, { count: number; since: number }>({ max: MAX_ADDRESSES });
  return {
    begin(address) {
      const from = countedAs(address);
      // a clock that is set back must not make anybody wait for longer
      const now = performance.now();
      const before = tries.get(from);
      const counted = before && now - before.since < MINUTE_MS ? before : { count: 0, since: now };
      if (counted.count >= max) {
        const retryAfter = Math.ceil((counted.since + MINUTE_MS - now) / 1000);
        throw new Problem({
          status: 429,
          title: 'Too many wrong keys',
          detail: `Too many keys from this address did not work. Try again in ${retryAfter} s.`,
          retryAfter,
        });
      }
      tries.set(from, counted);
      counted.count += 1;
      return () => {
        counted.count -= 1;
      };
    },
  };
}
