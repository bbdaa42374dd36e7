import { ageInWords, type Offer, quote } from '../offers/frame.ts';
import type { Recalled } from './recall.ts';

/** Longest reason of a lesson, in tokens. The lesson itself may fill a whole line. */
const MAX_WHY_TOKENS = 100;

/**
 * Returns a lesson as an agent reads it: what to do, why, and how far to trust it.
 *
 * @param note says that it was learned elsewhere or from a similar error, so that the agent trusts it less
 * @param stale a line that says which of its citations are no longer as they were
 */
export function offerLesson(lesson: Recalled, note?: string, stale?: string): Offer {
  const { successes, failures } = lesson;
  const record = successes + failures > 0 ? `, held ${successes} of ${successes + failures} times` : '';
  const label = `${lesson.relevance.toUpperCase()}${note ? `, ${note}` : ''}`;
  const first = `[${label}] ${lesson.lesson}`;
  const last = `${ageInWords(lesson.ageDays)}, ${Math.round(lesson.confidence * 100)} % sure${record} (lore:${lesson.id.slice(0, 8)})`;
  const doubt = stale === undefined ? [] : [stale];
  const offer: Offer = {
    kind: 'lesson',
    sourceId: lesson.id,
    relevance: lesson.relevance,
    lines: [first, ...doubt, last],
  };
  if (!lesson.why) return offer;
  return {
    ...offer,
    lines: [first, `why: ${quote(lesson.why, MAX_WHY_TOKENS)}`, ...doubt, last],
    fewerLines: offer.lines,
  };
}
