import { z } from 'zod';
import type { Claims } from '../db/as-user.ts';
import { GuardRule } from '../guards/rule.ts';
import { isCall, type SessionStep } from '../incidents/steps.ts';
import { contentWords } from '../language/content-words.ts';
import type { TellsFact } from '../language/read-prompt.ts';
import type { Rule } from '../language/rule-words.ts';
import { entityNamed } from '../language/told-relations.ts';
import type { AskModel } from '../llm/ask.ts';
import { redactValue } from '../redaction/redact.ts';
import { clip, clipStart } from '../text/clip.ts';
import { guardInRecord } from './guard-in-record.ts';
import { nameNotIn, names, textsIn } from './in-record.ts';
import { INSTRUCTIONS, MOST } from './instructions.ts';
import type { Written } from './write-lesson.ts';

// With a key, a model reads each turn that had a failure or a statement of the person: once, in whole, in
// order. It may see causes that no rule sees. But if a lesson of the model names anything that the record
// does not contain, it is refused.

/** Size of the record that a model reads, in characters. */
const MAX_RECORD = 12_000;
/** Size of an answer in tokens: a lesson with a guard takes about 500. */
const MAX_OUTPUT = 3_000;
/** Shortest sentence of a person that is quoted, in characters. */
const MIN_QUOTE = 4;
/** Texts of a record are cut to the first of these lengths with which the whole fits. */
const TEXT_LENGTHS = [3000, 1500, 700, 300, 120];

const LASTING = ['lasting', 'local', 'doubtful'] as const;
const KINDS = ['fix', 'preference', 'fact'] as const;

const short = z.array(z.string().max(200)).transform((list) => list.slice(0, 12));
const Lesson = z.object({
  cause: z.string().max(2000),
  action: z.string().max(2000),
  trigger: z.string().max(2000),
  lasting: z.enum(LASTING),
  incident: z.number().int().nullable(),
  kind: z.enum(KINDS),
  general: z.boolean().default(false),
  words: z.string().trim().max(1000).default(''),
  // a guard of another form is no reason to lose the lesson
  guard: GuardRule.nullable().catch(null),
  keywords: short,
  appliesTo: short,
  confidence: z.number().min(0).max(1),
});
const Fact = z.object({
  type: z.string().trim().toLowerCase().max(60),
  key: z.string().trim().toLowerCase().max(200),
  value: z.string().trim().max(400),
  words: z.string().trim().max(500),
});
const Relation = z.object({
  from: z.string().trim().max(200),
  relation: z.string().trim().toLowerCase().max(60),
  to: z.string().trim().max(200),
  words: z.string().trim().max(500),
});
const Decision = z.object({
  condition: z.string().trim().max(400),
  action: z.string().trim().max(400),
  words: z.string().trim().max(500),
});
/** A list; only its first `most` items are read. */
const atMost = <T extends z.ZodType>(most: number, one: T) =>
  z
    .array(one)
    .default([])
    .transform((list) => list.slice(0, most));
const Answer = z.object({
  lessons: z.array(Lesson).max(MOST.lessons),
  facts: atMost(MOST.facts, Fact),
  relations: atMost(MOST.relations, Relation),
  decisions: atMost(MOST.decisions, Decision),
});

/** What a person decided, as the model read it in their words. */
export type ReadDecision = { decision: Rule; words: string };

/** A lesson as the model read it. */
export type ReadLesson = {
  written: Written;
  lasting: (typeof LASTING)[number];
  /** whether it helps in other tasks of the project, with other files */
  general: boolean;
  /** the person's sentence, to the letter, as it stands in a prompt; null for a fix, and if no prompt has it */
  words: string | null;
  /** what the person wants, as data; null if single calls do not show it, or if it names what nobody knows */
  guard: GuardRule | null;
  /** the id of the failed call that it answers; null for what the person said */
  toolUseId: string | null;
  /**
   * a name in the lesson that the record does not contain, so the lesson must not be believed; null if there
   * is none
   */
  invented: string | null;
};

/**
 * Returns the lessons that a model reads in a turn.
 *
 * @param steps the turn, the oldest step first
 * @param words what the assistant said meanwhile, from the transcript; may be empty
 * @returns the lessons, at most three; `told`: facts and relations that the person told, `decided`: what the
 *   person decided; `shown`: the ids of the failed calls that the model saw; `full`: there may be more lessons
 * @throws ModelUnavailable if the model gives no usable answer
 */
export async function readByModel(
  ask: AskModel,
  claims: Claims,
  { sessionId, ...about }: { sessionId: string; project: string; branch: string | null; task: string | null },
  steps: SessionStep[],
  words: string,
): Promise<{
  lessons: ReadLesson[];
  told: TellsFact[];
  decided: ReadDecision[];
  shown: Set<string>;
  full: boolean;
  model: string;
}> {
  const numbered = steps.map((step, n) => ({ n, step }));
  const { record, kept } = recordOf(about, numbered, clip(words, 2000));
  const { answer, model } = await ask(claims, {
    purpose: 'distil',
    instructions: INSTRUCTIONS,
    prompt: JSON.stringify(record, null, 1),
    form: Answer,
    maxOutputTokens: MAX_OUTPUT,
    sessionId,
  });
  const all = textsIn(record).join('\n');
  const said = steps.flatMap((step) => (step.kind === 'prompt' ? [step.text] : [])).join('\n');
  const failed = new Map(
    kept.flatMap(({ n, step }) => (isCall(step) && step.signature !== null ? [[n, step.toolUseId]] : [])),
  );
  const lessons = redactValue(answer.lessons).map((lesson): ReadLesson => {
    const isFix = lesson.kind === 'fix';
    const toolUseId = isFix ? (failed.get(lesson.incident ?? -1) ?? null) : null;
    const words = isFix ? null : quoteOf(lesson.words, said);
    const guard =
      lesson.kind === 'preference' && words !== null && lesson.guard
        ? guardInRecord(all, lesson.guard)
        : null;
    return {
      ...wordedFor(lesson, words, all, said),
      ...(isFix && toolUseId === null && { invented: `step ${lesson.incident}` }),
      lasting: lesson.lasting,
      general: lesson.general,
      words,
      guard,
      toolUseId,
    };
  });
  const { facts, relations, decisions } = redactValue({ ...answer, lessons: [] });
  const told = [
    ...facts.flatMap((fact) => factTold(fact, said)),
    ...relations.flatMap((relation) => relationTold(relation, said)),
  ];
  const decided = decisions.flatMap((decision) => decidedIn(decision, all, said));
  return {
    lessons,
    told,
    decided,
    shown: new Set(failed.values()),
    full: lessons.length === MOST.lessons,
    model,
  };
}

/**
 * Returns a lesson in the model's words, and what of it is invented. What a person said is told in their own words
 * where the model's name something else, or are another language's.
 */
function wordedFor(
  { kind, action, trigger, cause, keywords, appliesTo, confidence }: z.infer<typeof Lesson>,
  words: string | null,
  record: string,
  said: string,
): Pick<ReadLesson, 'written' | 'invented'> {
  const written = { lesson: action, context: trigger, why: cause || null, keywords, appliesTo, confidence };
  const unknown = nameNotIn(record, [action, trigger, cause].join('\n'));
  if (words === null) {
    // what the person wants must be found in the person's own words, not in what a command printed
    const given = kind === 'fix' || isSaid(action, said);
    return { written, invented: unknown ?? (given ? null : 'what the person did not say') };
  }
  if (unknown === null && isSaid(action, said)) return { written, invented: null };
  const held = (text: string) => (nameNotIn(record, text) === null ? text : '');
  return {
    written: { ...written, lesson: words, context: held(trigger), why: held(cause) || null },
    invented: null,
  };
}

type Numbered = { n: number; step: SessionStep };

/** Returns the record of a turn, cut to its size: first its texts, then its oldest steps. */
function recordOf(about: object, steps: Numbered[], words: string) {
  const made = (kept: Numbered[], length: number) => ({
    ...about,
    steps: kept.map((one) => tell(one, length)),
    words: clip(words, length),
  });
  const fits = (record: object) => JSON.stringify(record, null, 1).length <= MAX_RECORD;
  for (const length of TEXT_LENGTHS) {
    const record = made(steps, length);
    if (fits(record)) return { record, kept: steps };
  }
  const length = TEXT_LENGTHS.at(-1) as number;
  let kept = steps;
  while (kept.length > 0 && !fits(made(kept, length))) kept = kept.slice(Math.ceil(kept.length / 10));
  return { record: made(kept, length), kept };
}

function tell({ n, step }: Numbered, length: number): object {
  if (!isCall(step)) return { n, [step.kind === 'prompt' ? 'person' : 'agent']: clip(step.text, length) };
  const edits = step.edits.map(({ file, before, after }) => ({
    file,
    before: clip(before ?? '', length),
    after: clip(after ?? '', length),
  }));
  return {
    n,
    tool: step.tool,
    call: clip(step.line?.text ?? step.target ?? '', Math.max(300, length)),
    ...(step.signature === null && step.ok ? { worked: true } : { failed: ends(step.printed, length) }),
    ...(edits.length > 0 && { edits }),
  };
}

/**
 * Returns the beginning and the end of a text: compilers print the cause first, test runners print it last.
 */
function ends(whole: string, length: number): string {
  if (whole.length <= length) return whole;
  const half = Math.floor(length / 2);
  return `${clip(whole, half)}\n…\n${clipStart(whole, half)}`;
}

/**
 * Returns a fact if the person told it, else an empty list. The prompts must contain its value and the words
 * for it, and half of the words that name it.
 */
function factTold({ words, ...fact }: z.infer<typeof Fact>, said: string): TellsFact[] {
  const { type, key, value } = fact;
  const given = value !== '' && /^[a-z][a-z _-]*$/.test(type) && isSaid(key, said);
  return given && plain(said).includes(plain(value)) && isQuoted(words, said) ? [{ told: fact, words }] : [];
}

/**
 * Returns a relation if the person told it: the words for it contain both names, and the prompts contain the
 * words.
 */
function relationTold({ words, ...read }: z.infer<typeof Relation>, said: string): TellsFact[] {
  const { relation } = read;
  const [from, to] = [entityNamed(read.from), entityNamed(read.to)];
  if (from === null || to === null || !/^[a-z][a-z ]*$/.test(relation)) return [];
  const given = names(words, read.from) && names(words, read.to) && plain(read.from) !== plain(read.to);
  return given && isQuoted(words, said) ? [{ told: { from, relation, to }, words }] : [];
}

/**
 * Returns a decision if the person made it, else an empty list. The prompts must contain the words for it and
 * half of the words of its action. The record must contain all that it names.
 */
function decidedIn({ words, condition, action }: z.infer<typeof Decision>, record: string, said: string) {
  const given = isQuoted(words, said) && isSaid(action, said);
  if (!given || nameNotIn(record, `${condition}\n${action}`) !== null) return [];
  return [{ decision: { condition: condition || null, action }, words }];
}

const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim();
const isQuoted = (words: string, said: string) => words !== '' && plain(said).includes(plain(words));

/** Returns the words that a model quotes as they stand in the prompts; null if no prompt has them. */
function quoteOf(words: string, said: string): string | null {
  if (words.length < MIN_QUOTE) return null;
  const parts = words.split(/\s+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('\\s+'), 'iu').exec(said)?.[0] ?? null;
}

/** Whether at least half of the words of a lesson are the person's. */
function isSaid(lesson: string, said: string): boolean {
  const words = contentWords(lesson);
  const own = new Set(contentWords(said));
  return words.length > 0 && words.filter((word) => own.has(word)).length * 2 >= words.length;
}
