import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import { adviceOf, cureKey, FORCED } from '../fixes/fixes.ts';
import { type LoadedIncident, loadIncident } from '../incidents/incidents.ts';
import { admit, discarded, type Provenance } from '../learnings/admit.ts';
import { finishRequest } from '../learnings/requests.ts';
import { fixesFor } from '../learnings/rules.ts';
import type { DistilServices, Waiting } from './services.ts';
import { evidenceOf, writeByRules } from './write-lesson.ts';

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

/**
 * Keeps the lesson that code writes about an error and what answered it, as proposed: if it is of the few kinds that it may
 * write, and nothing active answers the error.
 */
export async function admitIncident(
  { db }: DistilServices,
  claims: Claims,
  request: Waiting<'incident'>,
): Promise<void> {
  await asUser(db, claims, async (tx) => {
    const incident = await loadIncident(tx, request.incidentId);
    if (!incident?.resolution) throw new Error('the incident has no resolution');
    const { projectId, signature } = incident;
    const evidence = evidenceOf(incident.resolution);
    const candidate = writeByRules(incident, incident.resolution);
    const known = await fixesFor(tx, projectId, [signature]);
    const answered = known.find(({ status, lesson }) => status === 'active' && lesson !== candidate?.lesson);
    const provenance = provenanceOf(incident, { evaluator: 'rules', why: null, cause: 'noticed' });
    const admission =
      candidate === null
        ? discarded('only who understands the error knows whether its answer holds again')
        : answered
          ? discarded(`${answered.id} answers the error`)
          : FORCED.test(candidate.lesson)
            ? discarded('it is a way around a safeguard')
            : await admit(tx, candidate, evidence, provenance);
    await finishRequest(tx, request.id, { candidate, evidence, evaluator: 'rules', admission });
  });
}
