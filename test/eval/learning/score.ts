// What a lesson and an injection are worth, compared with what a story expects.
import type { Expected } from './stories.ts';

export type Kept = { lesson: string; why?: string | null; context?: string | null };

/** What a reader of a lesson would ask. `good` is all four. */
export type Rubric = { cause: boolean; action: boolean; relevant: boolean; short: boolean; good: boolean };

/** A lesson longer than this is not read in the middle of work. */
const MAX_LESSON = 400;
/** This share of the gold's words shows that a lesson names the same cause. Chosen by eye: a paraphrase has about half. */
const GOLD_WORDS = 0.3;

/** The numbered items of an injected text; the whole text if it has none. */
export function items(text: string): string[] {
  if (text === '') return [];
  const parts = text.split(/\n(?=\d+\. )/).filter((part) => /^\d+\. /.test(part));
  return parts.length > 0 ? parts : [text];
}

/** Tokens of a text, as three bytes each. */
export const tokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 3);

const has = (text: string, pattern: string) => new RegExp(pattern, 'i').test(text);

/** Says where the expected lesson stands among the items of a text, counted from 1; 0 if it does not. */
export function place(text: string, { names, wrong = [] }: Expected): number {
  if (names.length === 0) return 0;
  const right = (item: string) => names.every((name) => has(item, name)) && !wrong.some((w) => has(item, w));
  return items(text).findIndex(right) + 1;
}

/** Says whether a lesson is the expected one. */
export const isRight = (kept: Kept, expected: Expected) =>
  place(`${kept.lesson}\n${kept.why ?? ''}`, expected) > 0;

export const isCluttered = ({ lesson }: Kept, { clutter = [] }: Expected) =>
  clutter.some((pattern) => has(lesson, pattern));

/** Judges the text of a lesson that was kept. The context counts for the cause, because it is shown with the lesson. */
export function rubric(kept: Kept, expected: Expected): Rubric {
  const all = `${kept.lesson}\n${kept.why ?? ''}\n${kept.context ?? ''}`;
  const { wrong = [], clutter = [], gold = '' } = expected;
  const cause = expected.cause?.every((pattern) => has(all, pattern)) ?? sharesWords(all, gold);
  const action = expected.names.length > 0 && expected.names.every((name) => has(all, name));
  const relevant =
    ![...wrong, ...clutter].some((pattern) => has(kept.lesson, pattern)) &&
    passing(kept.lesson, gold).length === 0;
  const short = kept.lesson.length <= MAX_LESSON;
  return { cause, action, relevant, short, good: cause && action && relevant && short };
}

/** Ids, process numbers, hashes, and files in /tmp: they will be others next time, unless the gold has them too. */
const PASSING =
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b|\bkill (?:-\w+ )?\d+|\bpid[ :=]+\d+|\/tmp\/[\w./-]+|\b\d{4}-\d\d-\d\dT/gi;

const passing = (lesson: string, gold: string) =>
  (lesson.match(PASSING) ?? []).filter((word) => !gold.includes(word));

/** Words of four letters and more, and everything with a digit or a capital inside. */
const words = (text: string) =>
  new Set(text.toLowerCase().match(/[\p{L}\d_]{4,}|[\p{L}]*\d[\p{L}\d]*/gu) ?? []);

function sharesWords(text: string, gold: string): boolean {
  const wanted = [...words(gold)];
  const have = words(text);
  return wanted.filter((word) => have.has(word)).length >= GOLD_WORDS * wanted.length;
}
