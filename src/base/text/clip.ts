/** How much text before and behind a cut is looked at. A longer grapheme than this is cut within. */
const WINDOW = 64;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns what a reader takes for the characters of a text: a letter with its marks, a flag, a family. */
export const charactersOf = (text: string): string[] =>
  [...graphemes.segment(text)].map(({ segment }) => segment);

/** Most text has one unit a character. */
const isPlain = (unit: number) => unit >= 0x20 && unit < 0x300;

/**
 * Returns the beginning of a text, at most `max` units of UTF-16 long. It ends with a whole character: half of one cannot
 * be stored, and a letter without its accent is another one.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  if (isPlain(text.charCodeAt(max - 1)) && isPlain(text.charCodeAt(max))) return text.slice(0, max);
  const from = Math.max(0, max - WINDOW);
  let end = from;
  for (const { index, segment } of graphemes.segment(text.slice(from, max + WINDOW))) {
    if (from + index + segment.length > max) break;
    end = from + index + segment.length;
  }
  // one character that fills the whole window is cut, but not within a code point
  return (end > from || from === 0 ? text.slice(0, end) : text.slice(0, max)).replace(/[\uD800-\uDBFF]$/, '');
}

/** Returns the end of a text, at most `max` units of UTF-16 long. It begins with a whole character, as in {@link clip}. */
export function clipStart(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  const cut = text.length - max;
  if (isPlain(text.charCodeAt(cut - 1)) && isPlain(text.charCodeAt(cut))) return text.slice(cut);
  const from = Math.max(0, cut - WINDOW);
  const near = [...graphemes.segment(text.slice(from, cut + WINDOW))];
  const first = near.find(({ index }) => from + index >= cut);
  return text.slice(first ? from + first.index : cut).replace(/^[\uDC00-\uDFFF]/, '');
}

/** Returns a text of at most `max` units. If it was cut, it ends with “…”. */
export const shorten = (text: string, max: number): string =>
  text.length > max ? `${clip(text, max - 1)}…` : text;
