import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../../db/as-user.ts';
import { type Leased, leaseRows, type Queue, workOn } from '../../db/queue.ts';
import { forEachUser } from '../../db/system.ts';
import type { ModelFor } from '../../llm/choose.ts';
import type { Candidate, Evidence } from '../candidate.ts';
import { endReading, TURN } from '../requests.ts';
import { admitIncident } from './admit-incident.ts';
import type { DistilServices } from './ask-model.ts';
import { readTurn } from './read-turn.ts';
import { admitSaid } from './said.ts';

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
    const [request] = await asUser(db, claims, (tx) =>
      leaseRows<Row>(tx, DISTIL_QUEUE, {
        rows: 1,
        waiting: [sql`status = 'pending'`],
        order: sql`run_after, created_at`,
        returning: sql`event, project_id as "projectId", session_id as "sessionId", incident_id as "incidentId", evidence, candidate`,
      }),
    );
    if (!request) return true;
    await workOn({ db, claims, queue: DISTIL_QUEUE, log, signal }, [request], async (signal) => {
      await distil({ ...services, ask: await services.modelFor(claims, signal) }, claims, request);
    });
    return true;
  });
  if (more) services.wake('embed');
  return more;
}

/** A request as its row holds it. */
type Row = Leased & {
  event: string;
  projectId: string;
  sessionId: string | null;
  incidentId: string | null;
  evidence: Evidence | null;
  candidate: Candidate | null;
};

/** Distils what waits: a turn to be read, or what a person said. */
async function distil(services: DistilServices, claims: Claims, row: Row): Promise<void> {
  const { id, projectId, sessionId, incidentId, candidate, evidence } = row;
  if (row.event === TURN && sessionId !== null)
    return readTurn(services, claims, { id, sessionId, projectId });
  if (candidate !== null && evidence?.kind === 'said')
    return admitSaid(services, claims, { id, projectId, sessionId, candidate, evidence });
  await asUser(services.db, claims, async (tx) => {
    await endReading(tx, id, undefined);
    // before 0.8 the answer of an error waited too
    if (incidentId !== null) await admitIncident(tx, incidentId, row.event);
  });
}
