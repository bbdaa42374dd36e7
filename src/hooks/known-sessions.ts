import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Asking, nothingOpen } from '../asking/open-errors.ts';
import type { OwnFiles } from '../commands/types.ts';
import { nothingSeen, type Seen } from '../commands/written.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { ALONE, type Servers } from '../db/servers.ts';
import { askSystem } from '../db/system.ts';
import { dropOldest } from '../drop-oldest.ts';
import type { Log } from '../log.ts';
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
    /** the files that it made and moved since it is in memory */
    own: OwnFiles;
    /** what came from outside, and which hosts a person allowed, since it is in memory */
    seen: Seen;
    /** what it may be asked about, since it is in memory */
    asking: Asking;
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
  /** Takes note that another server has read a session too. Call it with what the channel `SESSIONS` says. */
  hear(id: string): void;
  /** Asks which sessions other servers have read too. Call it when notifications may have been lost. */
  lookForOthers(): Promise<void>;
  /** Forgets a user's sessions, because some were erased. They are read again when they are needed. */
  forget(userId: string): void;
};

const MAX_SESSIONS = 500;

/** The channel on which the database says which session another server has read. */
export const SESSIONS = 'lore_sessions';

type Held = {
  session: Promise<KnownSession>;
  /** the same, when it is there */
  now?: KnownSession;
  /** whether another server has read it too */
  shared: boolean;
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
  log: Log;
  inBackground: InBackground;
  left?: Promise<void> | undefined;
}): KnownSessions {
  const { db, servers, log, inBackground, left = Promise.resolve() } = services;
  const known = new LRUCache<string, Held>({ max: MAX_SESSIONS });
  const keyOf = ({ userId }: Claims, event: HookEvent) => `${userId} ${event.session_id}`;
  const isShared = ({ shared }: Held) => servers.forgets || (shared && servers.areSeveral());

  /** Says that this server has read a session. */
  async function say(held: Held, id: string): Promise<void> {
    if (servers === ALONE) return;
    const [row] = await askSystem<{ shared: boolean }>(
      db,
      sql`select lore.reads_session(${servers.id}::uuid, ${id}::uuid) as shared`,
      { urgent: true },
    );
    if (row?.shared) held.shared = true;
  }

  function begin(key: string, claims: Claims, event: HookEvent, at: Date): Held {
    const session = left.then(async () => {
      const read = await load(services, claims, event, at);
      // it may be named before it is given back
      held.now = read;
      const saying = say(held, read.id).catch((error) => {
        log.warn({ error }, 'other servers could not be told that a session was read');
      });
      if (!servers.areSeveral()) inBackground('say that a session is read', () => saying);
      else {
        await saying;
        // what the other one has told since
        if (held.shared) return load(services, claims, event, at);
      }
      return read;
    });
    const held: Held = { session, shared: false, readings: new WeakMap([[at, session]]) };
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
    if (read)
      Object.assign(session, { ...read, own: session.own, seen: session.seen, asking: session.asking });
    return session;
  }

  return {
    of(claims, event, at) {
      const key = keyOf(claims, event);
      const held = known.get(key) ?? begin(key, claims, event, at);
      if (!isShared(held)) return held.session;
      const reading = held.readings.get(at) ?? readAgain(held, claims, event, at);
      held.readings.set(at, reading);
      return reading;
    },
    known: (claims, event) => known.get(keyOf(claims, event))?.now,
    isShared(claims, event) {
      const held = known.get(keyOf(claims, event));
      return held !== undefined && isShared(held);
    },
    hear(id) {
      for (const held of known.values()) if (held.now?.id === id) held.shared = true;
    },
    async lookForOthers() {
      if (servers === ALONE) return;
      const rows = await askSystem<{ id: string }>(
        db,
        sql`select id from lore.sessions_of_several(${servers.id}::uuid) id`,
      );
      const ids = new Set(rows.map(({ id }) => id));
      for (const held of known.values()) if (held.now && ids.has(held.now.id)) held.shared = true;
    },
    forget(userId) {
      for (const key of [...known.keys()]) if (key.startsWith(`${userId} `)) known.delete(key);
    },
  };
}

const load = (
  { db, holdout }: { db: Database; holdout: number },
  claims: Claims,
  event: HookEvent,
  at: Date,
): Promise<KnownSession> =>
  asUser(
    db,
    claims,
    async (tx) => {
      const session = await findSession(tx, event.session_id);
      if (!session) {
        const arm = armOf(claims.userId, event.session_id, holdout);
        const opened = await openSession(tx, event, at, { arm, projectId: claims.hooksOf });
        const nothing = { offered: [], compactedAt: 0, ...inMemory() };
        return { ...opened, ...nothing, skills: [], commits: [], passed: [], turnAt: 0, stoppedAt: 0 };
      }
      const [offered, compactedAt, told, soFar] = await Promise.all([
        earlierOffers(tx, session.id),
        lastCompaction(tx, session.id),
        toldAtStart(tx, session.id),
        callsSoFar(tx, session.id),
      ]);
      const passed = soFar.passed.map(({ line, cwd }) => ({ line: readLine(line), cwd }));
      return { ...session, offered, compactedAt, ...inMemory(), ...told, ...soFar, passed };
    },
    { urgent: true },
  );

/** Returns what is not stored, so that a restart forgets it. */
const inMemory = (): Pick<KnownSession, 'own' | 'seen' | 'asking'> => ({
  own: { made: new Set(), written: new Set() },
  seen: nothingSeen(),
  asking: nothingOpen(),
});

const MAX_OWN = 1_000;

/** Notes files that a session makes and writes; of each kind the last thousand. */
export function noteOwn(session: KnownSession, own: Partial<OwnFiles>): void {
  for (const kind of ['made', 'written'] as const) {
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
}
