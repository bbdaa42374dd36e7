import { clip } from '../../base/text/clip.ts';
import { asUser, type Claims } from '../../db/as-user.ts';
import { indexable } from '../../db/columns.ts';
import { adviceOf, cureKey, FORCED, fixIn } from '../../incidents/fixes/fixes.ts';
import { namedIn } from '../../incidents/fixes/names.ts';
import { tellingLine } from '../../incidents/forms.ts';
import { type LoadedIncident, loadIncident } from '../../incidents/incidents.ts';
import { readLine } from '../../shell/line.ts';
import { admit, discarded, type Provenance } from '../admit.ts';
import type { Candidate, Evidence } from '../candidate.ts';
import { keepDecision } from '../requests.ts';
import { fixesFor } from '../rules.ts';
import type { DistilServices } from './ask-model.ts';

/** Returns where the lesson of an incident comes from. */
export function provenanceOf(
  incident: LoadedIncident,
  about: Pick<Provenance, 'evaluator' | 'why' | 'cause'>,
): Provenance {
  const { projectId, agentId, error, errorType, signature, target, branch } = incident;
  const advice = adviceOf(incident);
  return {
    ...{ projectId, agentId, error, errorType, signature, target, branch, ...about },
    sessionId: incident.resolution?.sessionId ?? incident.sessionId,
    incidentId: incident.id,
    sameKey: advice === null ? '' : indexable(cureKey(advice)),
  };
}

/**
 * Keeps the lesson that code writes about an error and what answered it, as proposed: if it is of the few kinds that it may
 * write, and nothing active answers the error.
 */
export async function admitIncident(
  { db }: DistilServices,
  claims: Claims,
  { id, incidentId }: { id: string; incidentId: string },
): Promise<void> {
  await asUser(db, claims, async (tx) => {
    const incident = await loadIncident(tx, incidentId);
    if (!incident?.resolution) throw new Error('the incident has no resolution');
    const evidence = evidenceOf(incident.resolution);
    const candidate = writeByRules(incident, incident.resolution);
    const known = await fixesFor(tx, incident.projectId, [incident.signature]);
    const answered = known.some(({ status, lesson }) => status === 'active' && lesson !== candidate?.lesson);
    if (candidate === null || answered) {
      const reason = answered ? 'an active lesson answers the error' : NOT_FOR_CODE;
      const admission = discarded(reason);
      return keepDecision(tx, { requestId: id }, { candidate, evidence, evaluator: 'rules', ...admission });
    }
    const cause = FORCED.test(candidate.lesson) ? 'forced' : 'noticed';
    const provenance = provenanceOf(incident, { evaluator: 'rules', why: null, cause });
    await admit(tx, { candidate, evidence, provenance }, { requestId: id });
  });
}

const NOT_FOR_CODE = 'only who understands the error knows whether its answer holds again';

/** Returns what an incident proves. An error that went away although nothing was done proves nothing. */
function evidenceOf({ kind, edits, commands }: NonNullable<LoadedIncident['resolution']>): Evidence {
  if (kind !== 'same') return { kind: 'variant', rung: kind };
  if (edits.length + commands.length === 0) return { kind: 'none' };
  return { kind: 'resolved', edits: edits.length, commands: commands.length };
}

/** Returns the lesson of an error as code writes it, which says only what was observed; null if it shows no fix. */
function writeByRules(
  incident: LoadedIncident,
  resolution: NonNullable<LoadedIncident['resolution']>,
): Candidate | null {
  const found = fixIn({ ...incident, resolution });
  if (found === null) return null;
  const { root } = incident;
  // lessons are read in other clones too
  const inClone = (text: string) =>
    root === null ? text : text.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
  const [failed, advised] = [code(inClone(found.failed), 70), code(inClone(found.advised), 160)];
  const printed = inClone(incident.error);
  const said = cut(tellingLine(printed), 110);
  return {
    lesson:
      found.shape === 'other line'
        ? `${failed} fails here with “${said}”: use ${advised} instead.`
        : `Before ${failed}, first run ${advised}. Otherwise it fails with “${said}”.`,
    context: `Running ${failed} in ${incident.projectName}`,
    keywords: namedIn(printed).slice(0, 12),
    appliesTo: [readLine(found.failed).program].filter((item) => item !== ''),
    confidence: 0.8,
  };
}

/** Returns a command in code marks, on one line. */
function code(command: string, max: number): string {
  const line = cut(command, max);
  return line.includes('`') ? `“${line}”` : `\`${line}\``;
}

function cut(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${clip(line, max - 1)}…`;
}
