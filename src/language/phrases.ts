import { readJsonc } from '../text/jsonc.ts';
import { type Alternatives, joined } from './words/words.ts';

// Data files with phrases of English: each list is a part of a regular expression, or an array of alternatives.

/** Makes patterns of the lists of one data file. A name that the file does not have throws. */
export type PhraseLists = {
  /** the phrases with `|` between them */
  any(name: string): string;
  /** matches a text that begins with one of the phrases, as whole words */
  begins(name: string): RegExp;
  /** matches a text that has one of the phrases, as whole words */
  contains(name: string): RegExp;
};

/**
 * Reads a data file with lists of phrases.
 *
 * @param file its name, for errors
 */
export function readPhrases(text: string, file: string): PhraseLists {
  const lists = readJsonc(text) as Record<string, Alternatives>;
  const any = (name: string): string => {
    const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
    if (list === undefined) throw new Error(`${file} has no list “${name}”`);
    return joined(list);
  };
  return {
    any,
    begins: (name) => new RegExp(`^(?:${any(name)})\\b`, 'i'),
    contains: (name) => new RegExp(`\\b(?:${any(name)})\\b`, 'i'),
  };
}
