import { clip } from '../shell/command-key.ts';
import { decidedIn } from './decided.ts';
import { has, isSpaced, spans } from './languages.ts';
import { type Parsed, parsed } from './reading.ts';
import { type Rule, ruleIn } from './rule-words.ts';
import { ownSentences, rulesIn, stands } from './standing.ts';
import { isLastingByItself, type ToldStatement, toldIn } from './told-facts.ts';
import { withoutWrappers } from './wrappers.ts';

const MAX_WORDS = 500;

/** A fact or relation that a person tells, and the words. */
export type TellsFact = { told: ToldStatement; words: string };

/** What a person says in a short prompt, in their own words. */
export type Said = {
  /** sentences that begin with a word that lasts */
  rules: string[];
  /** what the person expressly asks to be kept in mind */
  remember: string[];
  decisions: { words: string; decision: Rule }[];
  facts: TellsFact[];
};

/**
 * Returns what a person says in a prompt that lasts. A long prompt, or one into which something was pasted, says nothing.
 *
 * @example saidIn('Fix the cart. Always use pnpm here, never npm.').rules // ['Always use pnpm here, never npm.']
 */
export function saidIn(prompt: string): Said {
  const sentences = ownSentences(prompt) ?? [];
  const said: Said = { rules: rulesIn(prompt).map(short), remember: [], decisions: [], facts: [] };
  for (const words of sentences) {
    if (stands(words)) continue;
    const read = parsed(words);
    if (isQuestion(read)) continue;
    if (isRemembered(read)) said.remember.push(short(words));
    const passing = isPassing(read);
    const decided = passing ? null : decidedIn(read, has(read.phrases.work, read.text));
    if (decided !== null) said.decisions.push({ words: short(words), decision: ruleIn(decided) });
    else
      for (const told of toldIn(words))
        if (!passing || isLastingByItself(told)) said.facts.push({ told, words: short(words) });
  }
  return said;
}

/** Returns what a person expressly asks to be kept in mind, also if it is a rule besides: “Remember: never …”. */
export function askedToRemember(prompt: string): string[] {
  const { rules, remember } = saidIn(prompt);
  return [...rules.filter((words) => isRemembered(parsed(words))), ...remember];
}

const short = (words: string): string => clip(words, MAX_WORDS);

/** Words by which a person may state something that lasts. Only who understands the sentence knows whether they do. */
const MAY_LAST = [
  'always',
  'never',
  'dont',
  'since',
  'remember',
  'ask',
  'prefer',
  'weUse',
  'weNot',
  'banned',
  'decided',
] as const;
/** In characters. What is longer was mostly pasted. */
const MAX_READ = 1_200;

/** Returns whether a model may find something lasting in a prompt. */
export function mayLast(prompt: string): boolean {
  const text = withoutWrappers(prompt);
  if (text.length > MAX_READ) return false;
  return text.split(/\n|(?<=[.!?。！？])/).some((sentence) => {
    const read = parsed(sentence);
    return !isQuestion(read) && MAY_LAST.some((field) => has(read.phrases[field], read.text));
  });
}

const MARK = /[?？]["')\]]*\s*$/;

/** Returns whether a sentence asks. “Can you please always …?” does not. */
function isQuestion({ text, phrases }: Parsed): boolean {
  if (has(phrases.polite, text)) return false;
  if (MARK.test(text)) return true;
  const asks = spans(phrases.question, text);
  if (!isSpaced(phrases.language))
    return (
      asks.some(({ end }) => text.slice(end).replace(/[。.!！\s]/g, '') === '' && !/[。.]$/.test(text)) ||
      /^(?:为什么|为何|怎么|是不是|要不要|能不能|可不可以|なぜ|どうして|왜 |어떻게)/.test(text) ||
      /(?:吗|么)[。.]?$/.test(text)
    );
  return asks.some(({ at }) => at === 0);
}

/** Returns whether a sentence holds for the work at hand only, or describes what is not so. */
const isPassing = ({ text, phrases }: Parsed): boolean =>
  [phrases.local, phrases.irony, phrases.suppose].some((pattern) => has(pattern, text));

/** Whether a sentence begins by asking to be remembered, and says what. */
const isRemembered = ({ text, phrases }: Parsed): boolean =>
  spans(phrases.remember, text).some(
    ({ at, end }) =>
      /^(?:(?:please|pls|and|also|bitte|s'il te plaît|por favor|per favore|请)[\s,]*)?$/i.test(
        text.slice(0, at),
      ) && text.slice(end).replace(/[^\p{L}\p{N}]/gu, '').length > 7,
  );
