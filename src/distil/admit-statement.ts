import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import type { Admission } from '../learnings/admit.ts';
import type { Candidate } from '../learnings/candidate.ts';
import { type Evidence, judge, STORE_AT, type Verdict } from '../learnings/judge.ts';
import { finishRequest } from '../learnings/requests.ts';
import { projectNameOf } from '../sessions/projects.ts';
import type { Origin } from './request.ts';

/** What each statement that a request makes has in common. */
export type StatementOrigin = { project: string; session: string | undefined; agent: string | undefined };

/**
 * Judges a candidate for a fact, relation or decision in the same way as a lesson. If it passes, `state`
 * makes it. Otherwise it is discarded, because a statement cannot begin on trial. The verdict is stored in
 * the same transaction.
 */
export async function admitStatement(
  { db }: { db: Database },
  claims: Claims,
  request: Origin & { candidate: Candidate; evidence: Evidence },
  evaluator: string,
  state: (
    tx: Tx,
    origin: StatementOrigin,
    verdict: Verdict,
  ) => Promise<Pick<Admission, 'decision' | 'reason'>>,
): Promise<void> {
  const { id, projectId, sessionId, agentId, candidate, evidence } = request;
  const verdict = judge(candidate, evidence, 0);
  await asUser(db, claims, async (tx) => {
    // this and an erasure exclude each other: the one that comes second waits (holdAdmissions)
    await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${projectId}, 0))`);
    const made = async (): Promise<Pick<Admission, 'decision' | 'reason'>> => {
      if (verdict.refused || verdict.score < STORE_AT) {
        return { decision: 'discarded', reason: verdict.reason };
      }
      const [project] = await query<{ name: string }>(
        tx,
        sql`select ${projectNameOf(sql`${projectId}::uuid`)} as name`,
      );
      const origin = {
        project: project?.name ?? '',
        session: sessionId ?? undefined,
        agent: agentId ?? undefined,
      };
      return state(tx, origin, verdict);
    };
    const admission = { ...(await made()), score: verdict.score, learningId: null };
    await finishRequest(tx, id, { candidate, evidence, evaluator, admission });
  });
}
