import type { Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import type { Tx } from '../db/open.ts';
import { adviceOf, cureKey, FORCED } from '../fixes/fixes.ts';
import { type LoadedIncident, loadIncident } from '../incidents/incidents.ts';
import { type Admission, discarded, type Provenance } from '../learnings/admit.ts';
import type { Evidence } from '../learnings/candidate.ts';
import { finishRequest } from '../learnings/requests.ts';
import { admitCandidate, type Made } from './admit-candidate.ts';
import type { DistilRequest } from './request.ts';
import type { DistilServices } from './services.ts';
import { evidenceOf, type Written, writeByRules } from './write-lesson.ts';

/** Returns where the lesson of an incident comes from. */
export const provenanceOf = (
  incident: LoadedIncident,
  about: Pick<Provenance, 'evaluator' | 'why' | 'cause'>,
): Provenance => {
  const advice = adviceOf(incident);
  return {
    projectId: incident.projectId,
    sessionId: incident.resolution?.sessionId ?? incident.sessionId,
    agentId: incident.agentId,
    incidentId: incident.id,
    error: incident.error,
    errorType: incident.errorType,
    signature: incident.signature,
    target: incident.target,
    branch: incident.branch,
    sameKey: advice === null ? '' : indexable(cureKey(advice)),
    ...about,
  };
};

/** Returns the candidate of an incident's lesson. */
export function madeOf(
  incident: LoadedIncident,
  written: Written,
  evidence: Evidence,
  about: Pick<Provenance, 'evaluator' | 'cause'>,
): Made {
  const { why, ...candidate } = written;
  return { candidate, evidence, provenance: provenanceOf(incident, { ...about, why }) };
}

/** Keeps the lesson that the rules write about an error and what answered it, as proposed. */
export async function admitIncident(
  services: DistilServices,
  claims: Claims,
  request: Extract<DistilRequest, { kind: 'incident' }>,
): Promise<void> {
  const finish = (
    tx: Tx,
    { candidate, evidence }: Pick<Made, 'evidence'> & { candidate: Made['candidate'] | null },
    admission: Admission,
  ) => finishRequest(tx, request.id, { candidate, evidence, evaluator: 'rules', admission });
  await admitCandidate(
    services,
    claims,
    async (tx) => {
      const incident = await loadIncident(tx, request.incidentId);
      if (!incident?.resolution) throw new Error('the incident has no resolution');
      const evidence = evidenceOf(incident.resolution);
      const discard = async (reason: string) => {
        await finish(tx, { candidate: null, evidence }, discarded(reason));
        return null;
      };
      const written = writeByRules(incident, incident.resolution);
      if (written === null)
        return discard('only who understands the error knows whether its answer holds again');
      const cause = FORCED.test(written.lesson) ? 'forced' : 'noticed';
      return madeOf(incident, written, evidence, { evaluator: 'rules', cause });
    },
    (tx, admission, made) => {
      const reason = request.note ? `${admission.reason}; ${request.note}` : admission.reason;
      return finish(tx, made, { ...admission, reason });
    },
  );
}
