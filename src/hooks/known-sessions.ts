import { type SQL, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { OwnFiles } from '../commands/lost.ts';
import { nothingSeen, type Seen } from '../commands/seen.ts';
import { filledSince } from '../compaction/compaction.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query } from '../db/open.ts';
import type { Servers } from '../db/servers.ts';
import { askSystem } from '../db/system.ts';
import { dropOldest } from '../drop-oldest.ts';
import type { OfferKind } from '../offers/frame.ts';
import { armOf } from '../offers/holdout.ts';
import { type EarlierOffer, earlierOffers } from '../offers/offers.ts';
import {
  type CallsSoFar,
  COMPACTS_WITHIN_MS,
  callsSoFar,
  lastCompaction,
  type ToldAtStart,
  toldAtStart,
  wasPrompted,
} from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { findSession, openSession, type Session } from '../sessions/sessions.ts';
import { type Line, readLine } from '../shell/line.ts';
import type { InBackground } from '../timing/loop.ts';

// Keeps in memory what an answer to a hook must know of its session, so that the database is not asked each time.

export type KnownSession = Session &
  ToldAtStart & {
    /** the records that were offered to the session, the oldest first */
    offered: EarlierOffer[];
    /** when its context was last compacted, in milliseconds since 1970; the agent has forgotten earlier offers */
    compactedAt: number;
    /**
     * the working state that was saved because the context is nearly full, and the tokens of the context;
     * else null
     */
    filled: { id: string; tokens: number } | null;
    /** whether a person has prompted it */
    prompted: boolean;
    /** the files that it made and moved since it is in memory */
    own: OwnFiles;
    /** what came from outside, and which hosts a person allowed, since it is in memory */
    seen: Seen;
    /** time of the last compaction whose tokens were noted, in milliseconds since 1970 */
    noted?: number;
    /** the model whose name was noted last */
    model?: string;
    /** the shell lines that passed since the last change of a file, the oldest first */
    passed: { line: Line; cwd: string | null }[];
  } & Omit<CallsSoFar, 'passed'>;

export type KnownSessions = {
  /**
   * Returns an event's session, and opens it if it is new.
   *
   * @throws the database's error if the session is not in memory and the database does not answer
   */
  of(claims: Claims, event: HookEvent, at: Date): Promise<KnownSession>;
  /** Returns an event's session as far as it is in memory. */
  known(claims: Claims, event: HookEvent): KnownSession | undefined;
  /**
   * Returns whether other servers answer a session's events too. Then `of` reads the session once for each event, and
   * an event must be stored before it is answered.
   */
  isShared(claims: Claims, event: HookEvent): boolean;
  /** Takes note that another server has read a session. Call it with what the channel `SESSIONS` says. */
  hear(payload: string): void;
  /** Forgets a user's sessions, because some were erased. They are read again when they are needed. */
  forget(userId: string): void;
};

const MAX_SESSIONS = 500;

/** The channel on which a server says that it has read a session, and those that have it too answer. */
export const SESSIONS = 'lore_sessions';
/** Another server that has a session in memory says so within this long. */
const MAX_SAY_MS = 2_000;

type Held = {
  session: Promise<KnownSession>;
  /** the same, when it is there */
  now?: KnownSession;
  /** until when other servers may be answering it too, in milliseconds since 1970 */
  sharedUntil: number;
  /** what was read for each event, by its time */
  readings: WeakMap<Date, Promise<KnownSession>>;
};

/**
 * Returns a memory of the sessions that were used last, at most 500. A session that is not in it is read from
 * the database, or opened there.
 *
 * @param services.holdout share of sessions from which offers are withheld, 0–1
 * @param services.left resolves when all that an earlier process left in the journal is stored; no session is read
 *   before
 */
export function createKnownSessions(services: {
  db: Database;
  holdout: number;
  servers: Servers;
  inBackground: InBackground;
  left?: Promise<void> | undefined;
}): KnownSessions {
  const { db, servers, inBackground, left = Promise.resolve() } = services;
  const known = new LRUCache<string, Held>({ max: MAX_SESSIONS });
  const keyOf = ({ userId }: Claims, event: HookEvent) => `${userId} ${event.session_id}`;
  const say = (what: 'reads' | 'has', key: string) =>
    sql`select pg_notify(${SESSIONS}, ${`${what} ${servers.id} ${key}`})`;
  // where no notification arrives, any session may be another server's too
  const isHeldElsewhere = ({ sharedUntil }: Held) =>
    servers.areSeveral() && (!db.way.hears || Date.now() < sharedUntil);

  function begin(key: string, claims: Claims, event: HookEvent, at: Date): Held {
    const session = left.then(() =>
      load(services, claims, event, at, servers.areSeveral() ? say('reads', key) : null),
    );
    const held: Held = {
      session,
      sharedUntil: Date.now() + MAX_SAY_MS,
      readings: new WeakMap([[at, session]]),
    };
    known.set(key, held);
    session.then(
      (read) => {
        held.now = read;
      },
      () => {
        if (known.get(key) === held) known.delete(key);
      },
    );
    return held;
  }

  /** Reads a session that is in memory again. If that fails, it stays as it was. */
  async function readAgain(held: Held, claims: Claims, event: HookEvent, at: Date): Promise<KnownSession> {
    const session = await held.session;
    const read = await load(services, claims, event, at).catch(() => null);
    // what is not stored stays
    if (read) Object.assign(session, { ...read, own: session.own, seen: session.seen });
    return session;
  }

  return {
    of(claims, event, at) {
      const key = keyOf(claims, event);
      const held = known.get(key) ?? begin(key, claims, event, at);
      if (!isHeldElsewhere(held)) return held.session;
      const reading = held.readings.get(at) ?? readAgain(held, claims, event, at);
      held.readings.set(at, reading);
      return reading;
    },
    known: (claims, event) => known.get(keyOf(claims, event))?.now,
    isShared(claims, event) {
      const held = known.get(keyOf(claims, event));
      return held !== undefined && isHeldElsewhere(held);
    },
    hear(payload) {
      const [, what, server, key] = /^(reads|has) (\S+) (.+)$/s.exec(payload) ?? [];
      const held = key === undefined || server === servers.id ? undefined : known.get(key);
      if (!held || key === undefined) return;
      held.sharedUntil = Number.POSITIVE_INFINITY;
      if (what === 'reads') inBackground('say that a session is known', () => askSystem(db, say('has', key)));
    },
    forget(userId) {
      for (const key of [...known.keys()]) if (key.startsWith(`${userId} `)) known.delete(key);
    },
  };
}

/** @param saying a statement that says to other servers that the session is read */
const load = (
  { db, holdout }: { db: Database; holdout: number },
  claims: Claims,
  event: HookEvent,
  at: Date,
  saying: SQL | null = null,
): Promise<KnownSession> =>
  asUser(
    db,
    claims,
    async (tx) => {
      if (saying) await query(tx, saying);
      const session = await findSession(tx, event.session_id);
      if (!session) {
        const opened = await openSession(tx, event, at, armOf(claims.userId, event.session_id, holdout));
        const nothing = { offered: [], compactedAt: 0, filled: null, prompted: false, ...inMemory() };
        return { ...opened, ...nothing, skills: [], commits: [], passed: [], turnAt: 0, stoppedAt: 0 };
      }
      const [offered, compactedAt, told, prompted, soFar] = await Promise.all([
        earlierOffers(tx, session.id),
        lastCompaction(tx, session.id),
        toldAtStart(tx, session.id),
        wasPrompted(tx, session.id),
        callsSoFar(tx, session.id),
      ]);
      const filled = await filledSince(tx, session.id, compactedAt);
      const passed = soFar.passed.map(({ line, cwd }) => ({ line: readLine(line), cwd }));
      return { ...session, offered, compactedAt, filled, prompted, ...inMemory(), ...told, ...soFar, passed };
    },
    { urgent: true },
  );

/** Returns what is not stored, so that a restart forgets it. */
const inMemory = (): Pick<KnownSession, 'own' | 'seen'> => ({
  own: { made: new Set(), moved: new Set(), written: new Set() },
  seen: nothingSeen(),
});

const MAX_OWN = 1_000;

/** Notes files that a session makes and writes, and places to which it moves some; of each kind the last thousand. */
export function noteOwn(session: KnownSession, own: Partial<OwnFiles>): void {
  for (const kind of ['made', 'moved', 'written'] as const) {
    const known = session.own[kind];
    for (const path of own[kind] ?? []) known.add(path);
    dropOldest(known, MAX_OWN);
  }
}

/**
 * Returns the ids of the records that the agent of an event still has in its context. Every subagent has a context of
 * its own.
 *
 * @param events if given, only offers in answer to these events count
 */
export function stillOffered(session: KnownSession, asking: HookEvent, events?: string[]): string[] {
  return inContext(session, asking).flatMap(({ sourceId, event }) =>
    sourceId !== null && (events?.includes(event) ?? true) ? [sourceId] : [],
  );
}

/** Returns the first lines of what the agent of an event was told and still has in its context. */
export const stillTold = (session: KnownSession, asking: HookEvent): string[] =>
  inContext(session, asking).map(({ text }) => text);

/** Returns whether the agent of an event was told something of a kind with a prompt, and still has it in its context. */
export const wasTold = (session: KnownSession, asking: HookEvent, kind: OfferKind): boolean =>
  inContext(session, asking).some((one) => one.kind === kind && one.event === 'UserPromptSubmit');

const inContext = (session: KnownSession, asking: HookEvent): EarlierOffer[] =>
  session.offered.filter(
    ({ at, agentId }) => agentId === (asking.agent_id ?? null) && at >= session.compactedAt,
  );

/** Returns whether a record was offered before a call in this session, to whichever agent. */
export const toldBeforeCall = (session: KnownSession, id: string | null): boolean =>
  session.offered.some(({ sourceId, event }) => sourceId === id && event === 'PreToolUse');

/**
 * Takes over the work tree, branch, skills and commits of a start: a session may be resumed in another place.
 * If its context was compacted, its agent has forgotten what it was offered before.
 */
export function noticeStart(session: KnownSession, { lore, source }: HookEvent, at: Date): void {
  if (source === 'compact') forgetOffers(session, at);
  if (lore?.root) session.root = lore.root;
  if (lore?.branch) session.branch = lore.branch;
  if (lore?.skills) session.skills = lore.skills;
  if (lore?.commits) session.commits = lore.commits;
}

/**
 * Notes that the context was compacted. The client says so after the start that follows it, and what that
 * start has told is in the new context.
 */
export function noticeCompaction(session: KnownSession, _event: HookEvent, at: Date): void {
  if (at.getTime() - session.compactedAt > COMPACTS_WITHIN_MS) forgetOffers(session, at);
}

function forgetOffers(session: KnownSession, at: Date): void {
  session.compactedAt = at.getTime();
  session.filled = null;
}
