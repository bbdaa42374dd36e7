import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { query } from '../db/open.ts';
import type { Admission, Candidate, Evidence } from './candidate.ts';
import { learningRequests } from './schema.ts';

// The queue of candidate lessons. A row stays as the record of how its candidate was judged.

/** The request for a session to be read. It is no candidate itself. */
export const TURN = 'turn';

type NewRequest = {
  projectId: string;
  sessionId: string | null;
  event: string;
  agentId?: string | null;
  incidentId?: string | null;
  candidate?: Candidate | null;
  evidence?: Evidence | null;
  /** how long it waits at least, in seconds */
  waits?: number;
};

/**
 * Queues candidates to be judged.
 *
 * @returns the ids of those that were not queued before
 */
export async function queueRequests(tx: Tx, requests: NewRequest[]): Promise<string[]> {
  if (requests.length === 0) return [];
  const rows = await tx
    .insert(learningRequests)
    .values(
      requests.map(({ waits = 0, ...request }) => ({
        ...request,
        runAfter: sql`now() + make_interval(secs => ${waits}::int)`,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: learningRequests.id });
  return rows.map(({ id }) => id);
}

const DONE = () => ({ status: 'done' as const, finishedAt: new Date() });

/** Keeps what was decided on a candidate, or on a lesson. */
export async function noteDecision(
  tx: Tx,
  about: Omit<typeof learningRequests.$inferInsert, 'status' | 'finishedAt'> & Admission,
): Promise<void> {
  await tx.insert(learningRequests).values({ ...about, ...DONE() });
}

/** What led to a decision: the request that waited for it, or what happened. */
export type From =
  | { requestId: string }
  | Pick<NewRequest, 'projectId' | 'sessionId' | 'agentId' | 'incidentId' | 'event'>;

/**
 * Keeps how a candidate was decided, with what was known then. Throws if the evidence of its request was erased meanwhile, or
 * if another worker has decided it, so that nothing is learned from it, or twice.
 */
export async function keepDecision(
  tx: Tx,
  from: From,
  decided: { candidate: Candidate | null; evidence: Evidence; evaluator: string } & Admission,
): Promise<void> {
  if (!('requestId' in from)) return noteDecision(tx, { ...from, ...decided });
  const kept = await tx
    .update(learningRequests)
    .set({ ...decided, ...DONE(), error: null })
    .where(and(eq(learningRequests.id, from.requestId), eq(learningRequests.status, 'pending')))
    .returning({ id: learningRequests.id });
  if (kept.length === 0) throw new Error('the evidence was erased, or judged by another worker, meanwhile');
}

/** SQL condition: something that was captured in a session waits to be judged. */
export const waitsToBeJudged = (sessionId: SQL) =>
  sql`exists (select from learning_requests r where r.session_id = ${sessionId} and r.status = 'pending')`;

/** A session that has been silent for this long is read although its turn has no end: the client may have crashed. */
export const QUIET_SECONDS = 60;

/** Asks for a session to be read once it has been silent for a while. */
export const requestReading = (
  tx: Tx,
  { id: sessionId, projectId }: { id: string; projectId: string },
): Promise<string[]> => queueRequests(tx, [{ projectId, sessionId, event: TURN, waits: QUIET_SECONDS }]);

/**
 * Asks for a session to be read now, if a condition holds or its reading waits already.
 *
 * @param end what ended
 * @returns how many requests now wait, 0 or 1
 */
export async function requestReadingNow(
  tx: Tx,
  session: { id: string; projectId: string },
  end: string,
  condition: SQL,
): Promise<number> {
  const rows = await query(tx)`
    insert into learning_requests (user_id, project_id, session_id, event, evidence)
      select auth.uid(), ${session.projectId}, ${session.id}, ${TURN},
        jsonb_build_object('kind', 'turn', 'end', ${end}::text)
      where ${condition}
        or exists (select 1 from learning_requests
            where session_id = ${session.id} and event = ${TURN} and status = 'pending')
    on conflict (user_id, session_id) where status = 'pending' and event = 'turn'
      do update set run_after = now(), evidence = excluded.evidence
    returning id`;
  return rows.length;
}

/** Removes the request for a session's reading, because the session is read. It stays if something else ended meanwhile. */
export async function endReading(tx: Tx, id: string, end: string | undefined): Promise<void> {
  await query(tx)`
    delete from learning_requests where id = ${id}::uuid and evidence ->> 'end' is not distinct from ${end ?? null}::text`;
}
