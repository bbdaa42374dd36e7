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

/** Lets what a session's person said be judged now, because the turn in which it was said has ended. */
export async function releaseSaid(tx: Tx, sessionId: string): Promise<void> {
  await query(
    tx,
    sql`update learning_requests set run_after = now()
        where session_id = ${sessionId} and status = 'pending' and evidence ->> 'kind' = 'said'`,
  );
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
  const values = { ...decided, status: 'done' as const, error: null, finishedAt: new Date() };
  if (!('requestId' in from)) {
    await tx.insert(learningRequests).values({ ...from, ...values, attempts: 1 });
    return;
  }
  const kept = await tx
    .update(learningRequests)
    .set(values)
    .where(and(eq(learningRequests.id, from.requestId), eq(learningRequests.status, 'pending')))
    .returning({ id: learningRequests.id });
  if (kept.length === 0) throw new Error('the evidence was erased, or judged by another worker, meanwhile');
}

/** SQL condition: something that was captured in a session waits to be judged. */
export const waitsToBeJudged = (sessionId: SQL) =>
  sql`exists (select 1 from learning_requests r where r.session_id = ${sessionId} and r.status = 'pending')`;

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
  const rows = await query(
    tx,
    sql`insert into learning_requests (user_id, project_id, session_id, event, evidence)
          select auth.uid(), ${session.projectId}, ${session.id}, ${TURN},
            jsonb_build_object('kind', 'turn', 'end', ${end}::text)
          where ${condition}
            or exists (select 1 from learning_requests
                where session_id = ${session.id} and event = ${TURN} and status = 'pending')
        on conflict (user_id, session_id) where status = 'pending' and event = 'turn'
          do update set run_after = now(), evidence = excluded.evidence
        returning id`,
  );
  return rows.length;
}

/** Takes the request for a session's reading. Returns what had ended; null if it is gone. */
export async function takeReading(tx: Tx, id: string): Promise<{ end: string | undefined } | null> {
  const [request] = await tx
    .select({ evidence: learningRequests.evidence })
    .from(learningRequests)
    .where(eq(learningRequests.id, id))
    .for('update');
  return request ? { end: request.evidence?.end as string | undefined } : null;
}

/** Puts the reading of a session off. */
export async function putOffReading(tx: Tx, id: string, until: Date): Promise<void> {
  await tx.update(learningRequests).set({ runAfter: until, attempts: 0 }).where(eq(learningRequests.id, id));
}

/** Removes the request for a session's reading, because the session is read. It stays if something else ended meanwhile. */
export async function endReading(tx: Tx, id: string, end: string | undefined): Promise<void> {
  await query(
    tx,
    sql`delete from learning_requests where id = ${id}::uuid and evidence ->> 'end' is not distinct from ${end ?? null}::text`,
  );
}
