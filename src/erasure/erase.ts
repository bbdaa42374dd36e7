import * as accounts from '../accounts/erase.ts';
import { attachedProjects } from '../accounts/keys.ts';
import * as audits from '../audits/erase.ts';
import * as commands from '../commands/erase.ts';
import * as consolidation from '../consolidation/runs.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Erased, EraseRoom, Erasure } from '../db/erasure.ts';
import type { Database, Tx } from '../db/open.ts';
import * as episodes from '../episodes/episodes.ts';
import { Problem } from '../errors/problem.ts';
import * as facts from '../facts/erase.ts';
import * as findings from '../findings/erase.ts';
import * as freshness from '../freshness/citations.ts';
import type { Journal } from '../hooks/journal.ts';
import type { KnownSessions } from '../hooks/known-sessions.ts';
import type { Entry } from '../hooks/line.ts';
import * as incidents from '../incidents/erase.ts';
import * as learnings from '../learnings/erase.ts';
import { holdAdmissions } from '../learnings/erase.ts';
import * as llm from '../llm/erase.ts';
import * as metrics from '../metrics/measure-session.ts';
import * as notes from '../notes/erase.ts';
import * as observations from '../observations/erase.ts';
import * as offers from '../offers/offers.ts';
import * as patterns from '../patterns/erase.ts';
import * as plans from '../plans/erase.ts';
import type { PlanMemory } from '../plans/plan-memory.ts';
import * as push from '../push/erase.ts';
import * as searches from '../search/ratings.ts';
import * as sessions from '../sessions/erase.ts';
import { findProject } from '../sessions/projects.ts';
import { getSession, noSession } from '../sessions/sessions.ts';
import * as skills from '../skills/skills.ts';

/** Each room erases its own tables. Rows that refer to other rows are erased before these. */
const ROOMS: EraseRoom[] = [
  audits,
  consolidation,
  learnings,
  notes,
  episodes,
  findings,
  plans,
  freshness,
  facts,
  observations,
  skills,
  patterns,
  offers,
  commands,
  push,
  incidents,
  metrics,
  searches,
  sessions,
  llm,
  accounts,
].map((room) => room.erase);

/** What is to be erased: a session by Lore's id or the client's, a project by its name, or all before an instant. */
export type Wanted = { session: string } | { project: string } | { before: Date } | 'everything';

export type ErasureServices = {
  db: Database;
  journal: Pick<Journal, 'drained' | 'status' | 'eraseRefused'> | null;
  sessions: Pick<KnownSessions, 'forget'>;
  plans: Pick<PlanMemory, 'forget'>;
};

/**
 * Erases the caller's rows of a session, a project or a time, and everything that was made from them. Events
 * that wait in the journal are stored first, so that they are not stored after the erasure. Returns how many
 * rows of each kind there were.
 *
 * @param options.dryRun only counts: everything is as it was afterwards
 * @param options.keepLearned lessons and notes stay
 * @throws Problem (404) when the caller has no such session or project, (503) while acknowledged events cannot be stored
 */
export async function eraseRecords(
  services: ErasureServices,
  claims: Claims,
  wanted: Wanted,
  options: { dryRun: boolean; keepLearned: boolean },
): Promise<Erased> {
  const { db, journal } = services;
  await journal?.drained();
  refuseWhileStuck(journal);
  const undo = new Error('only counted');
  const total: Erased = {};
  let refused: ((entry: Entry) => boolean) | undefined;
  await asUser(db, claims, async (tx) => {
    const erasure = await resolve(tx, wanted, options.keepLearned);
    refused = (entry) => entry.claims.userId === claims.userId && isOf(entry, erasure);
    for (const erase of ROOMS) {
      for (const [kind, n] of Object.entries(await erase(tx, erasure))) total[kind] = (total[kind] ?? 0) + n;
    }
    if (options.dryRun) throw undo;
  }).catch((error) => {
    if (error !== undo) throw error;
  });
  total.refusedEvents = (refused && journal?.eraseRefused(refused, options)) ?? 0;
  if (!options.dryRun) {
    services.sessions.forget(claims.userId);
    services.plans.forget(claims.userId);
  }
  return total;
}

function refuseWhileStuck(journal: ErasureServices['journal']) {
  const stuck = journal?.status().stuck ?? null;
  if (stuck === null) return;
  throw new Problem({
    status: 503,
    title: 'Events wait',
    detail: `Nothing was erased: events that were acknowledged cannot be stored now (${stuck}), and would come back later. Try again when lore doctor shows an empty journal.`,
  });
}

async function resolve(tx: Tx, wanted: Wanted, keepLearned: boolean): Promise<Erasure> {
  const asked: { session?: string; project?: string; before?: Date } = wanted === 'everything' ? {} : wanted;
  const before = wanted === 'everything' ? 'infinity' : (asked.before?.toISOString() ?? null);
  const session = asked.session === undefined ? null : await getSession(tx, asked.session);
  if (session === undefined) throw noSession(asked.session as string);
  const project = asked.project === undefined ? null : await findProject(tx, asked.project);
  if (project === undefined) {
    const detail = `You have no project ${asked.project}.`;
    throw new Problem({ status: 404, title: 'Project not found', detail });
  }
  // Sessions are locked before anything else, as they are when events are stored. So the two cannot deadlock.
  const whole = await sessions.sessionsToErase(
    tx,
    session ? { sessionId: session.id } : project ? { projectId: project.id } : { before: before as string },
  );
  await holdAdmissions(tx);
  return {
    ...whole,
    projectId: project?.id ?? null,
    attached: await attachedProjects(tx),
    folders: project === null ? { own: [], except: [] } : await sessions.foldersOf(tx, project.id),
    before,
    incidents: await incidents.incidentsToErase(tx, { sessions: whole.sessions, before }),
    keepLearned,
  };
}

/** Returns whether an entry of the journal that the database refused belongs to what is erased. */
function isOf({ event, at }: Entry, { clientSessions, before, folders }: Erasure): boolean {
  if (before !== null && (before === 'infinity' || new Date(at) < new Date(before))) return true;
  if (event === undefined) return false;
  if (clientSessions.includes(event.session_id)) return true;
  const inside = (root: string) => event.cwd === root || event.cwd?.startsWith(`${root}/`) === true;
  return folders.own.some(inside) && !folders.except.some(inside);
}
