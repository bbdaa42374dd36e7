import { readWordLists } from '../../base/text/word-lists.ts';
import text from './stop-words.jsonc' with { type: 'text' };

/**
 * Returns the words that say nothing about what a text is about, for one kind of text.
 *
 * @example const COMMON = stopWords('errors'); // COMMON.has('the')
 */
export const stopWords = readWordLists(text, 'stop-words.jsonc');
