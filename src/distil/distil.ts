import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { type Leased, leaseRows, type Queue, workOn } from '../db/queue.ts';
import { forEachUser } from '../db/system.ts';
import { endReading, TURN } from '../learnings/requests.ts';
import type { ModelFor } from '../llm/choose.ts';
import { admitIncident } from './admit-incident.ts';
import { readTurn } from './read-turn.ts';
import { admitSaid } from './said.ts';
import type { DistilServices, Waiting } from './services.ts';

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
 * Takes one waiting request per user, and keeps what comes of it.
 *
 * @returns whether there may be more
 */
export async function distilPending(
  services: Omit<DistilServices, 'ask'> & { modelFor: ModelFor },
  signal: AbortSignal,
): Promise<boolean> {
  const { db, log } = services;
  const users = sql`select lore.users_to_distil() as id`;
  const more = await forEachUser(db, users, { log, name: 'distil', signal }, async (userId) => {
    const claims: Claims = { userId, role: userId === services.ownerId ? 'owner' : 'member' };
    const request = await asUser(db, claims, leaseRequest);
    if (!request) return true;
    await workOn({ db, claims, queue: DISTIL_QUEUE, log, signal }, [request], async (signal) => {
      const ask = await services.modelFor(claims, signal);
      const waiting = waitingOf(request);
      if (waiting === null) await asUser(db, claims, (tx) => endReading(tx, request.id));
      else await distilOne({ ...services, ask }, claims, waiting);
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
  evidence: Waiting<'said'>['evidence'] | null;
  candidate: Waiting<'said'>['candidate'] | null;
};

async function leaseRequest(tx: Tx): Promise<Row | undefined> {
  const [request] = await leaseRows<Row>(tx, DISTIL_QUEUE, {
    rows: 1,
    waiting: [sql`status = 'pending'`],
    order: sql`run_after, created_at`,
    returning: sql`event, project_id, session_id, incident_id, evidence, candidate`,
  });
  return request;
}

/** Returns what a row asks for; null for what an older version queued and nobody reads any more. */
function waitingOf(row: Row): Waiting | null {
  const {
    id,
    project_id: projectId,
    session_id: sessionId,
    incident_id: incidentId,
    candidate,
    evidence,
  } = row;
  if (row.event === TURN && sessionId !== null) return { id, projectId, kind: 'turn', sessionId };
  if (candidate !== null && evidence?.kind === 'said' && !('decision' in evidence))
    return { id, projectId, kind: 'said', sessionId, candidate, evidence };
  if (incidentId !== null) return { id, projectId, kind: 'incident', incidentId };
  return null;
}

function distilOne(services: DistilServices, claims: Claims, request: Waiting): Promise<void> {
  switch (request.kind) {
    case 'turn':
      return readTurn(services, claims, request);
    case 'incident':
      return admitIncident(services, claims, request);
    case 'said':
      return admitSaid(services, claims, request);
  }
}
