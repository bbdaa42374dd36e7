import type { Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import type { Tx } from '../db/open.ts';
import { adviceOf, cureKey } from '../fixes/advice.ts';
import { FORCED, isLasting } from '../fixes/lasting.ts';
import { type LoadedIncident, loadIncident, sawErrorBefore } from '../incidents/incidents.ts';
import type { Admission, Provenance } from '../learnings/admit.ts';
import type { Evidence } from '../learnings/judge.ts';
import { finishRequest } from '../learnings/requests.ts';
import { filesWritten } from '../sessions/calls.ts';
import { admitCandidate, discarded, type Made } from './admit-candidate.ts';
import type { DistilRequest } from './request.ts';
import type { DistilServices } from './services.ts';
import { evidenceOf, type Written, writeByRules } from './write-lesson.ts';

/** The client's file tools. Their own errors ("read it first") say nothing about the project. */
const FILE_TOOLS = new Set(['Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Glob', 'Grep']);

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
    advice,
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

/** Judges the lesson that the rules write about an error and what answered it. It begins on trial. */
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
      if (FILE_TOOLS.has(incident.toolName)) {
        return discard("an error of the client's own file tool, not of the project");
      }
      const { verdict, reason } = isLasting({
        tool: incident.toolName,
        line: incident.line,
        target: incident.target,
        root: incident.root,
        error: incident.error,
        errorType: incident.errorType,
        resolution: incident.resolution,
        ownFiles: await filesWritten(tx, incident.sessionId, incident.openedAt),
        seenBefore: await sawErrorBefore(tx, incident),
      });
      if (verdict === 'local') return discard(`it does not transfer: ${reason}`);
      const written = writeByRules(incident, incident.resolution);
      const cause = FORCED.test(written.lesson) ? 'forced' : 'noticed';
      return madeOf(incident, written, evidence, { evaluator: 'rules', cause });
    },
    (tx, admission, made) => {
      const reason = request.note ? `${admission.reason}; ${request.note}` : admission.reason;
      return finish(tx, made, { ...admission, reason });
    },
  );
}
