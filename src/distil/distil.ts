import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { type Leased, leaseRows, type Queue, workOn } from '../db/queue.ts';
import { forEachUser } from '../db/system.ts';
import { abortable } from '../embedding/embedder.ts';
import type { Candidate, Evidence } from '../learnings/candidate.ts';
import { TURN } from '../learnings/requests.ts';
import type { ModelFor } from '../llm/choose.ts';
import { admitDecision } from './admit-decision.ts';
import { admitIncident } from './admit-incident.ts';
import { admitReport, admitSaid } from './admit-said.ts';
import { admitTold } from './admit-told.ts';
import { readTurn } from './read-turn.ts';
import type { DistilRequest } from './request.ts';
import type { DistilServices } from './services.ts';

/** Queue of the candidate lessons that wait to be judged. */
export const DISTIL_QUEUE: Queue = {
  name: 'lessons',
  table: 'learning_requests',
  columns: { attempts: 'attempts', runAfter: 'run_after', error: 'error' },
  open: sql`status = 'pending'`,
  leaseSeconds: 120,
  pauseSeconds: 10,
  maxAttempts: 5,
  dead: {
    is: sql`status = 'failed'`,
    bury: sql`status = 'failed', finished_at = now()`,
    revive: sql`status = 'pending', finished_at = null`,
    about: sql`'candidate of ' || event || ' at ' || to_char(created_at, 'YYYY-MM-DD HH24:MI')`,
  },
};

/**
 * Takes one waiting request per user, writes its lesson and judges it.
 *
 * @returns whether there may be more
 */
export async function distilPending(
  services: Omit<DistilServices, 'ask'> & { modelFor: ModelFor },
  signal: AbortSignal,
): Promise<boolean> {
  // without vectors, a near-duplicate of a stored lesson would not be noticed
  if (services.embedder.status().state === 'loading') return false;
  const { db, log } = services;
  const users = sql`select lore.users_to_distil() as id`;
  const more = await forEachUser(db, users, { log, name: 'distil', signal }, async (userId) => {
    const claims: Claims = { userId, role: userId === services.ownerId ? 'owner' : 'member' };
    const request = await asUser(db, claims, leaseRequest);
    if (!request) return true;
    await workOn({ db, claims, queue: DISTIL_QUEUE, log, signal }, [request], async (signal) => {
      const [ask, embedder] = [await services.modelFor(claims, signal), abortable(services.embedder, signal)];
      await distilRequest({ ...services, ask, embedder }, claims, requestOf(request));
    });
    return true;
  });
  if (more) services.wake('embed');
  return more;
}

/** A request as its row holds it. */
type Row = Leased & {
  event: string;
  project_id: string;
  session_id: string | null;
  incident_id: string | null;
  agent_id: string | null;
  evidence: Evidence | { kind: 'turn'; end: string } | null;
  candidate: Candidate | null;
  /** why the rules write it, if a model was asked first */
  reason: string | null;
};

async function leaseRequest(tx: Tx): Promise<Row | undefined> {
  const [request] = await leaseRows<Row>(tx, DISTIL_QUEUE, {
    rows: 1,
    waiting: [sql`status = 'pending'`],
    order: sql`run_after, created_at`,
    returning: sql`event, project_id, session_id, incident_id, agent_id, evidence, candidate, reason`,
  });
  return request;
}

type Admitters = {
  [K in DistilRequest['kind']]: (
    services: DistilServices,
    claims: Claims,
    request: Extract<DistilRequest, { kind: K }>,
  ) => Promise<void>;
};

/** What becomes of each kind of request. To handle another kind, add a row. */
const ADMITTERS: Admitters = {
  turn: readTurn,
  incident: admitIncident,
  said: admitSaid,
  decided: admitDecision,
  told: admitTold,
  reported: admitReport,
};

function requestOf(row: Row): DistilRequest {
  const { id, project_id: projectId, session_id: sessionId, agent_id: agentId, candidate, evidence } = row;
  const origin = { id, projectId, sessionId, agentId };
  if (row.event === TURN && sessionId !== null) return { ...origin, kind: 'turn', sessionId };
  if (candidate !== null && evidence !== null) {
    if (evidence.kind === 'noted' || (evidence.kind === 'said' && evidence.decision))
      return { ...origin, kind: 'decided', candidate, evidence };
    if (evidence.kind === 'said') return { ...origin, kind: 'said', candidate, evidence };
    if (evidence.kind === 'told') return { ...origin, kind: 'told', candidate, evidence };
    if (evidence.kind === 'reported') return { ...origin, kind: 'reported', candidate, evidence };
  }
  if (row.incident_id === null) throw new Error('the request names neither an error nor what was said');
  return { ...origin, kind: 'incident', incidentId: row.incident_id, note: row.reason };
}

const distilRequest = (services: DistilServices, claims: Claims, request: DistilRequest): Promise<void> =>
  (ADMITTERS[request.kind] as (...all: unknown[]) => Promise<void>)(services, claims, request);
