import { clip } from '../shell/command-key.ts';
import { corrects, refusesIn } from './corrections.ts';
import { decidedIn } from './decided.ts';
import { has } from './languages.ts';
import { ownWords, sentencesOf } from './own-words.ts';
import { type Parsed, readingOf } from './reading.ts';
import { ruleIn } from './rule-words.ts';
import { maySpeakOfRule, partsOf } from './rules-apart.ts';
import type { Statement } from './sentence.ts';
import { isPassing, isQuestion, remembersBefore, whyItStands } from './stands.ts';
import { isLastingByItself, type ToldStatement, toldIn } from './told-facts.ts';

/** A prompt with more own text than this (in characters) is a specification: it describes the product. */
const SPECIFICATION = 1_500;
/** A prompt that says more than this at once is a document, and not a person's word to the agent. */
const MAX_STATEMENTS = 8;
const MAX_WORDS = 500;

/**
 * What happened before a prompt. `first`: whether it is the session's first prompt; `before`: the assistant's last message,
 * or null; `did`: what the agent did in the turn before (commands, `edit <file>`, `write <file>`), the newest last;
 * `refused`: the person says this to refuse the last of these deeds.
 */
export type Turn = { first: boolean; before: string | null; did: string[]; refused?: boolean };

/** A sentence of a person, taken apart and judged. */
type Heard = { said: Parsed; words: string; statement: Statement | null; refused: boolean };

/**
 * Returns what a person says in a prompt, sentence by sentence, in the person's own words. What stands for nothing is left
 * out; a sentence that forbids, prefers or corrects without a standing word has `stands: null`. Takes linear time.
 *
 * @example statementsIn('Fix the cart. Always use pnpm here, never npm.', { first: true, before: null, did: [] })
 */
export const statementsIn = (prompt: string, turn: Turn): Statement[] => saidIn(prompt, turn).statements;

/** Returns what a person states in a prompt, and the facts and relations that it tells, see `factsIn`. */
export function saidIn(prompt: string, turn: Turn): { statements: Statement[]; facts: TellsFact[] } {
  const all = heard(prompt, turn);
  return { statements: statementsOf(all), facts: factsOf(all, prompt, turn) };
}

/** Returns what a person expressly asked to be kept in mind. */
export const askedToRemember = (prompt: string): Statement[] =>
  statementsIn(prompt, { first: false, before: null, did: [] }).filter(({ stands }) => stands === 'remember');

/** A fact or relation that a person tells, and the words. */
export type TellsFact = { told: ToldStatement; words: string };

/**
 * Returns the facts and relations that a prompt tells in plain words. They need not be statements: "the billing worker reads
 * from the invoices queue" asks the agent for nothing. But where something is may be about the work at hand, so such a
 * sentence must stand, or correct or answer the agent.
 */
export const factsIn = (prompt: string, turn: Turn): TellsFact[] => saidIn(prompt, turn).facts;

function statementsOf(all: Heard[]): Statement[] {
  const found = all.flatMap(({ statement }) => statement ?? []);
  const standing = found.filter(({ stands }) => stands !== null);
  if (standing.length > MAX_STATEMENTS)
    return standing.filter(({ stands }) => stands === 'remember').slice(0, MAX_STATEMENTS);
  return found;
}

/** “From now on:”: what the lines below it say stands as well. */
const opensList = ({ text, phrases }: Parsed): boolean =>
  /[:：]$/.test(text) &&
  [phrases.since, phrases.remember, phrases.place, phrases.always].some((pattern) => has(pattern, text));

function heard(prompt: string, turn: Turn): Heard[] {
  const own = ownWords(prompt);
  const specification = own.length > SPECIFICATION;
  const lines = own.split('\n').map((line) => sentencesOf(line).map(partsOf));
  const alone = lines.flat(2).length <= 2;
  const all: Heard[] = [];
  let listed = false;
  for (const line of lines) {
    if (line.length === 0) listed = false;
    for (const parts of line) {
      const from = all.length;
      for (const { words, said, ofRule } of parts) {
        const previous = all.at(-1);
        if (previous && remembersBefore(said)) {
          if (previous.statement === null && !isQuestion(previous.said))
            previous.statement = stating(previous.said, previous.words, 'remember');
          else if (previous.statement) previous.statement = { ...previous.statement, stands: 'remember' };
          continue;
        }
        if (opensList(said)) {
          listed = true;
          continue;
        }
        const reading = readingOf(said);
        const around = { listed: listed || (ofRule && isStanding(previous)), alone, specification };
        // “No! Use pnpm.”: the refusal may be a sentence of its own
        const refused =
          turn.refused === true ||
          refusesIn(said) ||
          (previous?.refused === true && size(previous.words) < 4);
        const stands =
          whyItStands(said, reading, around) ??
          (corrects(said, reading, refused, turn.did) ? 'correction' : decides(said) ? 'standing' : null);
        const statement =
          stands !== null || isCandidate(said, refused, specification) ? stating(said, words, stands) : null;
        all.push({ said, words, statement, refused });
      }
      shareStanding(all.slice(from));
    }
  }
  return all;
}

const isStanding = (one: Heard | undefined): boolean => (one?.statement?.stands ?? null) !== null;

/** “Don't touch CHANGELOG.md and never push to main”, “use bun and never push to main”: the first part is meant to last as well. */
function shareStanding(parts: Heard[]): void {
  const last = parts.findLastIndex(isStanding);
  for (const part of parts.slice(0, Math.max(0, last))) {
    if (isStanding(part) || !maySpeakOfRule(part.said)) continue;
    const around = { listed: true, alone: false, specification: false };
    const stands = whyItStands(part.said, readingOf(part.said), around);
    if (stands !== null) part.statement = stating(part.said, part.words, stands);
  }
}

const size = (words: string): number => words.split(/\s+/).length;

const decidedBy = (said: Parsed): string | null => decidedIn(said, has(said.phrases.work, said.text));
/** “We decided to use pnpm” stands, whatever it is about. */
const decides = (said: Parsed): boolean => !isQuestion(said) && !isPassing(said) && decidedBy(said) !== null;

function stating(said: Parsed, words: string, stands: Statement['stands']): Statement {
  const decided = stands === null ? null : decidedBy(said);
  return {
    ...readingOf(said),
    words: clip(words, MAX_WORDS),
    stands,
    decision: decided === null ? null : ruleIn(decided),
  };
}

/** Whether a model might find something lasting in a sentence that nothing shows to be so. */
function isCandidate(said: Parsed, refused: boolean, specification: boolean): boolean {
  if (specification || isQuestion(said) || isPassing(said)) return false;
  const { text, phrases } = said;
  const forms = [
    phrases.always,
    phrases.never,
    phrases.dont,
    phrases.only,
    phrases.habit,
    phrases.prefer,
    phrases.place,
    phrases.weUse,
    phrases.banned,
    phrases.owned,
    phrases.told,
  ];
  return size(text) > 2 && (refused || forms.some((pattern) => has(pattern, text)));
}

function factsOf(all: Heard[], prompt: string, turn: Turn): TellsFact[] {
  if (ownWords(prompt).length > SPECIFICATION) return [];
  const answers = /[?？]\s*$/.test(turn.before ?? '');
  const found = all.flatMap(({ said, words, statement, refused }) => {
    if (statement?.decision || isQuestion(said)) return [];
    const told = toldIn(words);
    const lasts = (statement?.stands ?? null) !== null || refused || answers || !isPassing(said);
    return told
      .filter((one) => isLastingByItself(one) || lasts)
      .map((one) => ({ told: one, words: clip(words, MAX_WORDS) }));
  });
  return found.slice(0, MAX_STATEMENTS);
}
