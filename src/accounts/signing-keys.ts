import { z } from 'zod';

// The public keys of a Supabase project, with which it signs access tokens.

const Keys = z.array(z.looseObject({ kid: z.string(), kty: z.string() }));
/** `{"keys": […]}` or the list of keys alone: Supabase passes either to a function. */
const Jwks = z.union([Keys, z.object({ keys: Keys }).transform(({ keys }) => keys)]);

/** Returns the public keys as they are known now, after looking for one with this id if none has it. */
export type FindKeys = (kid: unknown) => Promise<z.infer<typeof Keys>>;

/** The keys cannot be had, so nobody knows whether a token is valid. */
export class KeysUnavailable extends Error {
  override name = 'KeysUnavailable';
}

/**
 * Returns keys that are given once and for all, as JSON.
 *
 * @throws Error when they are malformed
 */
export function fixedKeys(jwks: string): FindKeys {
  const keys = Jwks.parse(JSON.parse(jwks));
  return async () => keys;
}

/** After this time the keys are fetched again, so that one that was revoked is forgotten. */
const MAX_AGE_MS = 600_000;
/** Anybody can send a token with an unknown key, so the keys are not fetched more often because of one. */
const PAUSE_MS = 10_000;
/** When they could not be fetched, they are asked for again after this time. */
const RETRY_MS = 1_000;
const TIMEOUT_MS = 5_000;

/**
 * Returns the keys at an address. They are fetched when the first token comes, when a token names a key that is not
 * known, and every ten minutes. If that fails, those that are known stay.
 */
export function keysAt(url: string): FindKeys {
  let keys: z.infer<typeof Keys> = [];
  let failure: unknown;
  let asking: Promise<void> | null = null;
  /** when the keys may be fetched again, for a token of a known key and of an unknown one */
  const next = { known: 0, unknown: 0 };

  async function ask(): Promise<void> {
    try {
      const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
      keys = Jwks.parse(await answer.json());
      failure = undefined;
      next.known = performance.now() + MAX_AGE_MS;
    } catch (error) {
      failure = error;
      next.known = performance.now() + RETRY_MS;
      next.unknown = next.known;
    } finally {
      asking = null;
    }
  }

  return async (kid) => {
    // a token that names no key is refused in any case
    if (typeof kid !== 'string') return [];
    const isKnown = () => keys.some((key) => key.kid === kid);
    const now = performance.now();
    if (asking === null && now >= (isKnown() ? next.known : Math.min(next.known, next.unknown))) {
      // the first fetch is no look for an unknown key
      if (next.known > 0) next.unknown = now + PAUSE_MS;
      asking = ask();
    }
    if (asking !== null) await asking;
    if (failure !== undefined && !isKnown())
      throw new KeysUnavailable('The keys of the project could not be fetched', { cause: failure });
    return keys;
  };
}
