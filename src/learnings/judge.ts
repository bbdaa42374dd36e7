import type { Rung } from '../incidents/ladder.ts';
import type { Rule } from '../language/rule-words.ts';
import type { ToldStatement } from '../language/told-facts.ts';
import type { Candidate } from './candidate.ts';
import { contentWords, jaccard } from './contradiction.ts';

/** A fact, relation or decision is made only from a candidate with at least this score: it cannot begin on trial. */
export const STORE_AT = 0.75;
/** A candidate with at least this score is kept. Others are discarded. */
export const KEEP_AT = 0.5;
/** Two lessons with a higher cosine than this say the same. */
export const SAME_LESSON = 0.92;
/** Above this cosine to another lesson, a candidate loses novelty. */
const NEAR_LESSON = 0.7;
/** Upper limits of the confidence of what a model reports after a session, with and without a resolved error. */
const MAX_REPORTED_CONFIDENCE = { 'reported-resolved': 0.85, reported: 0.8 };
/** Upper limit of the confidence unless there is both an error and a resolution. */
const MAX_UNPROVEN_CONFIDENCE = 0.9;

export type Evidence =
  /** an error, something done about it, and then the same call worked */
  | { kind: 'resolved'; edits: number; commands: number }
  /** an error, and afterwards another line that did the same worked */
  | { kind: 'variant'; rung: Rung }
  /** a person says so */
  | { kind: 'stated' }
  /** a person said so to an agent, in these words; `by`: the model that read it in them, if no rule did */
  | {
      kind: 'said';
      words: string;
      /** why it lasts, by its words; null if only a model says so */
      stands: 'standing' | 'remember' | 'correction' | null;
      decision?: Rule | undefined;
      by?: string | undefined;
    }
  /** a person told an agent a fact, in these words; `by`: the model that read it in them, if no rule did */
  | { kind: 'told'; words: string; told: ToldStatement; by?: string | undefined }
  /** a note gives it in its hints */
  | { kind: 'noted'; note: string; tier: 'person' | 'agent' | 'inferred'; decision: Rule }
  /** an error, and a model that read in the turn what answers it */
  | { kind: 'read' }
  /**
   * `reported`: a model looked back on a session, or a subagent said so at its end. `reported-resolved`: it
   * also answers an error that the session resolved
   */
  | { kind: 'reported'; audit?: string }
  | { kind: 'reported-resolved'; audit: string; incident: string }
  /** an error that went away by itself */
  | { kind: 'none' };

export type Verdict = { score: number; reason: string; confidence: number; refused: boolean };

/**
 * Returns the verdict on a candidate: is it specific, backed by evidence, clear about when it applies, and new?
 *
 * score = 0.30 specific + 0.35 evidence + 0.20 context + 0.15 novelty, each 0–1. A platitude, a candidate without
 * evidence, and one without context or applies-to are refused whatever their score is.
 *
 * @param nearest cosine (or word overlap, without a model) to the most similar current lesson, 0–1
 */
export function judge(candidate: Candidate, evidence: Evidence, nearest: number): Verdict {
  // what a person tells an agent to do may be short: “Never push to main.”
  const specific =
    evidence.kind === 'said' || evidence.kind === 'told'
      ? { value: 1, fault: null }
      : specificity(candidate.lesson);
  const backed = evidenceWeight(evidence);
  const context = contextClarity(candidate);
  const novelty = Math.min(1, Math.max(0, (SAME_LESSON - nearest) / (SAME_LESSON - NEAR_LESSON)));
  const score = round(0.3 * specific.value + 0.35 * backed.value + 0.2 * context.value + 0.15 * novelty);
  const proven = evidence.kind === 'resolved' || evidence.kind === 'variant';
  const most =
    evidence.kind === 'reported' || evidence.kind === 'reported-resolved'
      ? MAX_REPORTED_CONFIDENCE[evidence.kind]
      : MAX_UNPROVEN_CONFIDENCE;
  const confidence = round(Math.min(candidate.confidence, proven ? 1 : most));
  const fault = specific.fault ?? backed.fault ?? context.fault;
  const parts = `specific ${specific.value}, evidence ${backed.value}, context ${context.value}, novelty ${round(novelty)}`;
  return { score, confidence, refused: fault !== null, reason: fault ? `${fault} (${parts})` : parts };
}

type Part = { value: number; fault: string | null };

const PLATITUDES = [
  /^(always |please |remember to |make sure to |be sure to |try to )?(write|add|run|check|test|review|read|verify|validate|double.?check|be)\b.{0,40}\b(tests?|code|carefully|properly|errors?|careful|documentation|docs|everything|changes|output|input|twice)\.?$/i,
  /^(always |never )?(handle|check) (the )?errors?( (properly|carefully|gracefully))?\.?$/i,
  /\b(best practices|clean code|good code|be careful|pay attention|think (twice|carefully)|keep it simple)\b/i,
  /^(it|this|that|everything|(the|my|our|all) (fix|code|tests?|problem|issue|error|bug|build)) (now )?(works?|worked|pass(es|ed)?|(is|was|has been|got) (now )?(fixed|done|solved|resolved))\b/i,
];

/** Scripts whose characters say about as much as three letters do, and in which blanks do not part words. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/** Returns the length of a text in Latin letters: what it says, not how many characters it takes. */
const lengthOf = (text: string): number => text.length + 2 * (text.match(DENSE)?.length ?? 0);

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Returns how many words carry the topic, also in scripts without blanks. */
const wordsIn = (text: string): number =>
  lengthOf(text) > text.length
    ? [...SEGMENTER.segment(text)].filter(({ isWordLike }) => isWordLike).length
    : contentWords(text).length;

function specificity(lesson: string): Part {
  const text = lesson.trim();
  if (lengthOf(text) <= 20) return { value: 0, fault: 'the lesson is 20 characters or shorter' };
  const concrete = concreteTokens(text);
  const words = wordsIn(text);
  if (concrete < (words < 5 ? 2 : 1) && PLATITUDES.some((p) => p.test(text))) {
    return { value: 0, fault: 'the lesson is a platitude: it names nothing concrete' };
  }
  if (concrete === 0 && words < 5) return { value: 0.2, fault: 'the lesson names nothing concrete' };
  return { value: concrete >= 2 ? 1 : concrete === 1 ? 0.85 : 0.6, fault: null };
}

const TOOLS =
  'npm|npx|pnpm|yarn|bun|deno|node|git|gh|docker|podman|kubectl|helm|terraform|ansible|cmake|gradle|maven|mvn|' +
  'cargo|rustc|python|pip|uv|poetry|pytest|ruff|mypy|ruby|bundle|rake|rspec|php|composer|java|dotnet|swift|jest|' +
  'vitest|mocha|playwright|cypress|eslint|prettier|biome|tsc|vite|webpack|rollup|esbuild|babel|psql|redis|nginx|' +
  'curl|ssh|rsync|sed|awk|bash|zsh';

// What makes a sentence checkable: code, quoted text, flags, paths, files, identifiers, constants, errors, names
// within the sentence, numbers, tools.
const CONCRETE = new RegExp(
  [
    /`[^`]+`/,
    /[“"'][^”"']{2,}[”"']/,
    /(?:^|\s)--?[a-z][\w-]+/,
    /[\w.-]*\/[\w./-]+/,
    /\b[\w-]+\.[a-z]{1,5}\b/,
    /\b[a-z]+[A-Z]\w*/,
    /\b\w+_\w+\b/,
    /\b[A-Z][A-Z0-9_]{2,}\b/,
    /\b[A-Z]\w*(?:Error|Exception)\b/,
    /(?<=[a-z,] )[A-Z]\w+/,
    /\b\d[\w.]*\b/,
    new RegExp(`\\b(?:${TOOLS})\\b`),
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'g',
);

const concreteTokens = (text: string) => text.match(CONCRETE)?.length ?? 0;

/** How much a success proves, by how similar the call was to the one that had failed. */
const RUNG_WEIGHT: Record<Rung, number> = {
  same: 1,
  wrapped: 0.95,
  arguments: 0.85,
  part: 0.8,
  sibling: 0.8,
  program: 0.75,
  tool: 0.75,
};

function evidenceWeight(evidence: Evidence): Part {
  switch (evidence.kind) {
    case 'resolved':
      return { value: evidence.edits > 0 ? 1 : 0.85, fault: null };
    case 'variant':
      return { value: RUNG_WEIGHT[evidence.rung], fault: null };
    case 'reported-resolved':
      return { value: 0.85, fault: null };
    case 'reported':
    case 'read':
    case 'stated':
    case 'noted':
      return { value: 0.7, fault: null };
    case 'told':
    case 'said':
      return { value: evidence.by === undefined ? 1 : 0.7, fault: null };
    case 'none':
      return { value: 0, fault: 'no evidence: nothing was done between the error and its end' };
  }
}

function contextClarity(candidate: Candidate): Part {
  if (lengthOf(candidate.context.trim()) < 10)
    return { value: 0, fault: 'no clear context: say when it applies' };
  if (candidate.appliesTo.length === 0)
    return { value: 0, fault: 'nothing it applies to: name a file, command or tool' };
  const repeats = jaccard(contentWords(candidate.context), contentWords(candidate.lesson)) > 0.9;
  return { value: repeats ? 0.6 : 1, fault: null };
}

const round = (n: number) => Math.round(n * 1000) / 1000;
