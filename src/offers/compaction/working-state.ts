import { relativeTo } from '../../base/files/relative-to.ts';
import { estimateTokens } from '../../base/text/tokens.ts';
import type { Tx } from '../../db/open.ts';
import { listIncidents } from '../../incidents/incidents.ts';
import { type Cited, lastObservations } from '../../kinds/observations.ts';
import { lessonsMade } from '../../learnings/learnings.ts';
import { workOf } from '../../sessions/calls.ts';
import { type Offer, quote } from '../frame.ts';
import { offeredTexts } from '../offers.ts';

/** Most tokens of its lines. The rest is for the numbers and the indentation of the lines. */
const LINES_TOKENS = 1_400;
const MOST = { lessons: 6, incidents: 4, files: 20, observations: 8 };
/** Longest form of each part, in tokens as `quote` cuts them. */
const LENGTH = { goal: 150, skill: 20, lesson: 60, incident: 60, part: 40 };
/** Most tokens of files or outputs in one line. A line has 240 tokens at most. */
const IN_LINE = 200;

/**
 * Returns what a session is working on, from what is stored of it, as it is put before an agent whose context was
 * compacted: what the person asked for first and last, what to keep in mind, what is open, and what was written, the newest
 * first. What is too long is left out at the end.
 *
 * @param session Lore's id, the client's id and the work tree
 */
export async function workingStateOf(
  tx: Tx,
  session: { id: string; clientId: string; root: string | null },
): Promise<Offer> {
  const work = await workOf(tx, session.id, MOST.files);
  const told = await offeredTexts(tx, session.id, ['lesson'], MOST.lessons);
  const learned = (await lessonsMade(tx, session.id))
    .filter(({ validUntil }) => validUntil === null)
    .reverse();
  const errors = await listIncidents(tx, undefined, {
    session: session.id,
    status: 'unsolved',
    limit: MOST.incidents,
  });
  const outputs = await lastObservations(tx, session.clientId, MOST.observations);

  const lines: string[] = [];
  const tell = (label: string, texts: (string | null)[], tokens: number, most = texts.length) => {
    const short = texts.flatMap((text) => quote(text ?? '', tokens) || []);
    lines.push(...[...new Set(short)].slice(0, most).map((text) => `${label}: ${text}`));
  };
  tell('Task', [work.task], LENGTH.goal);
  tell('Asked last', [work.prompt === work.task ? null : work.prompt], LENGTH.goal);
  tell('Skill in use', [work.skill], LENGTH.skill);
  const lessons = [...learned.map(({ lesson }) => lesson), ...told.map((text) => text.replace(LABEL, ''))];
  tell('Keep in mind', lessons, LENGTH.lesson, MOST.lessons);
  const failed = errors.map(({ call, error }) => `${call === null ? '' : `${quote(call, 20)}: `}${error}`);
  tell('Open error', failed, LENGTH.incident);
  tell('Files written', joined(work.files.map((file) => relativeTo(session.root, file))), IN_LINE);
  tell('Outputs kept (lore obs ID)', joined(outputs.map(citation)), IN_LINE);
  while (estimateTokens(lines.join('\n')) > LINES_TOKENS) lines.pop();
  const heading = 'What this session was working on before its context was compacted:';
  return { kind: 'working-state', sourceId: null, relevance: null, lines: [heading, ...lines] };
}

/** The label before the words of a lesson that was offered. */
const LABEL = /^\[\w+\] |^Kept, because the person asked for it: /;

const citation = ({ id, tool, about, characters }: Cited): string =>
  `obs:${id} ${tool} ${quote(about, 20)} (${characters.toLocaleString('en-US')} characters)`;

/** Joins texts to lines that are not cut. */
function joined(texts: string[]): string[] {
  const lines: string[] = [];
  for (const text of texts.map((one) => quote(one, LENGTH.part))) {
    const longer = lines.length === 0 ? text : `${lines.at(-1)}; ${text}`;
    if (lines.length > 0 && estimateTokens(longer) <= IN_LINE) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}
