import type { Tx } from '../db/open.ts';
import { type Admission, admit as admitHere, discarded, type Provenance } from '../learnings/admit.ts';
import type { Candidate, Evidence } from '../learnings/candidate.ts';
import { finishRequest, keepJudgement } from '../learnings/requests.ts';

/** A candidate with what it rests on and where it comes from. `refused`: why it is not kept. */
type Made = { candidate: Candidate; evidence: Evidence; provenance: Provenance; refused?: string | null };

/**
 * Admits what an agent, a model, a person or code made, all by the same way, and records the decision in the same
 * transaction: a crash cannot count it twice.
 *
 * @param from the request that waited for it, or what led to it
 */
export async function admit(
  tx: Tx,
  { candidate, evidence, provenance, refused }: Made,
  from: { requestId: string } | { event: string },
): Promise<Admission> {
  const { projectId, sessionId, agentId } = provenance;
  const admission = refused ? discarded(refused) : await admitHere(tx, candidate, evidence, provenance);
  // a model that read a person's words is no person: who said what stands in the evidence
  const evaluator = (evidence.kind === 'said' && evidence.by) || provenance.evaluator;
  const judged = { candidate, evidence, evaluator, admission };
  if ('requestId' in from) await finishRequest(tx, from.requestId, judged);
  else await keepJudgement(tx, { projectId, sessionId, agentId, ...from }, judged);
  return admission;
}
