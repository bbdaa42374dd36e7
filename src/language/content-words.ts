import { stopWords } from './stop-words.ts';

const STOP = stopWords('core');

/** Returns the words of a text that carry its topic. */
export const contentWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[’`]/g, "'")
    .match(/[\p{L}\p{N}@/_.$#%'-]+/gu)
    ?.map((token) => token.replace(/^['.-]+|['.]+$/g, ''))
    .filter((token) => token.length > 0 && !STOP.has(token)) ?? [];

/** Returns the share of common members, 0–1: |A ∩ B| / |A ∪ B| (Jaccard index). */
export function jaccard(a: Iterable<string>, b: Iterable<string>): number {
  const [left, right] = [new Set(a), new Set(b)];
  const common = [...left].filter((token) => right.has(token)).length;
  const union = left.size + right.size - common;
  return union === 0 ? 0 : common / union;
}
