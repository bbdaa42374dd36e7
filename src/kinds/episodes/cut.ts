import { sql } from 'drizzle-orm';
import type { Log } from '../../base/log.ts';
import { clip, shorten } from '../../base/text/clip.ts';
import { stoppedIn } from '../../commands/stopped.ts';
import { asUser, type Claims } from '../../db/as-user.ts';
import { type Database, query, type Tx } from '../../db/open.ts';
import { type Leased, leaseRows, type Queue, workOn } from '../../db/queue.ts';
import { forEachUser } from '../../db/system.ts';
import { errorsOfSession } from '../../incidents/incidents.ts';
import { type Session, sessionOfId } from '../../sessions/sessions.ts';
import { workEvents } from '../../sessions/story.ts';
import { episodes, type TaskType } from '../schema.ts';
import type { EpisodeStep } from '../values.ts';
import { changedFiles, endOf, type Unit, walk } from './walk.ts';

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

type CutServices = { db: Database; log: Log; wake(worker: 'embed'): void };

type Request = Leased & { session_id: string; asked: number; part: 'last' | 'whole' };

/**
 * Asks for a session to be cut into episodes soon, behind the answer. If a request already waits, it is
 * renewed.
 *
 * @param part `whole` reads all of it again, because older events have come in; `last` only since its last episode began
 */
export async function askToCut(tx: Tx, sessionId: string, part: 'last' | 'whole' = 'last'): Promise<void> {
  await query(tx)`
    insert into episode_cuts (session_id, part) values (${sessionId}, ${part})
    on conflict (user_id, session_id, part) do update set asked = episode_cuts.asked + 1, run_after = now(),
      attempts = 0, error = null, failed_at = null`;
}

/**
 * Cuts one waiting session of each user.
 *
 * @returns whether there may be more
 */
export async function cutPending({ db, log, wake }: CutServices, signal: AbortSignal): Promise<boolean> {
  const users = sql`select lore.users_to_cut() as id`;
  const more = await forEachUser(db, users, { log, name: 'cut', signal }, async (userId) => {
    const claims: Claims = { userId, role: 'member' };
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
  if (more) wake('embed');
  return more;
}

/** Cuts a session since its last episode began. If that was asked for again meanwhile, it is cut again. */
async function cutSession(db: Database, claims: Claims, request: Request): Promise<void> {
  const { id, session_id: sessionId, asked, part } = request;
  const read = async (tx: Tx) => {
    const session = await sessionOfId(tx, sessionId);
    if (!session) return null;
    const [last] = await query<{ at: string | null }>(tx)`
      select max(started_at)::text as at from episodes where session_id = ${sessionId}`;
    const since = part === 'whole' || !last?.at ? null : new Date(last.at);
    const errors = (await errorsOfSession(tx, sessionId)).map(({ toolUseId, error, resolution }) => {
      return [toolUseId, { text: error, resolvedBy: resolution?.toolUseId ?? null }] as const;
    });
    const stopped = (await stoppedIn(tx, sessionId, 1_000)).flatMap(({ toolUseId }) => toolUseId ?? []);
    const { root, status } = session;
    const about = { errors: new Map(errors), stopped: new Set(stopped), root, ended: status !== 'active' };
    return { session, units: walk(await workEvents(tx, sessionId, since), about) };
  };
  const found = await asUser(db, claims, read, { readOnly: true });
  await asUser(db, claims, async (tx) => {
    if (found) for (const unit of found.units) await storeUnit(tx, found.session, unit);
    await query(tx)`delete from episode_cuts where id = ${id}::uuid and asked = ${asked}`;
  });
}

const MAX = { description: 240, action: 160, message: 4000, files: 500, file: 1000 };
/** Most steps of an episode that are kept, the last ones. */
const MAX_STEPS = 300;

/**
 * Stores an episode of a session. If one that begins with the same event is there, it is changed and keeps its id. One
 * that has ended proposes a status for the findings whose files it changed.
 */
async function storeUnit(tx: Tx, session: Session, unit: Unit): Promise<void> {
  const files = changedFiles(unit);
  const end = endOf(unit);
  const { startKey, startedAt } = unit;
  const said = wellFormed({
    startKey,
    description: descriptionOf(unit.prompt),
    type: typeOf(unit, files),
    steps: stepsOf(unit),
    filesModified: files.slice(0, MAX.files).map((file) => clip(file, MAX.file)),
    ...end,
    lastMessage: clip(unit.said ?? '', MAX.message) || null,
  });
  const values = { ...said, startedAt, endedAt: unit.closed ? unit.lastAt : null };
  const [row] = await tx
    .insert(episodes)
    .values({ ...values, projectId: session.projectId, sessionId: session.id })
    .onConflictDoUpdate({
      target: [episodes.userId, episodes.sessionId, episodes.startKey],
      set: values,
    })
    .returning({ id: episodes.id });
  if (!row || !unit.closed) return;
  const { projectId, root } = session;
  await query(tx)`
    select propose_status(${row.id}::uuid, ${projectId}::uuid, ${sql.param(files)}::text[],
      ${startedAt.toISOString()}::timestamptz, ${end.outcome === 'success'}::boolean, ${root}::text)`;
}

/** Replaces halves of characters that a cut has left, because JSON in the database must not contain them. */
const wellFormed = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner === 'string' ? inner.toWellFormed().replaceAll('\0', '') : inner,
  );

/** Returns what an episode is about in one line: the first paragraph of its prompt, without pasted blocks. */
function descriptionOf(prompt: string): string {
  const text = prompt.replace(/```[\s\S]*?(?:```|$)/g, ' ').trim() || prompt;
  const line = (text.split(/\n\s*\n/, 1)[0] ?? '').replace(/\s+/g, ' ').trim();
  return shorten(line, MAX.description);
}

const BUG = /\b(?:fix(?:es|ed)?|bug|broken|fail(?:s|ed|ing)?|crash(?:es|ed)?|errors?|wrong|flaky|hotfix)\b/i;
const REFACTOR = /\b(?:refactor|rename|extract|simplify|clean ?up|cleanup|restructure)\b/i;
/** An agent that only answers makes few calls. */
const FEW_CALLS = 5;

/** Returns the kind of a task: by whether files were changed, and by a few words of its prompt. */
function typeOf({ prompt, calls }: Unit, files: string[]): TaskType {
  if (files.length === 0) return calls.length > FEW_CALLS ? 'investigation' : 'question';
  return BUG.test(prompt) ? 'bugfix' : REFACTOR.test(prompt) ? 'refactor' : 'feature';
}

const stepsOf = ({ calls }: Unit): EpisodeStep[] =>
  calls.slice(-MAX_STEPS).map(({ tool, action, purpose, ok, stopped }) => ({
    action: clip(action.replace(/\s+/g, ' ').trim(), MAX.action),
    tool,
    targetKind: purpose,
    ok,
    ...(stopped && { stopped: true as const }),
  }));
