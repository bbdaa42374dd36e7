import { readJsonc } from '../text/jsonc.ts';
import text from './file-deeds.jsonc' with { type: 'text' };
import { isSpaced, type Phrases } from './languages.ts';
import type { Language } from './words/words.ts';

/** What is done with a file. */
export type FileDeed = 'rename' | 'delete' | 'run' | 'read' | 'create' | 'edit';

const WORDS = Object.entries(readJsonc(text) as Record<FileDeed, Record<Language, string>>);

const cache = new Map<Language, [FileDeed, RegExp][]>();

/** English words count in each language, because people mix them in. */
function patterns(language: Language): [FileDeed, RegExp][] {
  const known = cache.get(language);
  if (known) return known;
  const made = WORDS.map(([deed, words]): [FileDeed, RegExp] => {
    const spaced = isSpaced(language) ? `${words.en}|${words[language]}` : words.en;
    const own = isSpaced(language) ? '' : `|${words[language]}`;
    return [deed as FileDeed, new RegExp(`(?<![\\p{L}\\p{N}_])(?:${spaced})${own}`, 'giu')];
  });
  cache.set(language, made);
  return made;
}

/**
 * Returns what a text says is done with files.
 *
 * @param prose without the names of files in it: nobody reads because of `README.md`
 */
export function fileDeedsIn(prose: string, { language }: Pick<Phrases, 'language'>): Set<FileDeed> {
  let rest = prose;
  const found = new Set<FileDeed>();
  for (const [deed, pattern] of patterns(language)) {
    const left = rest.replace(pattern, (words) => ' '.repeat(words.length));
    if (left !== rest) found.add(deed);
    rest = left;
  }
  return found;
}
