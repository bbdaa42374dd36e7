import { type Fix, fixIn } from '../fixes/fixes.ts';
import { tellingLine } from '../incidents/forms.ts';
import type { LoadedIncident, Resolution } from '../incidents/incidents.ts';
import { contentWords } from '../language/content-words.ts';
import type { Candidate, Evidence } from '../learnings/candidate.ts';
import { readLine } from '../shell/line.ts';
import { clip } from '../text/clip.ts';

/** Returns what an incident proves. An error that went away although nothing was done proves nothing. */
export function evidenceOf({ kind, edits, commands }: Resolution): Evidence {
  if (kind !== 'same') return { kind: 'variant', rung: kind };
  if (edits.length + commands.length === 0) return { kind: 'none' };
  return { kind: 'resolved', edits: edits.length, commands: commands.length };
}

/** Returns the lesson of an error as code writes it, which says only what was observed; null if it shows no fix. */
export function writeByRules(incident: LoadedIncident, resolution: Resolution): Candidate | null {
  const found = fixIn({ ...incident, resolution });
  if (found === null) return null;
  const { root } = incident;
  // lessons are read in other clones too
  const inClone = (text: string) =>
    root === null ? text : text.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
  const fix = { ...found, failed: inClone(found.failed), advised: inClone(found.advised) };
  const printed = inClone(incident.error);
  const doing = incident.task
    ? ` while working on: ${cut(incident.task.trim().split('\n', 1)[0] ?? '', 160)}`
    : '';
  return {
    lesson: LENGTHS.map(([error, line]) => told(fix, tellingLine(printed), error, line)).reduce(
      (longer, shorter) => (longer.length <= MAX_LESSON ? longer : shorter),
    ),
    context: `Running ${code(fix.failed, MAX_COMMAND)} in ${incident.projectName}${doing}`,
    keywords: keywordsOf(printed),
    appliesTo: [readLine(fix.failed).program].filter((item) => item !== ''),
    confidence: 0.8,
  };
}

function told(fix: Fix, error: string, maxError: number, maxLine: number): string {
  const [failed, said] = [code(fix.failed, maxLine), cut(error, maxError)];
  return fix.shape === 'other line'
    ? `${failed} fails here with “${said}”: use ${code(fix.advised, MAX_COMMAND)} instead.`
    : `Before ${failed}, first run ${code(fix.advised, MAX_COMMAND)}. Otherwise it fails with “${said}”.`;
}

/** In characters. */
const MAX_COMMAND = 160;
/** Longest lesson, in characters. A longer one is shortened where it tells least: the line that failed, then its error. */
const MAX_LESSON = 380;
/** Longest error and longest failed line, in characters, tried in this order until the lesson is short enough. */
const LENGTHS: [error: number, line: number][] = [
  [160, 160],
  [160, 70],
  [110, 60],
  [90, 40],
];

/** Returns a command in code marks, on one line. */
function code(command: string, max: number): string {
  const line = cut(command, max);
  return line.includes('`') ? `“${line}”` : `\`${line}\``;
}

/** Returns at most twelve words that are probably rare: long words and identifiers first. */
function keywordsOf(text: string): string[] {
  const words = [...new Set(contentWords(text))].filter((word) => word.length > 2 && !/^\d+$/.test(word));
  return words.sort((a, b) => weight(b) - weight(a)).slice(0, 12);
}
const weight = (word: string) => Math.min(word.length, 14) + (/[_./@-]/.test(word) ? 6 : 0);

const cut = (text: string, max: number) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${clip(line, max - 1)}…`;
};
