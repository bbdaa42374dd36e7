import { z } from 'zod';
import { clip } from '../text/clip.ts';
import { objectIn } from '../text/json.ts';

/** What a subagent may report at the end of its work, as a fenced block or without a fence. */
export type ReadReport = {
  verdict: 'success' | 'partial' | 'failed' | null;
  learnings: { lesson: string; context: string; confidence: number; appliesTo: string[] }[];
  errorsFound: { type: string; description: string; resolution: string }[];
  nextSteps: string[];
  /** what did not fit the form, and why */
  unfit: { text: string; reason: string }[];
  /** what else it said */
  text: string;
};

const MAX_ITEMS = 20;
const MAX_TEXT = 2_000;

const words = (max: number) => z.string().trim().min(1).max(max);
const Learning = z.object({
  lesson: words(MAX_TEXT),
  context: z.string().trim().max(MAX_TEXT).default(''),
  confidence: z.number().min(0).max(1).default(0.6),
  appliesTo: z.union([z.array(words(200)).max(30), words(200).transform((one) => [one])]).default([]),
});
const ErrorFound = z.object({
  type: z.string().trim().max(200).default(''),
  description: words(MAX_TEXT),
  resolution: z.string().trim().max(MAX_TEXT).default(''),
});
const NextStep = z.union([
  words(MAX_TEXT),
  z.object({ description: words(MAX_TEXT) }).transform(({ description }) => description),
]);
const VERDICTS = ['success', 'partial', 'failed'] as const;
const NAMES = ['verdict', 'learnings', 'errorsFound', 'recommendedNextSteps'];

/**
 * Reads what a subagent said last. Items in the form that it was asked for are taken; an item that does not
 * fit is kept with the reason. If the message does not have this form at all, there is only text.
 */
export function readReport(message: string): ReadReport {
  const report: ReadReport = {
    verdict: null,
    learnings: [],
    errorsFound: [],
    nextSteps: [],
    unfit: [],
    text: message.trim(),
  };
  const found = jsonIn(message);
  if (found === null) return report;
  report.text = message.replace(found.source, '').trim();
  const keep = (value: unknown, reason: string) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    report.unfit.push({ text: clip(text, MAX_TEXT), reason });
  };
  if (found.value === undefined) {
    keep(found.source, 'is no JSON');
    return report;
  }
  const given = found.value;
  const verdict = z.enum(VERDICTS).safeParse(given.verdict);
  if (verdict.success) report.verdict = verdict.data;
  else if (given.verdict !== undefined) keep(given.verdict, `verdict is none of ${VERDICTS.join(', ')}`);
  const each = <T>(name: string, form: z.ZodType<T>, into: T[]) => {
    const list = given[name];
    if (list === undefined || list === null) return;
    if (!Array.isArray(list)) {
      keep(list, `${name} is no list`);
      return;
    }
    for (const [i, item] of list.entries()) {
      const one = form.safeParse(item);
      if (i >= MAX_ITEMS) keep(item, `${name} has more than ${MAX_ITEMS} items`);
      else if (one.success) into.push(one.data);
      else
        keep(item, `${name}: ${one.error.issues[0]?.path.join('.') ?? ''} ${one.error.issues[0]?.message}`);
    }
  };
  each('learnings', Learning, report.learnings);
  each('errorsFound', ErrorFound, report.errorsFound);
  each('recommendedNextSteps', NextStep, report.nextSteps);
  return report;
}

/**
 * Returns the JSON object in a message, with its text. `value` is undefined if the text looks like one but is
 * not valid.
 */
function jsonIn(message: string): { source: string; value: Record<string, unknown> | undefined } | null {
  const fenced = [...message.matchAll(/```(?:json)?\s*\n?(\{[\s\S]*?\})\s*```/gi)].map(
    ([source, body = '']) => ({
      source,
      body,
    }),
  );
  const start = message.search(/\{\s*"(?:verdict|learnings|errorsFound|recommendedNextSteps)"/);
  const bare = start < 0 ? [] : [{ source: message.slice(start), body: balanced(message.slice(start)) }];
  const candidates = [...fenced.reverse(), ...bare];
  for (const { source, body } of candidates) {
    const value = objectIn(body);
    if (value && NAMES.some((name) => Object.hasOwn(value, name))) {
      return { source: source.startsWith('`') ? source : body, value };
    }
  }
  // a candidate that names the fields was meant as a report
  const meant = candidates.find(({ body }) =>
    /"(?:verdict|learnings|errorsFound|recommendedNextSteps)"/.test(body),
  );
  return meant ? { source: meant.source, value: undefined } : null;
}

/** Returns the text up to the brace that closes its first brace; the whole text if there is none. */
function balanced(text: string): string {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '\\') i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return text.slice(0, i + 1);
  }
  return text;
}

/** What an agent says when it could not do its step. */
const GAVE_UP =
  /\b(?:(?:could|can) ?not|couldn['’]t|can['’]t|(?:was|am|were) (?:not able|unable) to|unable to|did(?: not|n['’]t) (?:manage|succeed)|gave up|failed to) (?:do|complete|finish|proceed|continue|make|get|solve|fix|implement)/i;

/** Returns whether a last message says that the work could not be done. English only. */
export const gaveUp = (message: string): boolean => GAVE_UP.test(message);
