import { type Offer, quote } from '../offers/frame.ts';
import type { Level } from '../offers/voice.ts';
import type { Relevance, SearchResult } from '../search/search.ts';

/** A decision that matches a prompt. */
export type RecalledDecision = Pick<SearchResult, 'id' | 'content'> & {
  relevance: 'high' | 'medium';
};

/** Most decisions with a prompt: usually, and if all are wanted. */
const MAX_AT_PROMPT = { few: 1, all: 2 };
/** What `sure` of a decision must be to be told: it shares words with the prompt, not only its subject. */
const SURE = 0.46;

/**
 * Returns the decisions that match a prompt, from the records that were found for it.
 *
 * @param asks whether the prompt only asks something. No work follows then that a decision could guide, so
 *   none is told; only a HIGH one if all are wanted
 */
export function decisionsIn(
  found: (Omit<RecalledDecision, 'relevance'> & { kind: string; relevance: Relevance; sure: number })[],
  asks: boolean,
  level: Level,
): RecalledDecision[] {
  if (level === 'none' || (asks && level === 'few')) return [];
  const wanted = found.flatMap(({ kind, relevance, sure, ...decision }) => {
    if (kind !== 'decision' || relevance === 'low' || (relevance === 'medium' && asks)) return [];
    return level === 'all' || sure >= SURE ? [{ ...decision, relevance }] : [];
  });
  return wanted.slice(0, MAX_AT_PROMPT[level]);
}

/** Longest decision, in tokens. The rest of a line is for what cites it. */
const MAX_TOKENS = 220;
/** Returns a decision as an agent reads it: `Decided: When {condition}: {action}`. */
export const offerDecision = ({ id, content, relevance }: RecalledDecision): Offer => ({
  kind: 'decision',
  sourceId: id,
  relevance,
  lines: [`Decided: ${quote(content, MAX_TOKENS)} (lore:${id.slice(0, 8)})`],
});
