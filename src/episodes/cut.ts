import { sql } from 'drizzle-orm';
import { stoppedIn } from '../commands/stopped.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { type Leased, leaseRows, type Queue, workOn } from '../db/queue.ts';
import { forEachUser } from '../db/system.ts';
import { embedQuery } from '../embedding/embed-query.ts';
import { abortable, type Embedder } from '../embedding/embedder.ts';
import {
  findingQuery,
  keepReview,
  namedFindings,
  noteResembling,
  noteSolved,
  proposeStatus,
} from '../findings/proposals.ts';
import { errorsByCall } from '../incidents/incidents.ts';
import type { Log } from '../log.ts';
import { sessionOfId } from '../sessions/sessions.ts';
import { agentTranscript, readThoughts, type Thoughts } from '../sessions/thoughts.ts';
import { workEvents } from '../sessions/work.ts';
import { comparedWith, isNewMatter, likeness, type Matter } from './boundary.ts';
import { evidenceOf } from './evidence.ts';
import { itemsOf, reviewIn } from './review.ts';
import { type Drafted, storeUnits } from './store.ts';
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
  embedder: Embedder;
  log: Log;
  /** the account whose transcripts are on this machine */
  ownerId: string;
  wake(worker: 'embed'): void;
};

type Request = Leased & { session_id: string; asked: number; part: 'last' | 'whole' };

/**
 * Cuts one waiting session of each user.
 *
 * @returns whether there may be more
 */
export async function cutPending(services: CutServices, signal: AbortSignal): Promise<boolean> {
  const { db, embedder, log } = services;
  // without vectors more prompts would look like new matters
  if (embedder.status().state === 'loading') return false;
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
    await workOn({ db, claims, queue: CUT_QUEUE, log, signal }, [request], (signal) =>
      cutSession({ ...services, embedder: abortable(embedder, signal) }, claims, request, signal),
    );
    return true;
  });
  if (more) services.wake('embed');
  return more;
}

async function cutSession(
  services: CutServices,
  claims: Claims,
  request: Request,
  signal: AbortSignal,
): Promise<void> {
  const { db } = services;
  const read = await asUser(db, claims, (tx) => readSession(tx, request), { readOnly: true });
  if (read) {
    const { session, events, errors, stopped, decided } = read;
    const units = await walk(events, {
      errors,
      stopped,
      root: session.root,
      branch: session.branch,
      ended: session.status !== 'active',
      // this is decided only once, so that a later cut without the model, or with another one, changes
      // nothing
      isNew: async (prompt, matter) =>
        decided.get(prompt.key) ?? (await isNew(services, claims, prompt.text, matter)),
    });
    // what was decided without vectors, because the work was stopped, is not stored
    signal.throwIfAborted();
    const drafts = await withThoughts(units, claims.role === 'owner' ? session.transcriptPath : null);
    const fresh = await asUser(db, claims, async (tx) => {
      const ids = await storeUnits(tx, session, drafts);
      const kept = [];
      for (const [i, unit] of units.entries()) {
        kept.push(...(await linkFindings(tx, session, unit, ids[i] as string)));
      }
      return kept;
    });
    for (const finding of fresh) {
      const vector = await embedQuery(services.embedder, claims.userId, findingQuery(finding));
      await asUser(db, claims, (tx) =>
        noteResembling(tx, { ...finding, projectId: session.projectId }, vector),
      );
    }
  }
  // if a cut was asked for again meanwhile, the session is cut again
  await asUser(db, claims, (tx) =>
    query(tx, sql`delete from episode_cuts where id = ${request.id}::uuid and asked = ${request.asked}`),
  );
}

/** Most stopped calls of a session that are known, the last ones. */
const MAX_STOPPED = 1_000;

type Read = NonNullable<Awaited<ReturnType<typeof readSession>>>;

/** Reads a session since its last episode began, with what was decided about its prompts; null if it is gone. */
async function readSession(tx: Tx, { session_id: id, part }: Request) {
  const session = await sessionOfId(tx, id);
  if (!session) return null;
  const rows = await query<{ at: string; prompts: string[] }>(
    tx,
    sql`select started_at::text as at, prompts from episodes
        where session_id = ${id} and agent_id is null order by started_at desc`,
  );
  const decided = new Map(rows.flatMap(({ prompts }) => prompts.map((key, i) => [key, i === 0] as const)));
  const since = part === 'whole' || rows[0] === undefined ? null : new Date(rows[0].at);
  const stopped = new Set((await stoppedIn(tx, id, MAX_STOPPED)).flatMap(({ toolUseId }) => toolUseId ?? []));
  return {
    session,
    decided,
    events: await workEvents(tx, id, since),
    errors: await errorsByCall(tx, id),
    stopped,
  };
}

async function isNew(
  { embedder }: CutServices,
  { userId }: Claims,
  prompt: string,
  matter: Matter,
): Promise<boolean> {
  const texts = [prompt, ...comparedWith(matter)];
  const { state } = embedder.status();
  // not as a query: nobody waits for it
  const found = state === 'ready' ? await embedder.embed(texts, { userId }).catch(() => null) : null;
  const vectors = new Map(texts.flatMap((text, i) => (found?.[i] ? [[text, found[i]] as const] : [])));
  return isNewMatter(prompt, matter, likeness(prompt, matter, vectors));
}

/** Adds what the transcripts tell. They are on the machine of the person who runs the server. */
async function withThoughts(units: Unit[], path: string | null): Promise<Drafted[]> {
  const main: Thoughts | null = path && units[0] ? await readThoughts(path, units[0].startedAt) : null;
  const drafts: Drafted[] = [];
  const own = units.filter(({ agentId }) => agentId === null);
  for (const unit of units) {
    const file = path && unit.agentId !== null ? agentTranscript(path, unit.agentId) : null;
    const told = unit.agentId === null ? main : file ? await readThoughts(file, null) : null;
    const until = unit.agentId === null ? own[own.indexOf(unit) + 1]?.startedAt : undefined;
    const answers = (told?.answers ?? []).filter(
      ({ at }) => unit.agentId !== null || (at >= unit.startedAt && (until === undefined || at < until)),
    );
    const branch = answers.findLast((answer) => answer.branch !== null)?.branch;
    if (branch) unit.branch = branch;
    drafts.push({
      unit,
      thoughts: told?.byCall ?? new Map(),
      tokens: answers.length === 0 ? null : answers.reduce((sum, { tokens }) => sum + tokens, 0),
    });
  }
  return drafts;
}

/** Links an episode with findings: those of its review, those that it named, those whose files it changed. */
async function linkFindings(tx: Tx, session: Read['session'], unit: Unit, id: string) {
  const review = reviewIn(unit);
  const kept = review
    ? await keepReview(
        tx,
        { projectId: session.projectId, episodeId: id, agent: review.agent, at: review.at },
        itemsOf(review.message, session.root),
      )
    : { ids: [], fresh: [] };
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
  const linked = [...new Set([...kept.ids, ...named, ...proposed])];
  if (linked.length > 0) {
    await noteSolved(tx, id, named);
    await query(
      tx,
      sql`update episodes set findings = array(
            select distinct f from unnest(findings || ${sql.param(linked)}::uuid[]) f order by f)
          where id = ${id}::uuid`,
    );
  }
  return kept.fresh;
}

/** Returns the first eight characters of the ids of records that its prompts and its calls of `lore findings` name. */
const namedIn = (unit: Unit): string[] => [
  ...new Set([
    ...unit.prompts.flatMap(({ text }) =>
      [...text.matchAll(/\blore:([0-9a-f]{8})\b/g)].map(([, id]) => id as string),
    ),
    ...unit.calls.flatMap(({ command }) =>
      [...(command ?? '').matchAll(/\blore findings (?:start|resolve)\s+(?:lore:)?([0-9a-f]{8})/g)].map(
        ([, id]) => id as string,
      ),
    ),
  ]),
];
