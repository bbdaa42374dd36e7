import { z } from '@hono/zod-openapi';
import { attachedProjects } from '../../accounts/keys.ts';
import type { KnownKeys } from '../../accounts/known-keys.ts';
import { Problem } from '../../base/errors/problem.ts';
import { theOne } from '../../base/text/short-id.ts';
import * as commands from '../../commands/stopped.ts';
import * as consolidation from '../../consolidation/runs.ts';
import { asUser, type Claims } from '../../db/as-user.ts';
import type { Erased, EraseRoom, Erasure } from '../../db/erasure.ts';
import type { Database, Tx } from '../../db/open.ts';
import { askSystem } from '../../db/system.ts';
import type { Journal } from '../../hooks/journal.ts';
import type { Entry } from '../../hooks/journal-file.ts';
import type { KnownSessions } from '../../hooks/known-sessions.ts';
import { ownerOnly } from '../../http/env.ts';
import { instant } from '../../http/schemas.ts';
import { served } from '../../http/serve.ts';
import * as incidents from '../../incidents/erase.ts';
import * as learnings from '../../learnings/erase.ts';
import * as llm from '../../llm/budget.ts';
import * as metrics from '../../metrics/metrics.ts';
import * as offers from '../../offers/offers.ts';
import * as plans from '../../plans/erase.ts';
import type { PlanMemory } from '../../plans/read-plans.ts';
import * as push from '../../realtime/push/push.ts';
import * as searches from '../../search/ratings.ts';
import * as sessions from '../../sessions/erase.ts';
import { theProject } from '../../sessions/projects.ts';
import { getSession, noSession } from '../../sessions/sessions.ts';
import * as kinds from '../erase.ts';
import { alone } from '../kind.ts';

/** Each room erases its own tables. Rows that refer to other rows are erased before these. */
const ROOMS: { erase: EraseRoom }[] = [
  ...[kinds, consolidation, learnings, plans, offers, commands, push, incidents],
  ...[metrics, searches, sessions, llm],
];

type ErasureServices = {
  db: Database;
  journal: Pick<Journal, 'drained' | 'status' | 'eraseRefused'> | null;
  sessions: Pick<KnownSessions, 'forget'>;
  plans: Pick<PlanMemory, 'forget'>;
  keys: Pick<KnownKeys, 'forget'>;
};

/** A session by Lore's id or the client's, a project by its name, or all from before an instant or `infinity`. */
type Wanted = { session?: string | undefined; project?: string | undefined; before?: string | undefined };

/**
 * Erases the caller's rows of a session, a project or a time, and everything that was made from them. Events that wait in
 * the journal are stored first, so that they are not stored after the erasure. Returns how many rows of each kind there
 * were.
 *
 * @param options.dryRun only counts: everything is as it was afterwards
 * @param options.keepLearned lessons and notes stay
 * @throws Problem (404) when the caller has no such session or project, (503) while acknowledged events cannot be stored
 */
async function eraseRecords(
  { db, journal, ...memory }: ErasureServices,
  claims: Claims,
  wanted: Wanted,
  options: { dryRun: boolean; keepLearned: boolean },
): Promise<Erased> {
  await journal?.drained();
  const stuck = journal?.status().stuck ?? null;
  if (stuck !== null) {
    const detail = `Nothing was erased: events that were acknowledged cannot be stored now (${stuck}), and would come back later. Try again when lore doctor shows an empty journal.`;
    throw new Problem({ status: 503, title: 'Events wait', detail });
  }
  const undo = new Error('only counted');
  const total: Erased = {};
  let refused: ((entry: Entry) => boolean) | undefined;
  await asUser(db, claims, async (tx) => {
    const erasure = await resolve(tx, wanted, options.keepLearned);
    refused = (entry) => entry.claims.userId === claims.userId && isOf(entry, erasure);
    for (const { erase } of ROOMS) {
      for (const [kind, n] of Object.entries(await erase(tx, erasure))) total[kind] = (total[kind] ?? 0) + n;
    }
    if (options.dryRun) throw undo;
  }).catch((error) => {
    if (error !== undo) throw error;
  });
  total.refusedEvents = (refused && journal?.eraseRefused(refused, options)) ?? 0;
  if (!options.dryRun) {
    memory.sessions.forget(claims.userId);
    memory.plans.forget(claims.userId);
  }
  return total;
}

async function resolve(tx: Tx, wanted: Wanted, keepLearned: boolean): Promise<Erasure> {
  const { before = null } = wanted;
  const session = wanted.session === undefined ? null : await getSession(tx, wanted.session);
  if (session === undefined) throw noSession(wanted.session as string);
  const project = wanted.project === undefined ? null : await theProject(tx, wanted.project);
  // Sessions are locked before anything else, as they are when events are stored. So the two cannot deadlock.
  const whole = await sessions.sessionsToErase(
    tx,
    session ? { sessionId: session.id } : project ? { projectId: project.id } : { before: before as string },
  );
  await learnings.holdAdmissions(tx);
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

const WANTED = ['session', 'project', 'before'] as const;
const ToErase = z
  .strictObject({
    session: z.string().min(1).max(200).optional(),
    project: z.string().min(1).max(4096).optional(),
    before: instant().optional(),
    /** lessons and notes stay; they only lose what leads to the erased sessions */
    keepLearned: z.boolean().default(false),
    /** only count what would be erased */
    dryRun: z.boolean().default(false),
  })
  .refine(
    (given) => WANTED.filter((name) => given[name] !== undefined).length === 1,
    alone('(body)', 'exactly one of session, project and before must be given'),
  );
/** how many records of each kind were (or with dryRun would be) erased */
const Counts = z.record(z.string(), z.number());
const Answer = z.object({ dryRun: z.boolean(), erased: Counts }).openapi('Erased');
/** `erased` null: the rows were kept */
const Removed = z.object({ userId: z.string(), name: z.string(), erased: Counts.nullable() });

/** Routes that erase. Removing a member is here, because it may erase what the member has in every room. */
export const erasureRoutes = served((route, services: ErasureServices) => {
  route(
    'POST /v1/erase',
    "Permanently erase the caller's records of a session, a project or a time, and all that was made of them",
    {
      body: ToErase,
      answer: Answer,
      problems: { 404: 'No such session or project', 503: 'Acknowledged events cannot be stored now' },
    },
    async ({ caller, body: { session, project, before, ...options } }) => {
      const wanted = { session, project, before: before?.toISOString() };
      return { dryRun: options.dryRun, erased: await eraseRecords(services, caller, wanted, options) };
    },
  );
  route(
    'DELETE /v1/users/{id}',
    'Remove a member (owner only): the keys stop at once; the rows stay unless erase is true',
    {
      params: z.object({ id: z.uuid() }),
      query: z.object({ erase: z.enum(['true', 'false']).default('false') }),
      answer: Removed,
      problems: {
        403: 'Owner only',
        404: 'No such member',
        409: 'It is the owner',
        503: 'Acknowledged events cannot be stored now; the keys are refused already',
      },
    },
    async ({ caller, params: { id }, query }) => {
      ownerOnly(caller, 'removes members');
      if (id === caller.userId)
        throw new Problem({ status: 409, title: 'Not a member', detail: 'The owner cannot be removed.' });
      const [row] = await askSystem<{ name: string | null }>(services.db)`
        select lore.remove_member(${id}) as name`;
      const name = row?.name ?? theOne<never>([], 'user', id);
      services.keys.forget(id);
      if (query.erase === 'false') return { userId: id, name, erased: null };
      const member = { userId: id, role: 'member' as const };
      const everything = { before: 'infinity' };
      const erased = await eraseRecords(services, member, everything, {
        keepLearned: false,
        dryRun: false,
      });
      await askSystem(services.db)`select lore.delete_member(${id})`;
      return { userId: id, name, erased };
    },
  );
});
