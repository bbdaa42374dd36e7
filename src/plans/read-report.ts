import { clip } from '../text/clip.ts';
import { objectIn } from '../text/json.ts';

/** What a subagent says at the end of its work: its report as JSON, fenced or bare, and what else it said. */
export type ReadReport = {
  verdict: 'success' | 'partial' | 'failed' | null;
  nextSteps: string[];
  text: string;
};

const VERDICTS = ['success', 'partial', 'failed'] as const;
const MAX_NEXT = 20;
const MAX_TEXT = 2_000;
const REPORT = /```(?:json)?\s*\n?(\{[\s\S]*?\})\s*```|(\{\s*"(?:verdict|recommendedNextSteps)"[\s\S]*\})/gi;

/** Reads what a subagent said last. What does not fit the form is left in the text. */
export function readReport(message: string): ReadReport {
  for (const [source, fenced, bare] of [...message.matchAll(REPORT)].reverse()) {
    const given = objectIn(fenced ?? bare ?? '');
    if (!given || !('verdict' in given || 'recommendedNextSteps' in given)) continue;
    const { verdict, recommendedNextSteps: next } = given;
    return {
      verdict: VERDICTS.find((one) => one === verdict) ?? null,
      nextSteps: (Array.isArray(next) ? next : [])
        .map((one) =>
          typeof one === 'string' ? one : (one as { description?: unknown } | null)?.description,
        )
        .flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? clip(one.trim(), MAX_TEXT) : []))
        .slice(0, MAX_NEXT),
      text: message.replace(source, '').trim(),
    };
  }
  return { verdict: null, nextSteps: [], text: message.trim() };
}

/** What an agent says when it could not do its step. */
const GAVE_UP =
  /\b(?:(?:could|can) ?not|couldn['’]t|can['’]t|(?:was|am|were) (?:not able|unable) to|unable to|did(?: not|n['’]t) (?:manage|succeed)|gave up|failed to) (?:do|complete|finish|proceed|continue|make|get|solve|fix|implement)/i;

/** Returns whether a last message says that the work could not be done. English only. */
export const gaveUp = (message: string): boolean => GAVE_UP.test(message);
