import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { query } from '../db/open.ts';
import { makeDecision, prepareDecision } from '../facts/decisions.ts';
import { projectNameOf } from '../sessions/projects.ts';
import type { Admission } from './admit.ts';
import { finish } from './admit-candidate.ts';
import { type Evidence, judge, STORE_AT } from './judge.ts';
import type { Candidate } from './schema.ts';

type Request = { id: string; project_id: string; session_id: string | null; agent_id: string | null };
type Deciding = Extract<Evidence, { kind: 'said' | 'noted' }>;

/** The condition of a decision that names none is this and the project. */
export const OF_PROJECT = 'working on ';

/** How the decisions that come from a note name it as their evidence. */
export const ofNote = (id: string): string => `note:${id}`;

/**
 * Judges a decision that a person said or a note hints at, by the gate of the lessons, and makes it. What the gate does
 * not store at once is discarded: a decision has no review.
 */
export async function admitDecision(
  services: { db: Database },
  claims: Claims,
  request: Request,
  candidate: Candidate,
  evidence: Deciding,
): Promise<void> {
  const verdict = judge(candidate, evidence, 0);
  const { condition, action } = evidence.decision as NonNullable<Deciding['decision']>;
  const said = evidence.kind === 'said';
  await asUser(services.db, claims, async (tx) => {
    // an erasure waits for it, or it for the erasure (holdAdmissions)
    await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${request.project_id}, 0))`);
    const end = (admission: Pick<Admission, 'decision' | 'reason'>) =>
      finish(tx, request.id, candidate, evidence, said ? 'person' : 'rules', {
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
    const name = project?.name ?? '';
    const made = await makeDecision(
      tx,
      prepareDecision({
        project: name,
        condition: condition ?? `${OF_PROJECT}${name}`,
        action,
        confidence: verdict.confidence,
        learnedFrom: candidate.context,
        tier: said ? 'person' : evidence.tier,
        evidence: said ? evidence.words : ofNote(evidence.note),
        session: request.session_id ?? undefined,
        agent: request.agent_id ?? undefined,
      }),
    );
    const opened = made.outcome === 'opened';
    const reason = `${opened ? 'made' : 'confirmed'} decision ${made.id} (${verdict.reason})`;
    return end({ decision: opened ? 'stored' : 'merged', reason });
  });
}
