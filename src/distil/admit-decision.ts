import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { makeDecision, prepareDecision } from '../facts/decisions.ts';
import { ofNote } from '../facts/of-note.ts';
import { admitStatement } from './admit-statement.ts';
import type { DistilRequest } from './request.ts';

/** A decision that names no condition gets one: these words and the name of the project. */
const OF_PROJECT = 'working on ';

/**
 * Makes a decision that a person said or a note hints at. If a model read it in the person's words, the
 * decision is inferred: it ends nothing that a person stated.
 */
export async function admitDecision(
  services: { db: Database },
  claims: Claims,
  request: Extract<DistilRequest, { kind: 'decided' }>,
): Promise<void> {
  const { candidate, evidence } = request;
  const { condition, action } = evidence.decision as NonNullable<typeof evidence.decision>;
  const said = evidence.kind === 'said';
  const evaluator = said ? (evidence.by ?? 'person') : 'rules';
  const tier = !said ? evidence.tier : evidence.by === undefined ? 'person' : 'inferred';
  await admitStatement(services, claims, request, evaluator, async (tx, origin) => {
    const made = await makeDecision(
      tx,
      prepareDecision({
        ...origin,
        condition: condition ?? `${OF_PROJECT}${origin.project}`,
        action,
        confidence: candidate.confidence,
        learnedFrom: candidate.context,
        tier,
        evidence: said ? evidence.words : ofNote(evidence.note),
      }),
    );
    const opened = made.outcome === 'opened';
    const reason = `${opened ? 'made' : 'confirmed'} decision ${made.id}`;
    return { decision: opened ? 'stored' : 'merged', reason };
  });
}
