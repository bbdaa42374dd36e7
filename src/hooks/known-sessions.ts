import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { type EarlierOffer, earlierOffers } from '../offers/offers.ts';
import { lastCompaction } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { ensureSession, type Session } from '../sessions/sessions.ts';

// What the answer to a hook must know of its session, kept in memory so that the database need not be asked each time.

export type KnownSession = Session & {
  /** everything that was offered to it, the oldest first */
  offered: EarlierOffer[];
  /** when its context was last compacted, milliseconds since 1970: what was offered before is forgotten */
  compactedAt: number;
};

export type KnownSessions = {
  /** Returns an event's session, opened if need be. @throws when it is not known and the database does not answer */
  of(claims: Claims, event: HookEvent, at: Date): Promise<KnownSession>;
  /** reads it anew at the next event: it was started or resumed, perhaps in another work tree */
  forget(claims: Claims, event: HookEvent): void;
};

const MAX_SESSIONS = 500;

export function createKnownSessions(db: Database): KnownSessions {
  const known = new Map<string, Promise<KnownSession>>();
  const keyOf = ({ userId }: Claims, event: HookEvent) => `${userId} ${event.session_id}`;
  return {
    of(claims, event, at) {
      const key = keyOf(claims, event);
      const session = known.get(key) ?? load(db, claims, event, at);
      // the last used stands last
      known.delete(key);
      known.set(key, session);
      if (known.size > MAX_SESSIONS) known.delete(known.keys().next().value as string);
      session.catch(() => {
        if (known.get(key) === session) known.delete(key);
      });
      return session;
    },
    forget: (claims, event) => known.delete(keyOf(claims, event)),
  };
}

const load = (db: Database, claims: Claims, event: HookEvent, at: Date): Promise<KnownSession> =>
  asUser(db, claims, async (tx) => {
    const session = await ensureSession(tx, event, at);
    const [offered, compacted] = await Promise.all([
      earlierOffers(tx, session.id),
      lastCompaction(tx, session.id),
    ]);
    return { ...session, offered, compactedAt: compacted };
  });

/**
 * Returns the records that the agent still has in its context.
 *
 * @param events only what was offered in answer to these
 */
export function stillOffered(session: KnownSession, events?: string[]): string[] {
  return session.offered.flatMap(({ sourceId, at, event }) =>
    sourceId !== null && at > session.compactedAt && (events?.includes(event) ?? true) ? [sourceId] : [],
  );
}
