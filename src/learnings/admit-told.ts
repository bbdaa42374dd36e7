import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query } from '../db/open.ts';
import { prepareFact, putFact } from '../facts/facts.ts';
import { prepareRelation, putRelation } from '../facts/relations.ts';
import type { Put } from '../facts/statements.ts';
import type { Told } from '../facts/told-facts.ts';
import { Problem } from '../problem.ts';
import { projectNameOf } from '../sessions/projects.ts';
import type { Admission } from './admit.ts';
import { finish } from './admit-candidate.ts';
import { type Evidence, judge, STORE_AT } from './judge.ts';
import type { Candidate } from './schema.ts';

type Request = { id: string; project_id: string; session_id: string | null; agent_id: string | null };
type Telling = Extract<Evidence, { kind: 'told' }>;

/**
 * States a fact or relation that a person told an agent. A new value ends the one before it, and the same again confirms
 * it. What a model read in the person's words is inferred, so it ends nothing that a person stated. There is no review:
 * what a lesson would wait for is discarded.
 */
export async function admitTold(
  services: { db: Database },
  claims: Claims,
  request: Request,
  candidate: Candidate,
  evidence: Telling,
): Promise<void> {
  const verdict = judge(candidate, evidence, 0);
  await asUser(services.db, claims, async (tx) => {
    // an erasure waits for it, or it for the erasure (holdAdmissions)
    await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${request.project_id}, 0))`);
    const end = (admission: Pick<Admission, 'decision' | 'reason'>) =>
      finish(tx, request.id, candidate, evidence, evidence.by ?? 'person', {
        ...admission,
        score: verdict.score,
        learningId: null,
      });
    if (verdict.refused || verdict.score < STORE_AT) {
      return end({ decision: 'discarded', reason: verdict.reason });
    }
    const [project] = await query<{ name: string }>(
      tx,
      sql`select ${projectNameOf(sql`${request.project_id}::uuid`)} as name`,
    );
    const about = {
      project: project?.name ?? '',
      tier: evidence.by === undefined ? ('person' as const) : ('inferred' as const),
      source: evidence.by,
      evidence: evidence.words,
      session: request.session_id ?? undefined,
      agent: request.agent_id ?? undefined,
    };
    const { told } = evidence;
    const state = (): Promise<{ id: string } & Put> =>
      'relation' in told
        ? putRelation(tx, prepareRelation({ ...told, ...about, attributes: {} }))
        : putFact(tx, prepareFact({ ...told, ...about }));
    try {
      const made = await state();
      const opened = made.outcome === 'opened';
      const reason = `${opened ? 'stated' : 'confirmed'} ${nameOf(told)} ${made.id} (${verdict.reason})`;
      return await end({ decision: opened ? 'stored' : 'merged', reason });
    } catch (error) {
      // its name holds what looks like a secret, or a person stated another value
      if (error instanceof Problem) return await end({ decision: 'discarded', reason: error.detail });
      throw error;
    }
  });
}

const nameOf = (told: Told): string => ('relation' in told ? 'relation' : 'fact');
