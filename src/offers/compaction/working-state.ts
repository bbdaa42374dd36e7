import { relativeTo } from '../../base/files/relative-to.ts';
import { estimateTokens } from '../../base/text/tokens.ts';
import type { Tx } from '../../db/open.ts';
import { listIncidents } from '../../incidents/incidents.ts';
import { type Cited, lastObservations } from '../../kinds/observations.ts';
import { lessonsMade } from '../../learnings/learnings.ts';
import { workOf } from '../../sessions/calls.ts';
import { sessionContext } from '../../sessions/sessions.ts';
import { type Offer, quote } from '../frame.ts';
import { offeredTexts } from '../offers.ts';

/** What a session is working on. All texts are already cut and made harmless. */
export type WorkingState = {
  /** what the person asked for first, and last if that is something else */
  task: string | null;
  prompt: string | null;
  /** the skill that was called last */
  skill: string | null;
  /** lessons and decisions that the agent was told, or that were learned in the session, the newest first */
  decisions: string[];
  /** errors that nothing has answered yet, with what they happened to */
  incidents: string[];
  /** files that were written, the newest first */
  files: string[];
  /** long outputs that can be read again, the newest first */
  observations: string[];
};

/** Most tokens of its lines. The rest is for the numbers and the indentation of the lines. */
const LINES_TOKENS = 1_400;
const MOST = { decisions: 6, incidents: 4, files: 20, observations: 8 };
/** Longest form of each part, in tokens as `quote` cuts them. */
const LENGTH = { goal: 150, skill: 20, decision: 60, incident: 60, file: 40, observation: 40 };
/** Most tokens of files or outputs in one line. A line has 240 tokens at most. */
const IN_LINE = 200;

/**
 * Returns what a session is working on, from what is stored of it.
 *
 * @param session Lore's id, the client's id and the work tree
 */
export async function workingStateOf(
  tx: Tx,
  session: { id: string; clientId: string; root: string | null },
): Promise<WorkingState> {
  const [work, { task: first }] = [
    await workOf(tx, session.id, MOST.files),
    await sessionContext(tx, session.id),
  ];
  const [told, learned, errors, outputs] = [
    await offeredTexts(tx, session.id, ['decision', 'lesson'], MOST.decisions),
    (await lessonsMade(tx, session.id)).filter(({ validUntil }) => validUntil === null).reverse(),
    await listIncidents(tx, { session: session.id, status: 'unsolved', limit: MOST.incidents }),
    await lastObservations(tx, session.clientId, MOST.observations),
  ];
  const short = (text: string | null, tokens: number) => (text === null ? null : quote(text, tokens) || null);
  const each = (texts: (string | null)[], tokens: number) =>
    texts.flatMap((text) => short(text, tokens) ?? []);
  const task = short(first, LENGTH.goal);
  const prompt = short(work.prompt, LENGTH.goal);
  const decisions = [...learned.map(({ lesson }) => lesson), ...told.map((text) => text.replace(LABEL, ''))];
  return fitted({
    task,
    prompt: prompt === task ? null : prompt,
    skill: short(work.skill, LENGTH.skill),
    decisions: [...new Set(each(decisions, LENGTH.decision))].slice(0, MOST.decisions),
    incidents: each(
      errors.map(({ target, error }) => `${target === null ? '' : `${quote(target, 20)}: `}${error}`),
      LENGTH.incident,
    ),
    files: each(
      work.files.map((file) => relativeTo(session.root, file)),
      LENGTH.file,
    ),
    observations: each(outputs.map(citation), LENGTH.observation),
  });
}

/** The label before the words of a lesson that was offered. */
const LABEL = /^\[\w+\] |^Kept, because the person asked for it: /;

const citation = ({ id, tool, about, characters }: Cited): string =>
  `obs:${id} ${tool} ${quote(about, 20)} (${characters.toLocaleString('en-US')} characters)`;

/** Leaves out the oldest files and outputs until the state fits into its budget. */
function fitted(state: WorkingState): WorkingState {
  const fits = { ...state, files: [...state.files], observations: [...state.observations] };
  while (estimateTokens(linesOf(fits).join('\n')) > LINES_TOKENS) {
    const longest = fits.files.length >= fits.observations.length ? fits.files : fits.observations;
    if (longest.pop() === undefined) break;
  }
  return fits;
}

/** Returns a state as the lines that an agent reads. */
function linesOf({ task, prompt, skill, decisions, incidents, files, observations }: WorkingState) {
  return [
    ...(task === null ? [] : [`Task: ${task}`]),
    ...(prompt === null ? [] : [`Asked last: ${prompt}`]),
    ...(skill === null ? [] : [`Skill in use: ${skill}`]),
    ...decisions.map((text) => `Keep in mind: ${text}`),
    ...incidents.map((text) => `Open error: ${text}`),
    ...chunks(files).map((some) => `Files written: ${some}`),
    ...chunks(observations).map((some) => `Outputs kept (lore obs ID): ${some}`),
  ];
}

/** Joins texts to lines that are not cut. */
function chunks(texts: string[]): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const longer = lines.length === 0 ? text : `${lines.at(-1)}; ${text}`;
    if (lines.length > 0 && estimateTokens(longer) <= IN_LINE) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}

/** Returns a state as it is put before an agent whose context was compacted. */
export const offerState = (state: WorkingState): Offer => ({
  kind: 'working-state',
  sourceId: null,
  relevance: null,
  lines: ['What this session was working on before its context was compacted:', ...linesOf(state)],
});
