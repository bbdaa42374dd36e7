import { sql } from 'drizzle-orm';
import { stoppedIn } from '../commands/stopped.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { type Leased, leaseRows, type Queue, workOn } from '../db/queue.ts';
import { forEachUser } from '../db/system.ts';
import { namedFindings, noteSolved, proposeStatus } from '../findings/proposals.ts';
import { errorsOfSession } from '../incidents/incidents.ts';
import type { Log } from '../log.ts';
import { sessionOfId } from '../sessions/sessions.ts';
import { agentTranscript, readThoughts } from '../sessions/thoughts.ts';
import { workEvents } from '../sessions/work.ts';
import { evidenceOf } from './evidence.ts';
import { linkLearnings, storeUnit, type Thoughts } from './store.ts';
import { changedFiles, type Unit, walk } from './walk.ts';

// Cuts sessions into episodes, behind the answers. Only the stored events decide. So if a session is cut
// again, after a kill or by another server, the episodes are the same.

/** Queue of the sessions that have something new to cut. */
export const CUT_QUEUE: Queue = {
  name: 'sessions to cut into episodes',
  table: 'episode_cuts',
  columns: { attempts: 'attempts', runAfter: 'run_after', error: 'error' },
  leaseSeconds: 120,
  pauseSeconds: 5,
  maxAttempts: 5,
  dead: {
    is: sql`failed_at is not null`,
    bury: sql`failed_at = now()`,
    revive: sql`failed_at = null`,
    about: sql`'session ' || session_id`,
  },
};

export type CutServices = {
  db: Database;
  log: Log;
  /** the account whose transcripts are on this machine */
  ownerId: string;
  wake(worker: 'embed'): void;
};

type Request = Leased & { session_id: string; asked: number; part: 'last' | 'whole' };

/**
 * Asks for a session to be cut into episodes soon, behind the answer. If a request already waits, it is
 * renewed.
 *
 * @param part `whole` reads all of it again, because older events have come in; `last` only since its last episode began
 */
export async function askToCut(tx: Tx, sessionId: string, part: 'last' | 'whole' = 'last'): Promise<void> {
  await query(
    tx,
    sql`insert into episode_cuts (session_id, part) values (${sessionId}, ${part})
        on conflict (user_id, session_id, part) do update set asked = episode_cuts.asked + 1, run_after = now(),
          attempts = 0, error = null, failed_at = null`,
  );
}

/**
 * Cuts one waiting session of each user.
 *
 * @returns whether there may be more
 */
export async function cutPending(services: CutServices, signal: AbortSignal): Promise<boolean> {
  const { db, log } = services;
  const users = sql`select lore.users_to_cut() as id`;
  const more = await forEachUser(db, users, { log, name: 'cut', signal }, async (userId) => {
    const claims: Claims = { userId, role: userId === services.ownerId ? 'owner' : 'member' };
    const [request] = await asUser(db, claims, (tx) =>
      leaseRows<Request>(tx, CUT_QUEUE, {
        rows: 1,
        waiting: [sql`failed_at is null`],
        order: sql`run_after`,
        returning: sql`session_id, asked, part`,
      }),
    );
    if (!request) return true;
    await workOn({ db, claims, queue: CUT_QUEUE, log, signal }, [request], () =>
      cutSession(db, claims, request),
    );
    return true;
  });
  if (more) services.wake('embed');
  return more;
}

async function cutSession(db: Database, claims: Claims, request: Request): Promise<void> {
  const read = await asUser(db, claims, (tx) => readSession(tx, request), { readOnly: true });
  if (read) {
    const { session } = read;
    const units = walk(read.events, read);
    // transcripts are on the machine of the person who runs the server
    const thoughts = await thoughtsOf(units, claims.role === 'owner' ? session.transcriptPath : null);
    await asUser(db, claims, async (tx) => {
      for (const [i, unit] of units.entries()) {
        const id = await storeUnit(tx, session, unit, thoughts[i] as Thoughts);
        await linkFindings(tx, session, unit, id);
      }
      await linkLearnings(tx, session.id);
    });
  }
  // if a cut was asked for again meanwhile, the session is cut again
  await asUser(db, claims, (tx) =>
    query(tx, sql`delete from episode_cuts where id = ${request.id}::uuid and asked = ${request.asked}`),
  );
}

/** Most stopped calls of a session that are known, the last ones. */
const MAX_STOPPED = 1_000;

type Read = NonNullable<Awaited<ReturnType<typeof readSession>>>;

/** Reads a session since its last episode began; null if it is gone. */
async function readSession(tx: Tx, { session_id: id, part }: Request) {
  const session = await sessionOfId(tx, id);
  if (!session) return null;
  const stored = await query<{ at: string; key: string }>(
    tx,
    sql`select started_at::text as at, start_key as key from episodes
        where session_id = ${id} order by started_at desc`,
  );
  const since = part === 'whole' || stored[0] === undefined ? null : new Date(stored[0].at);
  return {
    session,
    events: await workEvents(tx, id, since),
    begun: new Set(stored.map(({ key }) => key)),
    errors: new Map(
      (await errorsOfSession(tx, id)).map(({ toolUseId, error, resolution }) => [
        toolUseId,
        { text: error, resolvedBy: resolution?.toolUseId ?? null },
      ]),
    ),
    stopped: new Set((await stoppedIn(tx, id, MAX_STOPPED)).flatMap(({ toolUseId }) => toolUseId ?? [])),
    root: session.root,
    branch: session.branch,
    ended: session.status !== 'active',
  };
}

/** Reads from the transcripts what the agents thought before their calls, and how many tokens each episode took. */
async function thoughtsOf(units: Unit[], path: string | null): Promise<Thoughts[]> {
  if (!path || !units[0]) return units.map(() => ({ byCall: new Map(), tokens: null }));
  const main = await readThoughts(path, units[0].startedAt);
  const found: Thoughts[] = [];
  for (const [i, unit] of units.entries()) {
    const until = units[i + 1]?.startedAt;
    const answers = main.answers.filter(
      ({ at }) => at >= unit.startedAt && (until === undefined || at < until),
    );
    unit.branch = answers.findLast(({ branch }) => branch !== null)?.branch ?? unit.branch;
    const byCall = new Map(main.byCall);
    for (const agent of unit.agents) {
      const file = agentTranscript(path, agent);
      const own = file === null ? null : await readThoughts(file, null);
      answers.push(...(own?.answers ?? []));
      for (const [call, thought] of own?.byCall ?? []) byCall.set(call, thought);
    }
    const tokens = answers.length === 0 ? null : answers.reduce((sum, one) => sum + one.tokens, 0);
    found.push({ byCall, tokens });
  }
  return found;
}

/** Links an episode with findings: those that it named, those whose files it changed. */
async function linkFindings(tx: Tx, session: Read['session'], unit: Unit, id: string): Promise<void> {
  const named = await namedFindings(tx, session.projectId, namedIn(unit));
  const proposed = unit.closed
    ? await proposeStatus(tx, {
        id,
        projectId: session.projectId,
        files: changedFiles(unit),
        startedAt: unit.startedAt,
        success: evidenceOf(unit).outcome === 'success',
        root: session.root,
      })
    : [];
  const linked = [...new Set([...named, ...proposed])];
  if (linked.length === 0) return;
  await noteSolved(tx, id, named);
  await query(
    tx,
    sql`update episodes set findings = array(
          select distinct f from unnest(findings || ${sql.param(linked)}::uuid[]) f order by f)
        where id = ${id}::uuid`,
  );
}

/** Returns the first eight characters of the ids of records that its prompts and its calls of `lore findings` name. */
const namedIn = ({ prompts, calls }: Unit): string[] => {
  const inPrompts = prompts.flatMap((text) => [...text.matchAll(/\blore:([0-9a-f]{8})\b/g)]);
  const inCalls = calls.flatMap(({ command }) => [
    ...(command ?? '').matchAll(/\blore findings (?:start|resolve)\s+(?:lore:)?([0-9a-f]{8})/g),
  ]);
  return [...new Set([...inPrompts, ...inCalls].map(([, id]) => id as string))];
};
