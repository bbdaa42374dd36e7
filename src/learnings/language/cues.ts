/** Languages that put no blanks between words. */
const UNSPACED = new Set(['zh', 'ja', 'ko']);

/** Parts of a regular expression, by language. */
export type Cues = Record<string, string | string[]>;

/** Returns the source of a regular expression that finds any of these words, in any of their languages. */
export const anyOf = (cues: Cues): string => {
  const each = Object.entries(cues).map(([language, words]) => {
    const any = `(?:${[words].flat().join('|')})`;
    return UNSPACED.has(language) ? any : `(?<![\\p{L}\\p{N}_])${any}(?![\\p{L}\\p{N}_])`;
  });
  return `(?:${each.join('|')})`;
};
