import { z } from 'zod';
import { clip } from '../text/clip.ts';
import { objectIn } from '../text/json.ts';

const MAX_ITEMS = 20;
const MAX_TEXT = 2_000;

const words = (max: number) => z.string().trim().min(1).max(max);
const ErrorFound = z.object({
  type: z.string().trim().max(200).default(''),
  description: words(MAX_TEXT),
  resolution: z.string().trim().max(MAX_TEXT).default(''),
});
const NextStep = z.union([
  words(MAX_TEXT),
  z.object({ description: words(MAX_TEXT) }).transform(({ description }) => description),
]);
const Verdict = z.enum(['success', 'partial', 'failed']);

/** What a subagent may report at the end of its work, as a fenced block or without a fence. */
export type ReadReport = {
  verdict: z.infer<typeof Verdict> | null;
  errorsFound: z.infer<typeof ErrorFound>[];
  nextSteps: string[];
  /** what did not fit the form, and why */
  unfit: { text: string; reason: string }[];
  /** what else it said */
  text: string;
};

/**
 * Reads what a subagent said last. Items in the form that it was asked for are taken; an item that does not
 * fit is kept with the reason. If the message does not have this form at all, there is only text.
 */
export function readReport(message: string): ReadReport {
  const unfit: ReadReport['unfit'] = [];
  const keep = (value: unknown, reason: string) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    unfit.push({ text: clip(text, MAX_TEXT), reason });
  };
  const found = jsonIn(message);
  if (found && !found.value) keep(found.source, 'is no JSON');
  const given = found?.value ?? {};
  const each = <T>(name: string, form: z.ZodType<T>): T[] => {
    const list = given[name] ?? [];
    if (!Array.isArray(list)) keep(list, `${name} is no list`);
    return (Array.isArray(list) ? list : []).flatMap((item, i) => {
      const one = form.safeParse(item);
      if (one.success && i < MAX_ITEMS) return [one.data];
      const issue = one.error?.issues[0];
      keep(
        item,
        issue
          ? `${name}: ${issue.path.join('.')} ${issue.message}`
          : `${name} has more than ${MAX_ITEMS} items`,
      );
      return [];
    });
  };
  const verdict = Verdict.safeParse(given.verdict);
  if (given.verdict !== undefined && !verdict.success)
    keep(given.verdict, `verdict is none of ${Verdict.options.join(', ')}`);
  return {
    verdict: verdict.data ?? null,
    errorsFound: each('errorsFound', ErrorFound),
    nextSteps: each('recommendedNextSteps', NextStep),
    unfit,
    text: (found ? message.replace(found.source, '') : message).trim(),
  };
}

const NAMES = /"(?:verdict|errorsFound|recommendedNextSteps)"/;

/** Returns the report in a message, with its text. `value` is null if it was meant as one but is not valid JSON. */
function jsonIn(message: string): { source: string; value: Record<string, unknown> | null } | null {
  const fenced = [...message.matchAll(/```(?:json)?\s*\n?(\{[\s\S]*?\})\s*```/gi)].map(
    ([source, body = '']) => ({ source, body }),
  );
  const start = message.search(/\{\s*"(?:verdict|errorsFound|recommendedNextSteps)"/);
  const bare = start < 0 ? '' : message.slice(start, message.lastIndexOf('}') + 1);
  const meant = [...fenced.reverse(), { source: bare, body: bare }].filter(({ body }) => NAMES.test(body));
  const read = meant.map(({ source, body }) => ({ source, value: objectIn(body) ?? null }));
  return read.find(({ value }) => value !== null) ?? read[0] ?? null;
}

/** What an agent says when it could not do its step. */
const GAVE_UP =
  /\b(?:(?:could|can) ?not|couldn['’]t|can['’]t|(?:was|am|were) (?:not able|unable) to|unable to|did(?: not|n['’]t) (?:manage|succeed)|gave up|failed to) (?:do|complete|finish|proceed|continue|make|get|solve|fix|implement)/i;

/** Returns whether a last message says that the work could not be done. English only. */
export const gaveUp = (message: string): boolean => GAVE_UP.test(message);
