import { clip } from '../../base/text/clip.ts';
import { indexable } from '../../db/columns.ts';
import type { Tx } from '../../db/open.ts';
import { adviceOf, cureKey, type Fix, FORCED, fixIn, namedIn } from '../../incidents/fixes/fixes.ts';
import { tellingLine } from '../../incidents/forms.ts';
import { type LoadedIncident, loadIncident } from '../../incidents/incidents.ts';
import { readLine } from '../../shell/line.ts';
import { admit, type Provenance } from '../admit.ts';
import type { Candidate } from '../candidate.ts';
import { fixesFor } from '../rules.ts';

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
 * write, and nothing active answers the error. Whether any other answer holds again, only who understands the error knows.
 */
export async function admitIncident(tx: Tx, incidentId: string, event: string): Promise<void> {
  const incident = await loadIncident(tx, incidentId);
  const fix = incident?.resolution && fixIn({ ...incident, resolution: incident.resolution });
  if (!incident || !fix) return;
  const candidate = writeByRules(incident, fix);
  const [known] = await fixesFor(tx, incident.projectId, [incident.signature]);
  // `--level 4` in place of `--lvl 4` is what a lesson says of 3
  const carries = numbersIn(fix.failed).includes(numbersIn(fix.advised));
  if (known && carries && withoutNumbers(known) === withoutNumbers(candidate))
    candidate.lesson = known.lesson;
  const answered = known?.status === 'active' && known.lesson !== candidate.lesson;
  const cause = FORCED.test(candidate.lesson) ? 'forced' : 'noticed';
  const provenance = provenanceOf(incident, { evaluator: 'rules', why: null, cause });
  const refused = answered ? 'an active lesson answers the error' : null;
  const evidence = { kind: 'fixed', shape: fix.shape } as const;
  await admit(tx, { candidate, evidence, provenance, refused }, { event, incidentId });
}

const numbersIn = (text: string): string => (text.match(/\d+/g) ?? []).join(' ');
const withoutNumbers = ({ lesson }: { lesson: string }): string => lesson.replace(/\d+/g, '#');

/** Returns the lesson of an error as code writes it, which says only what was observed. */
function writeByRules(incident: LoadedIncident, found: Fix): Candidate {
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
