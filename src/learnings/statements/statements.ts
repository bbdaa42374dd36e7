import { type Rule, ruleIn } from '../../facts/rule-words.ts';
import { isLastingByItself, type Told, toldIn } from '../../facts/told-facts.ts';
import { clip } from '../../shell/command-key.ts';
import { namesIn } from './masked.ts';
import { ownWords, sentencesOf } from './own-words.ts';
import { everAgain } from './sentence-patterns.ts';
import { isQuestion, judgeSentences, type Said, type Turn } from './sentence-rules.ts';
import { standAlone } from './stand-alone.ts';

/** What a person told the agent to keep in mind. */
export type Statement = {
  kind: 'preference' | 'fact';
  /** the person's words made to stand alone: one or two sentences, at most 400 characters */
  lesson: string;
  /** the person's own words, clipped to 500 characters */
  words: string;
  /** the commands, tools, files, branches and ports that it names */
  about: string[];
  /** 'lasting' becomes a lesson; 'doubtful' waits for a person's review */
  verdict: 'lasting' | 'doubtful';
  /** the person expressly asked for it ("remember …"), so the answer confirms it in one line */
  asked: boolean;
  /** what it decides in plain words (“we decided to …”); then it becomes a decision, and no lesson */
  decision: Rule | null;
};

const MAX_LESSON = 400;
const MAX_WORDS = 500;
/**
 * A prompt with more own text than this (in characters) is a specification. Only what the person asks to keep
 * counts.
 */
const SPECIFICATION = 1_500;
/** A prompt that says more than this at once is a document, and not a person's correction. */
const MAX_STATEMENTS = 5;

/**
 * What happened before a prompt. `first`: whether it is the session's first prompt (a task, seldom a correction); `before`:
 * the assistant's last message, or null; `did`: short descriptions of what the agent did in the turn before (commands,
 * `edit <file>`), the newest last.
 */
type Context = { first: boolean; before: string | null; did: string[] };
type Judged = { said: Said[]; turn: Turn };

/**
 * Judges the sentences of a prompt that are in the person's own words. It looks at the words only, in linear
 * time.
 */
function judgedIn(prompt: string, context: Context): Judged {
  const own = ownWords(prompt);
  const turn: Turn = { ...context, specification: own.length > SPECIFICATION };
  return { said: judgeSentences(sentencesOf(own), turn), turn };
}

/** Returns what {@link statementsIn} and {@link factsIn} return, and reads the prompt once. */
export function heardIn(prompt: string, context: Context): { said: Statement[]; told: TellsFact[] } {
  const judged = judgedIn(prompt, context);
  return { said: statementsOf(judged), told: factsOf(judged) };
}

/**
 * Returns what a prompt tells the agent for good: how to work, which tools to use, facts of the project or the
 * environment. Wishes for the work at hand are left out.
 */
export const statementsIn = (prompt: string, context: Context): Statement[] =>
  statementsOf(judgedIn(prompt, context));

/**
 * Returns the facts and relations that a prompt tells in plain words. They need not be statements: "the
 * billing worker reads from the invoices queue" asks the agent for nothing. But a sentence about where
 * something is may be about the work at hand, so it must be a lasting statement.
 */
export const factsIn = (prompt: string, context: Context): TellsFact[] => factsOf(judgedIn(prompt, context));

const statementsOf = ({ said, turn }: Judged): Statement[] =>
  group(said.flatMap((saying, i) => askedAfter(saying, said[i + 1])))
    .slice(0, MAX_STATEMENTS)
    .flatMap((sayings) => toStatement(sayings, turn));

/** "News go to #ship-log. Keep that in mind." asks for the sentence before. */
function askedAfter(saying: Said, next: Said | undefined): Said[] {
  if (saying.asked && saying.text === '') return [];
  const asked = next?.asked === true && next.text === '';
  const told = asked && !isQuestion(saying.text) && saying.text.split(' ').length > 2;
  return [told ? { ...saying, verdict: 'lasting', asked: true } : saying];
}

/** Puts together sentences that follow each other and belong to one statement, two at most. */
function group(said: Said[]): Said[][] {
  const groups: Said[][] = [];
  let open: Said[] | null = null;
  for (const [i, saying] of said.entries()) {
    // "generated. run make gen instead": a sentence that says what to do instead belongs to the statement
    // before it
    const joins: boolean = open !== null && open.length < 2 && !saying.asked && saying.decided === null;
    if (joins && (saying.verdict !== 'none' || saying.explains)) {
      (open as Said[]).push(saying);
      open = null;
    } else if (saying.verdict !== 'none') {
      // "pnpm!! not npm": one or two words before a statement may be its first half
      const half = said[i - 1];
      open = half?.fragment && saying.decided === null ? [half, saying] : [saying];
      groups.push(open);
      // a decision is one sentence: what follows may be a statement of its own
      if (saying.decided !== null) open = null;
    } else open = null;
  }
  return groups;
}

function toStatement(sayings: Said[], turn: Turn): Statement[] {
  const words = sayings.map((saying) => saying.sentence).join(' ');
  const { lesson, resolved } = standAlone(sayings, turn, MAX_LESSON);
  if (lesson === null || isQuestion(lesson)) return [];
  const lasting =
    sayings.some(
      ({ verdict, explains, text }) => verdict === 'lasting' || (explains && everAgain.test(text)),
    ) && resolved;
  const decided = sayings[0]?.decided ?? null;
  return [
    {
      kind: sayings.some((saying) => saying.kind === 'preference') ? 'preference' : 'fact',
      lesson,
      words: clip(words, MAX_WORDS),
      about: namesIn(lesson),
      verdict: lasting ? 'lasting' : 'doubtful',
      asked: sayings.some((saying) => saying.asked),
      decision: lasting && decided !== null ? ruleIn(decided) : null,
    },
  ];
}

/** A fact or relation that a person tells, and the words. */
export type TellsFact = { told: Told; words: string };

function factsOf({ said, turn }: Judged): TellsFact[] {
  if (turn.specification) return [];
  const found = said.flatMap(({ sentence, verdict, decided }) => {
    const told = decided === null ? toldIn(sentence) : [];
    const words = clip(sentence, MAX_WORDS);
    return told
      .filter((one) => verdict === 'lasting' || isLastingByItself(one))
      .map((one) => ({ told: one, words }));
  });
  return found.slice(0, MAX_STATEMENTS);
}
