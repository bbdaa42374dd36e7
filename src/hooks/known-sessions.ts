import { LRUCache } from 'lru-cache';
import { dropOldest } from '../base/drop-oldest.ts';
import type { Yes } from '../commands/check.ts';
import type { OwnFiles } from '../commands/types.ts';
import { nothingSeen, type Seen } from '../commands/written.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Servers } from '../db/servers.ts';
import { type Asking, noteTurnEnd, nothingOpen } from '../learnings/asking/open-errors.ts';
import type { OfferKind } from '../offers/frame.ts';
import { armOf } from '../offers/holdout.ts';
import { type EarlierOffer, earlierOffers } from '../offers/offers.ts';
import { lastCompaction, linesPassed, type ToldAtStart, toldAtStart } from '../sessions/calls.ts';
import { type HookEvent, hasBackgroundTasks, waitsFor } from '../sessions/hook-event.ts';
import { findSession, openSession, type Session } from '../sessions/sessions.ts';
import { type Line, readLine } from '../shell/line.ts';

// Keeps in memory what an answer to a hook must know of its session, so that the database is not asked each time.

/** What is not stored: it holds since the session is in memory. */
type NotStored = {
  /** the files that it made and moved */
  own: OwnFiles;
  /** what came from outside, and which hosts a person allowed */
  seen: Seen;
  /** what it may be asked about */
  asking: Asking;
  /** what its person is asked, and has allowed */
  yes: Yeses;
  /** what its person is told with the next prompt */
  tell: string | null;
  /** whether its person was asked something in this turn */
  waits: boolean;
};

/** What a person allows if a call runs. `guard`: a rule that nobody has confirmed, and the call about which it asks */
export type Question = { line: string | null; yes: Yes; guard?: { lesson: string; call: string } };

/** What a session waits for, and what its person has let it read. */
type Yeses = {
  /** by the id of the call */
  questions: Map<string, Question>;
  /** files of secrets, by the kind of tool that read them */
  shown: { shell: Set<string>; files: Set<string> };
};

export type KnownSession = Session &
  ToldAtStart &
  NotStored & {
    /** the records that were offered to the session, the oldest first */
    offered: EarlierOffer[];
    /** when its context was last compacted, in milliseconds since 1970; the agent has forgotten earlier offers */
    compactedAt: number;
    /** the shell lines that passed since the last change of a file, the oldest first */
    passed: { line: Line; cwd: string | null }[];
  };

export type KnownSessions = ReturnType<typeof createKnownSessions>;

const MAX_SESSIONS = 500;

/** `at`: of the event that it was read for. `now`: the session, when it is there */
type Held = { session: Promise<KnownSession>; at: Date; now: KnownSession | undefined };

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
  left?: Promise<void> | undefined;
}) {
  const { servers, left = Promise.resolve() } = services;
  const known = new LRUCache<string, Held>({ max: MAX_SESSIONS });
  const keyOf = ({ userId }: Claims, event: HookEvent) => `${userId} ${event.session_id}`;
  return {
    /**
     * Returns an event's session, and opens it if it is new. Where other servers use the database too, it is read once for
     * each event, because they may have answered the one before.
     *
     * @throws the database's error if the session is not in memory and the database does not answer
     */
    of(claims: Claims, event: HookEvent, at: Date): Promise<KnownSession> {
      const key = keyOf(claims, event);
      const before = known.get(key);
      if (before && (before.at === at || !servers.areSeveral())) return before.session;
      const reading = left.then(() => load(services, claims, event, at, before?.now));
      // if it cannot be read again, it stays as it was
      const session = before ? reading.catch(() => before.session) : reading;
      const held: Held = { session, at, now: before?.now };
      known.set(key, held);
      session.then(
        (read) => {
          held.now = read;
        },
        () => {
          if (known.get(key) === held) known.delete(key);
        },
      );
      return session;
    },
    /** Returns an event's session as far as it is in memory. */
    known: (claims: Claims, event: HookEvent): KnownSession | undefined =>
      known.get(keyOf(claims, event))?.now,
    /** Forgets a user's sessions, because some were erased. They are read again when they are needed. */
    forget(userId: string): void {
      for (const key of [...known.keys()]) if (key.startsWith(`${userId} `)) known.delete(key);
    },
  };
}

/** Reads as the caller, before all other work of the database: an agent waits for it. */
export const readFirst = <T>(
  { db }: { db: Database },
  claims: Claims,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => asUser(db, claims, work, { readOnly: true, urgent: true });

/** A call waits no longer than this for the database. A start, a prompt or a failure is told nothing without it. */
export const PATIENCE_MS = { call: 1_000, other: 4_000 };

const load = (
  { db, holdout }: { db: Database; holdout: number },
  claims: Claims,
  event: HookEvent,
  at: Date,
  before: KnownSession | undefined,
): Promise<KnownSession> =>
  asUser(
    db,
    claims,
    async (tx) => {
      const session = await findSession(tx, event.session_id);
      if (!session) {
        const arm = armOf(claims.userId, event.session_id, holdout);
        const opened = await openSession(tx, event, at, { arm, projectId: claims.hooksOf });
        const nothing = { offered: [], compactedAt: 0, ...inMemory(before) };
        return { ...opened, ...nothing, skills: [], commits: [], passed: [] };
      }
      const [offered, compactedAt, told, lines] = await Promise.all([
        earlierOffers(tx, session.id),
        lastCompaction(tx, session.id),
        toldAtStart(tx, session.id),
        linesPassed(tx, session.id),
      ]);
      const passed = lines.map(({ line, cwd }) => ({ line: readLine(line), cwd }));
      return { ...session, offered, compactedAt, ...inMemory(before), ...told, passed };
    },
    { urgent: true },
  );

/** Returns what is not stored, so that a restart forgets it. */
const inMemory = (before: KnownSession | undefined): NotStored => ({
  own: before?.own ?? { made: new Set(), written: new Set() },
  seen: before?.seen ?? nothingSeen(),
  asking: before?.asking ?? nothingOpen(),
  yes: before?.yes ?? { questions: new Map(), shown: { shell: new Set(), files: new Set() } },
  tell: before?.tell ?? null,
  waits: before?.waits ?? false,
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

/** Notes what an event tells of its session, for the answers to come. */
export function notice(session: KnownSession, event: HookEvent, at: Date): void {
  const { hook_event_name: name } = event;
  if (name === 'SessionStart') noticeStart(session, event, at);
  if (name === 'Stop' && !hasBackgroundTasks(event)) noteTurnEnd(session.asking);
  // a person is asked something: that holds until the turn ends
  if (waitsFor(event) !== null) session.waits = true;
  else if (name === 'UserPromptSubmit') session.waits = false;
}

/**
 * Takes over the work tree, branch, skills and commits of a start: a session may be resumed in another place.
 * If its context was compacted, its agent has forgotten what it was offered before.
 */
function noticeStart(session: KnownSession, { lore, source }: HookEvent, at: Date): void {
  if (source === 'compact') session.compactedAt = at.getTime();
  if (lore?.root) session.root = lore.root;
  if (lore?.branch) session.branch = lore.branch;
  if (lore?.skills) session.skills = lore.skills;
  if (lore?.commits) session.commits = lore.commits;
}
