import { ageInWords, type Offer, quote } from '../offers/frame.ts';
import type { Relevance, SearchResult } from '../search/search.ts';

/** A decision that matches a prompt. */
export type RecalledDecision = Pick<SearchResult, 'id' | 'content' | 'confidence' | 'ageDays'> & {
  relevance: 'high' | 'medium';
};

const MAX_AT_PROMPT = 2;

/**
 * Returns at most two decisions that match a prompt, from the records that were found for it.
 *
 * @param asks whether the prompt only asks something. No work follows then that a decision could guide, so
 *   only a HIGH one counts
 */
export const decisionsIn = (
  found: (Omit<RecalledDecision, 'relevance'> & { kind: string; relevance: Relevance })[],
  asks: boolean,
): RecalledDecision[] =>
  found
    .flatMap(({ kind, relevance, ...decision }) =>
      kind === 'decision' && (relevance === 'high' || (relevance === 'medium' && !asks))
        ? { ...decision, relevance }
        : [],
    )
    .slice(0, MAX_AT_PROMPT);

/** Returns the skill that the text of a decision names; null if it names none. */
export type SkillNamedIn = (decision: string) => { name: string; description: string } | null;

/** Longest description of a skill, in tokens. */
const MAX_SKILL_TOKENS = 80;

/**
 * Returns a decision as an agent reads it: `When {condition}: {action}`, and how far to trust it.
 *
 * @param skillNamedIn adds the skill that the decision names
 */
export function offerDecision(decision: RecalledDecision, skillNamedIn: SkillNamedIn): Offer {
  const { id, content, relevance, confidence, ageDays } = decision;
  const skill = skillNamedIn(content);
  const first = `[${relevance.toUpperCase()}] ${content}`;
  const last = `${ageInWords(ageDays)}, ${Math.round(confidence * 100)} % sure (lore:${id.slice(0, 8)})`;
  const offer: Offer = { kind: 'decision', sourceId: id, relevance, lines: [first, last] };
  if (skill === null) return offer;
  const named = `skill ${skill.name}: ${quote(skill.description, MAX_SKILL_TOKENS)}`;
  return { ...offer, lines: [first, named, last], fewerLines: [first, last] };
}
