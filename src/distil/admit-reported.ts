import type { Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { loadIncident } from '../incidents/incidents.ts';
import { type Admission, discarded, FROM_NO_ERROR, type Provenance } from '../learnings/admit.ts';
import type { Candidate, Evidence } from '../learnings/candidate.ts';
import { keepJudgement, wasAudited } from '../learnings/requests.ts';
import { admitCandidate } from './admit-candidate.ts';
import { provenanceOf } from './admit-incident.ts';
import { causeByAgent, causeByModel, type Lasts } from './lasting-by-model.ts';

/** A lesson that a model, or an agent, reports after it looked back on a session. */
export type Reported = {
  candidate: Candidate;
  lasting: Lasts;
  /** whether an agent says so; then it is only proposed, for a hooks key can say anything */
  byAgent: boolean;
  /**
   * a name in the lesson that the record does not contain, so the lesson must not be believed; null if there
   * is none
   */
  invented: string | null;
  /** the error of the session that it answers */
  incidentId: string | null;
  sessionId: string;
  projectId: string;
  /** id of the audit, and `audit:` with the model or `agent:` with the agent's name */
  audit: string;
  evaluator: string;
};

/**
 * Judges a reported lesson like any other, and stores the decision. If it was judged before, nothing changes.
 */
export async function admitReported(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  reported: Reported,
): Promise<void> {
  const { candidate, sessionId, projectId, audit, evaluator, lasting, byAgent } = reported;
  const keep = (tx: Tx, admission: Admission, evidence: Evidence) =>
    keepJudgement(
      tx,
      { projectId, sessionId, agentId: null, event: 'audit' },
      { candidate, evidence, evaluator, admission },
    );
  const refusal =
    reported.invented !== null
      ? `it names ${reported.invented}, which the record does not hold`
      : lasting === 'local'
        ? `it does not transfer, says the ${byAgent ? 'agent' : 'model'}`
        : null;
  await admitCandidate(
    services,
    claims,
    async (tx) => {
      if (await wasAudited(tx, sessionId, candidate.lesson)) return null;
      const incident = reported.incidentId === null ? undefined : await loadIncident(tx, reported.incidentId);
      const evidence: Evidence = incident?.resolution
        ? { kind: 'reported-resolved', audit, incident: incident.id }
        : { kind: 'reported', audit };
      if (refusal !== null) {
        await keep(tx, discarded(refusal), evidence);
        return null;
      }
      const about = {
        evaluator,
        why: null,
        cause: byAgent ? causeByAgent(candidate.lesson) : causeByModel(candidate.lesson, lasting, true),
      } as const;
      const provenance: Provenance = incident
        ? provenanceOf(incident, about)
        : { projectId, sessionId, agentId: null, ...FROM_NO_ERROR, sameKey: '', ...about };
      return { candidate, evidence, provenance };
    },
    (tx, admission, { evidence }) => keep(tx, admission, evidence),
  );
}
