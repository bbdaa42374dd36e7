const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns what a reader takes for the characters of a text: a letter with its marks, a flag, a family. */
export const charactersOf = (text: string): string[] =>
  [...graphemes.segment(text)].map(({ segment }) => segment);

/** Returns the beginning of a text, at most `max` units of UTF-16 long. Half of a character cannot be stored. */
export const clip = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, Math.max(0, max)).replace(/[\uD800-\uDBFF]$/, '');

/** Returns the end of a text, at most `max` units of UTF-16 long. */
export const clipStart = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(text.length - Math.max(0, max)).replace(/^[\uDC00-\uDFFF]/, '');

/** Returns a text of at most `max` units. If it was cut, it ends with “…”. */
export const shorten = (text: string, max: number): string =>
  text.length > max ? `${clip(text, max - 1)}…` : text;
