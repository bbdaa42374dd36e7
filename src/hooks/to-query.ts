/**
 * Longest query, in characters. Of a longer prompt only the beginning and the end are searched, because the
 * model reads 256 word pieces.
 */
const MAX_QUERY = 2000;

/**
 * Returns the prompt as a query. Ruled lines and other runs of four or more signs are left out, because they
 * would fill the model's window.
 */
export function toQuery(prompt: string): string {
  const words = prompt.replace(/[^\p{L}\p{N}]{4,}/gu, '\n');
  if (words.length <= MAX_QUERY) return words;
  return `${clip(words, MAX_QUERY / 2)}\n${clipStart(words, MAX_QUERY / 2)}`;
}

import { clip, clipStart } from '../text/clip.ts';
