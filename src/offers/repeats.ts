import type { Offer, OfferKind } from './frame.ts';
import { OFFER_KINDS } from './schema.ts';

// The same fact is told once: a rule, a hand-off and earlier work may all quote the same sentence.

/** Two texts say the same if this share of the words of the shorter one stands in the other. */
const SAME = 0.8;
/** A text of fewer words may stand in another by chance. */
const FEWEST_WORDS = 4;

/** What is no part of the fact: labels, citations, and how old it is. */
const AROUND = /^\[[^\]]*\]|\(lore:[^)]*\)|\b\d+ (?:h|d|months) ago\b|\bjust now\b|\b20\d\d-\d\d-\d\d\b/g;

/** Kinds whose lines are alike although they say something else. */
const ALWAYS: OfferKind[] = ['rule', 'working-state', 'step'];

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replace(AROUND, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]{3,}/gu) ?? [],
  );

type Line = { kind: OfferKind | null; words: Set<string> };

/** Returns whether a line says what an earlier one has said. A hand-off that quotes one says more than that. */
function repeats(line: Line, earlier: Line): boolean {
  const shorter = Math.min(line.words.size, earlier.words.size);
  if (shorter < FEWEST_WORDS) return false;
  let common = 0;
  for (const word of line.words) if (earlier.words.has(word)) common++;
  return common >= SAME * (line.kind === 'hand-off' ? line.words.size : shorter);
}

/**
 * Returns offers without those that say what another one says, or what the agent was told before. The kind
 * that an answer shows first stays. Offers of one kind are not compared with each other.
 *
 * @param told what the agent was told before, a line each
 */
export function withoutRepeats(offers: Offer[], told: string[] = []): Offer[] {
  const before = told.map((text): Line => ({ kind: null, words: wordsOf(text) }));
  const inOrder = OFFER_KINDS.flatMap((kind) => offers.filter((offer) => offer.kind === kind));
  const kept: { offer: Offer; line: Line }[] = [];
  for (const offer of inOrder) {
    const line: Line = { kind: offer.kind, words: wordsOf(offer.lines[0] ?? '') };
    const known =
      before.some((earlier) => repeats(line, earlier)) ||
      kept.some((one) => one.offer.kind !== offer.kind && repeats(line, one.line));
    if (!known || ALWAYS.includes(offer.kind)) kept.push({ offer, line });
  }
  return kept.map(({ offer }) => offer);
}
