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
