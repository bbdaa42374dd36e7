import { clip } from '../../shell/command-key.ts';
import { masked } from './masked.ts';
import { sentencesOf } from './own-words.ts';
import { asksForFact, type Said, type Turn } from './sentence-rules.ts';

/** Words that point at something said or done before. */
const POINTS =
  /\b(?:it|those|them|these|one with|that one|the one|there)\b|\bthat(?='s\b| is\b| was\b| \w+ (?:is|was|are|has|already)\b|[.,]|$)|^(?:that|this)\b(?! (?:repo|project|codebase|machine|team|monorepo|app|means|holds))|\b(?:that|this) (?:file|folder|port|db|database|host|command|branch|script|tool|directly)\b/i;
/** The first clause. A pointing word behind it may mean something that the first clause itself names. */
const FIRST_CLAUSE = /^[^,;:.—–]{1,300}/;
const NAMES_ITSELF = /PATH|CODE|URL|PORT/;
/** Most characters of the agent's message or action that are added to a statement. */
const MAX_CONTEXT = 140;

/**
 * Joins the sentences of one statement into one text that can be read without the conversation. If they refer
 * to what the agent did or asked, that is added in brackets.
 *
 * @returns the text (null if nothing is left to say), and whether everything that it refers to is known
 */
export function standAlone(
  sayings: Said[],
  turn: Turn,
  max: number,
): { lesson: string | null; resolved: boolean } {
  const texts = sayings.map((saying) => rewritten(saying.text)).filter((text) => text !== '');
  const body = texts.map(toSentence).join(' ');
  if (!/\p{L}{2}|\d{3}/u.test(body)) return { lesson: null, resolved: false };
  const first = FIRST_CLAUSE.exec(texts[0] as string)?.[0] ?? '';
  const answer = asksForFact(turn.before);
  const bare = answer && (texts[0] as string).split(' ').length < 6;
  const points = POINTS.test(first) || (POINTS.test(body) && !NAMES_ITSELF.test(masked(first)));
  if (!bare && !points) return { lesson: clip(body, max), resolved: true };
  const about = answer || turn.did.length === 0 ? aboutMessage(turn.before) : aboutDeed(turn.did);
  if (about === null) return { lesson: clip(body, max), resolved: false };
  return { lesson: `${clip(body, max - about.length - 1)} ${about}`, resolved: true };
}

/** "it's poetry, not pip": what is to be used. "use pnpm here": here is this project. */
function rewritten(text: string): string {
  return text
    .replace(/^(?:it'?s|it is) (?=[^,;.]{1,80}[,;]? (?:not|instead of)\b|`[^`]{1,200}`(?:,|$))/i, 'use ')
    .replace(/^that'?s because /i, '')
    .replace(/^that (?:file|command|script|branch) is the wrong one[,:]? /i, '')
    .replace(/\b(use [^,;.]{1,80}?) here\b/i, '$1 in this project')
    .replace(/^(?:in|around) here[,:]? /i, 'in this project ')
    .trim();
}

/** A sentence with a capital letter (unless it begins with a name in small letters) and a full stop. */
function toSentence(text: string): string {
  const plain = /^[a-zà-ÿ']+(?=[\s,;]|$)/u.test(text);
  const begun = plain ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…]$/.test(begun) ? begun : `${begun.replace(/[,;:\s]+$/, '')}.`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function aboutMessage(before: string | null): string | null {
  if (before === null) return null;
  const sentences = sentencesOf(oneLine(before.slice(-2_000)));
  const question = sentences.findLastIndex((sentence) => sentence.endsWith('?'));
  const pointsBack = question >= 0 && POINTS.test(sentences[question] as string);
  // "There is no Redis here. How do you start it?": the sentence before says what is meant
  const said = pointsBack ? sentences[Math.max(0, question - 1)] : sentences.at(question);
  return said ? `(The agent had said: “${clip(said, MAX_CONTEXT)}”)` : null;
}

function aboutDeed(did: string[]): string | null {
  const last = oneLine(did.at(-1) ?? '');
  if (last === '') return null;
  const edit = /^(?:edit|write|create|delete) (\S+)$/i.exec(last);
  return edit
    ? `(About ${clip(edit[1] as string, MAX_CONTEXT)}.)`
    : `(About \`${clip(last, MAX_CONTEXT).replaceAll('`', "'")}\`.)`;
}
