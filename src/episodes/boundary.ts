import text from '../language/boundary.jsonc' with { type: 'text' };
import { readPhrases } from '../language/phrases.ts';
import { isRoutinePrompt } from '../language/routine-prompt.ts';
import { stopWords } from '../language/stop-words.ts';
import { workItemsIn } from './work-items.ts';

// Where does one piece of work end and the next begin? Most prompts of a session go on with the present work:
// they answer, correct, ask for more. Most of them are recognised by their words. For the others, the
// likeness of the prompts decides. The words are English only; in another language likeness decides alone.

const phrases = readPhrases(text, 'boundary.jsonc');

/** What an episode is about so far: its prompts, the first one first, the files that it changed, the last answer. */
export type Matter = { prompts: string[]; files: string[]; said: string | null };

/**
 * Two prompts are about one matter if their cosine is at least this (`npm run eval:episodes -- --limits`
 * prints what other limits would do). A prompt that gives an order can be understood alone; a question or a
 * remark seldom can.
 */
const SAME_MATTER = { order: 0.48, other: 0.14 };
/** Without vectors, two prompts are about one matter if they share this share of the shorter one's words. */
const SAME_WORDS = { order: 0.5, other: 0.2 };

/**
 * Returns whether a prompt begins a new matter.
 *
 * @param similarity see {@link likeness}; null: no vectors
 */
export function isNewMatter(prompt: string, matter: Matter, similarity: number | null): boolean {
  const told = byRules(prompt, matter);
  if (told !== null) return told === 'new';
  const kind = isOrder(prompt) ? 'order' : 'other';
  return similarity === null
    ? sharedWords(prompt, matter) < SAME_WORDS[kind]
    : similarity < SAME_MATTER[kind];
}

/** Whether a prompt begins by saying what is to be done. */
export const isOrder = (prompt: string): boolean => ORDERS.test(prompt.trim().replace(PLEASANTRIES, ''));

const ORDERS = new RegExp(
  `^(?:(?:(?:can|could|would|will) (?:you|we)|we (?:need|have|want|should|also (?:have|need))|i(?:'d| would) (?:like|want)|i (?:need|want)|let'?s|now|next|then|customers want|users? (?:should|must))(?: to| a| an)? ?)*(?:${phrases.any('orders')})\\b`,
  'i',
);

/** The texts that a prompt is compared with: the first and the last prompt of the matter, and the last answer. */
export const comparedWith = ({ prompts, said }: Matter): string[] => [
  ...new Set([prompts[0], prompts.at(-1), said].flatMap((text) => text ?? [])),
];

/**
 * Returns the cosine of a prompt and the nearest of what it is compared with; null if a vector is missing.
 *
 * @param vectors vectors of length 1 by text
 */
export function likeness(
  prompt: string,
  matter: Matter,
  vectors: ReadonlyMap<string, Float32Array>,
): number | null {
  const one = vectors.get(prompt);
  const others = comparedWith(matter).flatMap((text) => vectors.get(text) ?? []);
  if (!one || others.length === 0) return null;
  return Math.max(...others.map((other) => other.reduce((sum, x, i) => sum + x * (one[i] as number), 0)));
}

/** What the client writes as a prompt: notifications, output of its own commands. */
const BY_CLIENT = /^\s*<(?:task-notification|local-command|command-|bash-|system-reminder)/;

const PLEASANTRIES = new RegExp(`^(?:(?:${phrases.any('pleasantries')})\\b[\\s,.!:;–—-]*)+`, 'i');

/** Words that say that something else begins. */
const ANNOUNCED = new RegExp(`^(?:${phrases.any('announced')})`, 'i');

/** The beginning of a prompt that goes on with what was begun. */
const GOES_ON = new RegExp(`^(?:${phrases.any('goes-on')})`, 'i');

/** Words in a short prompt that only mean something after what was said before. */
const POINTS_BACK = phrases.contains('points-back');

/** Output that a person pastes to show what came of it. */
const PASTED = new RegExp(`^\\s*(?:${phrases.any('pasted')})`, 'i');

/**
 * Asks for something about the present work: “export them to Jaeger”, “update the help text”, “add a
 * regression test”.
 */
const DONE_TO_IT =
  /^(?:then |now )?[a-z]+ (?:it|them|these|those|this|that)\b|^(?:add|write|update|extend|adapt|mention|fix) (?:an? |some |the |more )?(?:\w+ )?(?:tests?|docs|documentation|help text|changelog|comments?|readme|types|docstrings?)[.!]?$/i;

/** Most words of a short prompt. */
const SHORT = 14;
const VERY_SHORT = 3;
/** A remark or a question with at most this many words does not say what it is about. */
const FEW = 6;

/** Returns whether a prompt begins something new, as far as its words tell; null if they do not tell. */
export function byRules(prompt: string, matter: Matter): 'new' | 'follow-up' | null {
  if (BY_CLIENT.test(prompt) || matter.prompts.includes(prompt)) return 'follow-up';
  const text = prompt.trim();
  const rest = text.replace(PLEASANTRIES, '');
  if (ANNOUNCED.test(rest)) return 'new';
  const items = workItemsIn(text);
  const known = matter.prompts.flatMap(workItemsIn);
  if (items.length > 0 && known.length > 0)
    return items.some((item) => known.includes(item)) ? 'follow-up' : 'new';
  const words = rest.match(/[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu) ?? [];
  if (words.length === 0) return 'follow-up';
  if (text.startsWith('/')) return null;
  if ([rest, text].some((one) => GOES_ON.test(one) || DONE_TO_IT.test(one))) return 'follow-up';
  if (PASTED.test(text)) return 'follow-up';
  if (isRoutinePrompt(rest)) return 'follow-up';
  if (words.length <= VERY_SHORT || (words.length <= FEW && !isOrder(text))) return 'follow-up';
  if (namesFile(text, matter.files)) return 'follow-up';
  if (words.length <= SHORT && POINTS_BACK.test(rest)) return 'follow-up';
  const fresh = contentWords(text).filter(
    (word) => !matter.prompts.some((one) => contentWords(one).includes(word)),
  );
  return fresh.length === 0 ? 'follow-up' : null;
}

/** Whether a prompt names one of these files, by its name without the folder. A name such as `index.ts` says nothing. */
const namesFile = (prompt: string, files: string[]): boolean =>
  files.some((file) => {
    const name = file.split('/').at(-1) ?? '';
    return (
      !/^(?:index|main|mod|__init__|README|package|utils?|config)\./i.test(name) && prompt.includes(name)
    );
  });

const COMMON = stopWords('matters');

/** Returns the words of a text that say what it is about, without their endings. */
const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}][\p{L}\p{N}'’-]+/gu) ?? [])
    .filter((word) => !COMMON.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:ies|es|s|ed|ing)$/, '') : word));

function sharedWords(prompt: string, matter: Matter): number {
  const words = new Set(contentWords(prompt));
  const shares = comparedWith(matter).map((other) => {
    const others = new Set(contentWords(other));
    const least = Math.min(words.size, others.size);
    return least === 0 ? 0 : [...words].filter((word) => others.has(word)).length / least;
  });
  return Math.max(...shares);
}
