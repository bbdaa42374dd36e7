import { LRUCache } from 'lru-cache';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { readVoice } from '../llm/settings.ts';
import { FEW, type Voice, voiceOf } from '../offers/voice.ts';

// How much each person wants their agents to be told, kept in memory so that hooks hardly ask the database for it.

export type Voices = {
  /** Returns a person's voice. It waits for the database only if it was never read. */
  of(claims: Claims): Promise<Voice>;
  /** Returns a person's voice as far as it is in memory, else the usual one. */
  known(claims: Claims): Voice;
  /** Reads a person's voice anew when it is needed next. */
  forget(userId: string): void;
};

const MAX_PEOPLE = 500;
/** A voice that another server changed is heard after this long. */
const FRESH_MS = 30_000;

/** Returns a memory of the voices of the people who were heard last. */
export function createVoices(db: Database): Voices {
  type Known = { voice: Promise<Voice>; now: Voice; until: number };
  const people = new LRUCache<string, Known>({ max: MAX_PEOPLE });
  const read = (claims: Claims, before: Voice): Known => {
    const voice = asUser(db, claims, readVoice, { readOnly: true, urgent: true }).then(voiceOf);
    const known: Known = { voice, now: before, until: Date.now() + FRESH_MS };
    voice
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
    const next = read(claims, known?.now ?? FEW);
    return known ?? next;
  };
  return {
    of: (claims) => current(claims).voice.catch(() => FEW),
    known: (claims) => current(claims).now,
    forget: (userId) => {
      people.delete(userId);
    },
  };
}
