import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import type { Admission } from '../learnings/admit.ts';
import type { Candidate, Evidence } from '../learnings/candidate.ts';
import { finishRequest } from '../learnings/requests.ts';
import { projectNameOf } from '../sessions/projects.ts';
import type { Origin } from './request.ts';

/** What each statement that a request makes has in common. */
export type StatementOrigin = { project: string; session: string | undefined; agent: string | undefined };

/**
 * Makes a fact, relation or decision of what was said, by `state`, and stores in the same transaction what came of it.
 */
export async function admitStatement(
  { db }: { db: Database },
  claims: Claims,
  request: Origin & { candidate: Candidate; evidence: Evidence },
  evaluator: string,
  state: (tx: Tx, origin: StatementOrigin) => Promise<Pick<Admission, 'decision' | 'reason'>>,
): Promise<void> {
  const { id, projectId, sessionId, agentId, candidate, evidence } = request;
  await asUser(db, claims, async (tx) => {
    // this and an erasure exclude each other: the one that comes second waits (holdAdmissions)
    await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${projectId}, 0))`);
    const [project] = await query<{ name: string }>(
      tx,
      sql`select ${projectNameOf(sql`${projectId}::uuid`)} as name`,
    );
    const origin = {
      project: project?.name ?? '',
      session: sessionId ?? undefined,
      agent: agentId ?? undefined,
    };
    const admission = { ...(await state(tx, origin)), learningId: null };
    await finishRequest(tx, id, { candidate, evidence, evaluator, admission });
  });
}
