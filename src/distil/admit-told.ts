import type { Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { prepareFact, putFact } from '../facts/facts.ts';
import { prepareRelation, putRelation } from '../facts/relations.ts';
import type { Put } from '../facts/statements.ts';
import { namesIn } from '../language/names.ts';
import type { TellsFact } from '../language/read-prompt.ts';
import type { Evidence } from '../learnings/candidate.ts';
import { queueRequests } from '../learnings/requests.ts';
import { admitStatement, type StatementOrigin } from './admit-statement.ts';
import type { DistilRequest } from './request.ts';

/** Confidence in what a person told: if a rule found it, and if a model read it in their words. */
const CONFIDENCE = { rules: 0.9, model: 0.7 };

/**
 * Queues facts and relations that a person told.
 *
 * @param by the model that read them in the person's words, if no rule did
 */
export async function queueTold(
  tx: Tx,
  session: { id: string; projectId: string },
  event: string,
  told: TellsFact[],
  by?: string,
): Promise<void> {
  await queueRequests(
    tx,
    told.map(({ told: fact, words }) => {
      const about = namesIn(words);
      return {
        projectId: session.projectId,
        sessionId: session.id,
        event,
        candidate: {
          lesson: words,
          context: 'What the person said about this project',
          keywords: about,
          appliesTo: about.length > 0 ? about : ['project'],
          confidence: by === undefined ? CONFIDENCE.rules : CONFIDENCE.model,
        },
        evidence: { kind: 'told', words, told: fact, by },
      };
    }),
  );
}

type Telling = Extract<Evidence, { kind: 'told' }>;

/**
 * States a fact or relation that a person told an agent. A new value ends the one before it, and the same again confirms
 * it. What a model read in the person's words is inferred, so it ends nothing that a person stated.
 */
export async function admitTold(
  services: { db: Database },
  claims: Claims,
  request: Extract<DistilRequest, { kind: 'told' }>,
): Promise<void> {
  const { evidence } = request;
  await admitStatement(services, claims, request, evidence.by ?? 'person', async (tx, origin) => {
    try {
      const made = await state(tx, origin, evidence);
      const opened = made.outcome === 'opened';
      const kind = 'relation' in evidence.told ? 'relation' : 'fact';
      const reason = `${opened ? 'stated' : 'confirmed'} ${kind} ${made.id}`;
      return { decision: opened ? 'stored' : 'merged', reason };
    } catch (error) {
      // its name contains what looks like a secret, or a person stated another value
      if (error instanceof Problem) return { decision: 'discarded', reason: error.detail };
      throw error;
    }
  });
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
