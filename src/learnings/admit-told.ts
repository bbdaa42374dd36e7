import type { Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { prepareFact, putFact } from '../facts/facts.ts';
import { prepareRelation, putRelation } from '../facts/relations.ts';
import type { Put } from '../facts/statements.ts';
import { Problem } from '../problem.ts';
import { admitStatement, type StatementOrigin, type StatementRequest } from './admit-statement.ts';
import type { Evidence } from './judge.ts';
import type { Candidate } from './schema.ts';

type Telling = Extract<Evidence, { kind: 'told' }>;

/**
 * States a fact or relation that a person told an agent. A new value ends the one before it, and the same again confirms
 * it. What a model read in the person's words is inferred, so it ends nothing that a person stated.
 */
export async function admitTold(
  services: { db: Database },
  claims: Claims,
  request: StatementRequest,
  candidate: Candidate,
  evidence: Telling,
): Promise<void> {
  const evaluator = evidence.by ?? 'person';
  await admitStatement(
    services,
    claims,
    request,
    candidate,
    evidence,
    evaluator,
    async (tx, origin, verdict) => {
      try {
        const made = await state(tx, origin, evidence);
        const opened = made.outcome === 'opened';
        const kind = 'relation' in evidence.told ? 'relation' : 'fact';
        const reason = `${opened ? 'stated' : 'confirmed'} ${kind} ${made.id} (${verdict.reason})`;
        return { decision: opened ? 'stored' : 'merged', reason };
      } catch (error) {
        // its name holds what looks like a secret, or a person stated another value
        if (error instanceof Problem) return { decision: 'discarded', reason: error.detail };
        throw error;
      }
    },
  );
}

function state(tx: Tx, origin: StatementOrigin, { told, words, by }: Telling): Promise<{ id: string } & Put> {
  const about = {
    ...origin,
    tier: by === undefined ? ('person' as const) : ('inferred' as const),
    source: by,
    evidence: words,
  };
  return 'relation' in told
    ? putRelation(tx, prepareRelation({ ...told, ...about, attributes: {} }))
    : putFact(tx, prepareFact({ ...told, ...about }));
}
