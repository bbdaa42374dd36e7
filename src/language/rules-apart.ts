import { blanked, has, isSpaced, type Phrases, type Span, spans } from './languages.ts';
import { noThings, type Parsed, parsed, readingOf } from './reading.ts';
import { isPassing, isTask, leads, whyItStands } from './stands.ts';
import type { Language } from './words/words.ts';

// A sentence may say several things: “fix the typo, and always use bun here”, “always use pnpm, and never push to main”.
// Each rule in it is a rule of its own, in its own words, and what is to be done now is none.

/** A part of a sentence, to the letter. `ofRule`: the part before it is a rule, whose “always” or “in this repo” may be meant here too. */
export type Part = { words: string; said: Parsed; ofRule: boolean };

/** Words that join two clauses. */
const AND: Record<Language, string> = {
  en: 'and|but|and also|but also',
  de: 'und|aber|sowie',
  fr: 'et|mais',
  es: 'y|e|pero',
  pt: 'e|mas',
  it: 'e|ed|ma',
  nl: 'en|maar',
  zh: '并且|而且|同时|但是?|也|并',
  ja: 'また|そして|ただし',
  ko: '그리고|하지만|또한?',
};
const JOINTS = Object.fromEntries(
  Object.entries(AND).map(([language, words]) => [
    language,
    isSpaced(language as Language)
      ? new RegExp(`(?:[,;]|\\s[-–—])\\s+(?:(?:${words})\\s+)?|\\s(?:${words})\\s+`, 'giu')
      : new RegExp(`[,;，、；]\\s*(?:${words})?[，、]?\\s*|(?<=[가-힣]고)\\s+`, 'gu'),
  ]),
) as Record<Language, RegExp>;
/** Politeness at the beginning of a clause. */
const COURTESY = /^(?:(?:please|pls|also|bitte|auch|aussi|también|também|anche|ook)\s+)*/iu;
/** A condition holds for all that follows it: “when you commit, always sign and never amend”. */
const CONDITION =
  /^(?:when(?:ever)?|if|before|after|once|while|until|unless|wenn|falls|bevor|nachdem|sobald|beim?|vor|nach|quand|lorsque|si|s'il|avant|après|cuando|antes|después|quando|se|depois|prima|dopo|wanneer|als|voor|voordat|nadat)(?![\p{L}\p{N}])/iu;
/** Says only what a rule is about: “in this repo, and …”. */
const TOPIC =
  /^(?:in|for|on|with|für|mit|auf|dans|pour|sur|en|para|con|com|no|na|per|nel|su|voor|met|op)(?![\p{L}\p{N}])/iu;
/** Joins two sentences, and not two words. */
const JOINS_SENTENCES = /[,;，；].*\p{L}|[;；]|^\s*(?:but|aber|mais|pero|mas|ma|maar)\s*$/iu;
/** Asks for something now. */
const NOW = /^(?:please|pls|now|then|also|can you|could you|bitte|jetzt|por favor|ahora|maintenant)\b/i;
/** Most words before the word that makes a clause a rule: “benutze hier immer”, “and you must never”. */
const MOST_BEFORE = 5;

/** Returns what a sentence says one after the other. Each part is cut out of it to the letter. Takes linear time. */
export function partsOf(sentence: string): Part[] {
  const whole = parsed(sentence);
  const partOf = (words: string, ofRule: boolean): Part => ({
    words,
    said: parsed(words, whole.phrases),
    ofRule,
  });
  // offsets of the text are those of the sentence only if nothing was left out
  const joints = whole.text.length === sentence.length ? openings(whole) : [];
  const parts: Part[] = [];
  let end = sentence.length;
  for (const [i, joint] of [...joints.entries()].reverse()) {
    const before = sentence.slice(0, joint.at).trim();
    const left = partOf(sentence.slice(joints[i - 1]?.end ?? 0, joint.at).trim(), false).said;
    const right = partOf(sentence.slice(joint.end, end).trim(), false);
    if (!isApart(left, right.said, joint.text, before.split(/\s+/).length)) continue;
    parts.unshift({ ...right, ofRule: !isTask(left) && !isTask(right.said) });
    end = joint.at;
  }
  return parts.length === 0
    ? [{ words: sentence, said: whole, ofRule: false }]
    : [partOf(sentence.slice(0, end).trim(), false), ...parts];
}

/** Returns where a clause begins that may be a rule, a thing to remember, or a task of its own. */
function openings({ text, phrases, literals }: Parsed): Span[] {
  const cited = spans(/"[^"]*"|\([^)]*\)|`[^`]*`/g, text);
  const inside = ({ at }: Span) => [...cited, ...literals].some((span) => at >= span.at && at < span.end);
  const joints = spans(JOINTS[phrases.language], text).filter((joint) => !inside(joint));
  return joints.flatMap((joint, i) => {
    const clause = text.slice(joint.end, joints[i + 1]?.at ?? text.length);
    const skipped = isSpaced(phrases.language) ? (COURTESY.exec(clause)?.[0].length ?? 0) : 0;
    if (opens(clause.slice(skipped), phrases)) return [{ ...joint, end: joint.end + skipped }];
    const said = parsed(clause, phrases);
    return /[;；]/.test(joint.text) || isRule(said) || NOW.test(clause) || isTask(said) ? [joint] : [];
  });
}

/** “…, and from now on …”, “… and remember that …” */
const opens = (clause: string, phrases: Phrases): boolean =>
  isSpaced(phrases.language) &&
  [phrases.since, phrases.remember, phrases.decided].some((pattern) => clause.search(pattern) === 0);

/** Whether a clause has, near its beginning, a word that makes it a rule. */
function isRule(said: Parsed): boolean {
  const { text, phrases } = said;
  if (noThings(said)) return true;
  const { always, never, dont, weUse, weNot, habit, ask } = phrases;
  return [always, never, dont, weUse, weNot, habit, ask]
    .flatMap((pattern) => spans(pattern, text))
    .some(({ at }) => {
      const before = text.slice(0, at);
      if (phrases.language === 'en') return leads(before);
      return !isSpaced(phrases.language) || before.split(/\s+/).filter(Boolean).length <= MOST_BEFORE;
    });
}

/**
 * Returns whether two clauses that are joined are two things that a person says.
 *
 * @param words how many there are before the joint
 */
function isApart(first: Parsed, second: Parsed, joint: string, words: number): boolean {
  if (opens(second.text, second.phrases)) return words > 2;
  if (CONDITION.test(first.text)) return false;
  if (isSpaced(first.phrases.language) && words < (names(first) || rules(first) ? 2 : 3)) return false;
  const standing = stands(first, false) && (rules(first) || has(first.phrases.place, first.text));
  if (isTask(second) && !rules(second))
    return standing && (NOW.test(second.text) || isPassing(second) || /[;；]/.test(joint));
  // “always use bun here, but don't touch the tests yet”
  if (isPassing(second)) return standing && isRule(second);
  if (!stands(second, true) || isContrast(first, second)) return false;
  if (isTask(first) || (JOINS_SENTENCES.test(joint) && !TOPIC.test(first.text))) return true;
  if (!rules(first) && !isUse(first)) return false;
  // “migrations are never edited, always add a new file” is one rule
  const turns = /^[,，、]\s*$/u.test(joint) && forbids(first) !== forbids(second);
  const alike = second.literals.some(({ kind }) => first.literals.some((other) => other.kind === kind));
  return !turns || (names(first) && names(second) && !alike);
}

const stands = (said: Parsed, listed: boolean): boolean =>
  whyItStands(said, readingOf(said), { listed, alone: false, specification: false }) !== null;
const names = ({ literals }: Parsed): boolean =>
  literals.some(({ kind }) => kind !== 'code' && kind !== 'option');
const forbids = ({ text, phrases }: Parsed): boolean =>
  has(phrases.never, text) || has(phrases.dont, text) || has(phrases.weNot, text);
const rules = (said: Parsed): boolean =>
  forbids(said) || has(said.phrases.always, said.text) || noThings(said);
/** “use bun here” */
const isUse = (said: Parsed): boolean =>
  !isTask(said) &&
  has(said.phrases.use, said.text) &&
  said.text.split(/\s+/).length <= 8 &&
  readingOf(said).named.some(({ kind, role }) => role === 'wanted' && isTool(kind));

/** Whether a clause that does not stand may be part of what a rule beside it says: it forbids something named, or says what to use. */
export const maySpeakOfRule = (said: Parsed): boolean =>
  isUse(said) || (!isTask(said) && (has(said.phrases.never, said.text) || (forbids(said) && names(said))));

const isTool = (kind: string): boolean => ['program', 'package', 'command'].includes(kind);
/** “always use pnpm, never npm” is one rule: the second clause says only what the first one is said in place of. */
function isContrast(first: Parsed, second: Parsed): boolean {
  const kinds = (said: Parsed) =>
    new Set(said.literals.filter(({ kind }) => isTool(kind)).map(({ kind }) => kind === 'package'));
  const [one, other] = [kinds(first), kinds(second)];
  if (![...other].some((kind) => one.has(kind))) return false;
  const { phrases, literals } = second;
  const { always, never, dont, use, notNext, place, here, since, marks, weNot } = phrases;
  const known = [always, never, dont, use, notNext, place, here, since, marks, weNot];
  const blanks = [...literals, ...known.flatMap((pattern) => spans(pattern, second.text))];
  const rest = blanked(second.text, blanks);
  return !/\p{L}{3}|\p{Script=Han}{2}/u.test(rest);
}
