import { relativeTo } from '../files/relative-to.ts';
import { toldIn } from '../fixes/advice.ts';
import { explanationIn, termsOf } from '../fixes/explanation.ts';
import { tellingLine } from '../incidents/announces.ts';
import type { LoadedIncident, Resolution } from '../incidents/incidents.ts';
import { withoutIds } from '../incidents/sources.ts';
import type { Candidate } from '../learnings/candidate.ts';
import { contentWords } from '../learnings/contradiction.ts';
import type { Evidence } from '../learnings/judge.ts';
import { readLine } from '../shell/line.ts';
import { isShellTool, takesFields } from '../shell/shell-tools.ts';
import { clip } from '../text/clip.ts';

export type Written = Candidate & { why: string | null };

/** Returns what an incident proves. An error that went away although nothing was done proves nothing. */
export function evidenceOf({ kind, edits, commands }: Resolution): Evidence {
  if (kind !== 'same') return { kind: 'variant', rung: kind };
  if (edits.length + commands.length === 0) return { kind: 'none' };
  return { kind: 'resolved', edits: edits.length, commands: commands.length };
}

/** The input of a tool with its shape only where it was empty: “use `{"findings":[]}`” would advise to find nothing. */
const withoutEmpty = (line: string, tool: string): string =>
  takesFields(tool) ? line.replaceAll('[]', '[…]').replaceAll('{}', '{…}') : line;

/**
 * Returns the lesson as plain rules write it. It says only what was observed, in one of two shapes: *before X, first Y*
 * when something had to be done, and *X fails here: use Y* when another line worked.
 */
export function writeByRules(incident: LoadedIncident, resolution: Resolution): Written {
  const command = incident.line?.text ?? null;
  const told = toldIn(incident.line, resolution, incident);
  const { edits, changed } = told;
  const [ahead, worked] = aheadOf(command, told.changed ? resolution.command : null);
  const prepared = [...told.commands.map(({ text }) => text), ...ahead];
  const run = (line: string) =>
    `run ${shown(line, command ?? line, incident.root)}${fromOf(line, resolution)}`;
  const steps = [...prepared.map(run), ...describeEdits(edits, incident.root)];
  const first = steps.join(', then ');
  // lessons are read in other clones too
  const { root } = incident;
  const printed =
    root === null
      ? incident.error
      : incident.error.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
  const compose = (maxError: number, maxFailed: number): string => {
    const failed = lineOf(incident, resolution.command, maxFailed);
    const error = cut(tellingLine(printed), maxError);
    const line = withoutEmpty(resolution.command ?? '', incident.toolName);
    const use = `${shown(line, command ?? line, incident.root)}${fromOf(line, resolution)}`;
    if (worked !== null)
      return `${failed} fails here with “${error}”: ${first ? `${first}, then ` : ''}use ${use} instead.`;
    if (prepared.length > 0 && edits.length === 0)
      return `Before ${failed}, first ${first}. Otherwise it fails with “${error}”.`;
    return `When ${failed} fails with “${error}”: ${first || `use ${use}`}. Then it passes.`;
  };
  const lesson = LENGTHS.map(([error, failed]) => compose(error, failed)).reduce((longer, shorter) =>
    longer.length <= MAX_LESSON ? longer : shorter,
  );
  const failed = lineOf(incident, resolution.command, MAX_COMMAND);
  const files = [...new Set(edits.map((edit) => relativeTo(incident.root, edit.file)))];
  const doing = incident.task ? ` while working on: ${firstLine(incident.task, 160)}` : '';
  const why = explanationIn(resolution.lastMessage ?? '', termsOf(resolution)) ?? personSaid(resolution);
  return {
    lesson: withoutIds(lesson),
    context: `${isShellTool(incident.toolName) ? 'Running' : 'Using'} ${failed} in ${incident.projectName}${doing}`,
    why: why === null ? null : cut(withoutIds(why), 400),
    keywords: keywordsOf(`${printed} ${files.join(' ')} ${why ?? ''}`),
    appliesTo: appliesTo(incident, files),
    confidence: changed ? 0.8 : prepared.length > 0 ? 0.8 : 0.75,
  };
}

/**
 * Splits a line that worked into what it ran before the line that failed, and what it ran instead of that
 * line (null: the same line). A command that only has an effect in the same shell (a folder, a variable) is
 * left where it is.
 */
function aheadOf(failed: string | null, worked: string | null): [string[], string | null] {
  if (failed === null || worked === null) return [[], worked];
  const [from, to] = [failed, worked].map((line) => readLine(line).plain.replace(FOLDER, '')) as [
    string,
    string,
  ];
  const ahead = to.endsWith(` && ${from}`) ? to.slice(0, -from.length - 4) : '';
  return ahead === '' || /(?:^|[;&|]\s*)(?:cd|export|source|\.)\s/.test(ahead)
    ? [[], worked]
    : [[ahead], null];
}

/** Returns what the person said meanwhile, if it names something of the fix. */
const personSaid = (resolution: Resolution): string | null => {
  const { said } = resolution;
  const about =
    said !== null && termsOf(resolution).some((term) => said.toLowerCase().includes(term.toLowerCase()));
  return about ? `the person said: ${said}` : null;
};

/** Returns the failed call as a person would name it. */
const lineOf = (incident: LoadedIncident, worked: string | null, max: number): string =>
  incident.line !== null
    ? shown(incident.line.text, worked ?? incident.line.text, incident.root, max)
    : `${incident.toolName} ${cut(incident.target ?? '', 120)}`.trim();

/**
 * Returns a command in code marks, on one line, without a filter that shortens its output. Its folder is
 * shown only if `beside`, the line that it is compared with, ran in another folder.
 */
function shown(command: string, beside: string, root: string | null, max = MAX_COMMAND): string {
  const folder = folderOf(command, root);
  const moved = folder !== '' && folder !== folderOf(beside, root) ? `cd ${folder} && ` : '';
  const line = cut(`${moved}${readLine(command).plain.replace(FOLDER, '')}`, max);
  return line.includes('`') ? `“${line}”` : `\`${line}\``;
}

/** In characters. */
const MAX_COMMAND = 160;
/**
 * Longest lesson, in characters. A longer one is shortened where it tells least: the line that failed, then
 * its error.
 */
const MAX_LESSON = 380;
/**
 * Longest error and longest failed line, in characters. They are tried in this order until the lesson is
 * short enough.
 */
const LENGTHS: [error: number, failed: number][] = [
  [160, 160],
  [160, 70],
  [110, 60],
  [90, 40],
];

const FOLDER = /^cd (\S+) && /;

/** Returns which call prints the ids that a line holds: ` (from `lsof -ti :3000`)`; '' if none is known. */
function fromOf(line: string, { sources = [] }: Resolution): string {
  const calls = [
    ...new Set(sources.filter(({ value }) => line.includes(value)).map(({ call }) => readLine(call).plain)),
  ];
  return calls.length === 0 ? '' : ` (from ${calls.map((call) => `\`${call}\``).join(' and ')})`;
}

/** Returns the folder that a line changes to first, within the work tree; '' for none and for the work tree itself. */
const folderOf = (command: string, root: string | null): string => {
  const folder = FOLDER.exec(command)?.[1] ?? '';
  return folder === root || folder === '.' ? '' : relativeTo(root, folder).replace(/\/$/, '');
};

const appliesTo = (incident: LoadedIncident, files: string[]) =>
  [
    ...new Set([
      isShellTool(incident.toolName) ? readLine(incident.target ?? '').program : incident.toolName,
      ...files,
    ]),
  ]
    .filter((item) => item.length > 0)
    .slice(0, 10);

function describeEdits(edits: Resolution['edits'], root: string | null): string[] {
  const byFile = new Map<string, string[]>();
  for (const edit of edits) {
    const changes = byFile.get(edit.file) ?? [];
    changes.push(describeChange(edit));
    byFile.set(edit.file, changes);
  }
  return [...byFile].map(([file, changes]) => {
    const known = [...new Set(changes)].filter((change) => change.length > 0).slice(-2);
    return `edit ${relativeTo(root, file)}${known.length > 0 ? ` (${known.join('; ')})` : ''}`;
  });
}

/** Returns the lines of an edit that differ, shortened: `old` → `new`. */
function describeChange(edit: Resolution['edits'][number]): string {
  const lines = (text: string | null) =>
    (text ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.length > 0);
  const before = lines(edit.before);
  const after = lines(edit.after);
  const removed = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));
  const show = (list: string[]) => `\`${cut(list.slice(0, 2).join(' '), 110)}\``;
  if (removed.length === 0 && added.length === 0) return '';
  if (removed.length === 0) return `add ${show(added)}`;
  if (added.length === 0) return `remove ${show(removed)}`;
  return `${show(removed)} → ${show(added)}`;
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
const firstLine = (text: string, max: number) => cut(text.trim().split('\n', 1)[0] ?? '', max);
