import { type Offer, quote } from '../frame.ts';
import type { Recalled } from './recall.ts';

/** Longest lesson and longest reason, in tokens. Behind the lesson its id must fit on the same line. */
const MAX_LESSON_TOKENS = 190;
const MAX_WHY_TOKENS = 100;

/**
 * Returns a lesson as an agent reads it: what to do, why, and how far to trust it. One that is only proposed says so.
 *
 * @param note says that it was learned elsewhere, so that the agent trusts it less
 * @param stale a line that says which of its citations are no longer as they were
 */
export function offerLesson(lesson: Recalled, note?: string, stale?: string): Offer {
  const { successes, failures, status, proposed, id } = lesson;
  const unproven = proposed ? 'proposed by an agent' : 'not yet proven';
  const label = note ?? (status === 'proposed' ? unproven : 'HIGH');
  const record = successes + failures > 0 ? `helped ${successes} of ${successes + failures} times, ` : '';
  const first = `[${label}] ${quote(lesson.lesson, MAX_LESSON_TOKENS)} (${record}lore:${id.slice(0, 8)})`;
  const doubt = stale === undefined ? [] : [stale];
  const offer: Offer = {
    kind: 'lesson',
    sourceId: id,
    relevance: note === undefined ? 'high' : 'medium',
    lines: [first, ...doubt],
  };
  if (!lesson.why) return offer;
  const why = `why: ${quote(lesson.why, MAX_WHY_TOKENS)}`;
  return { ...offer, lines: [first, why, ...doubt], fewerLines: offer.lines };
}
