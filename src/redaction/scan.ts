// What every finder of this folder uses to read a text. A finder gets a `view`: the text as `redact.ts` prepares it.
// All positions are the same as in the text, escaped quotes are decoded, and escaped line ends are \v.

/** Takes one secret: a half-open range of UTF-16 positions, and the kind of secret if it is known. */
export type Report = (start: number, end: number, kind?: string) => void;

/**
 * Yields the matches of a global pattern. `matchAll` copies its pattern on each call, which costs more than searching
 * a short text.
 */
export function* matches(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) yield match;
}

/** Returns the match of a sticky pattern at this position, or null. */
export function run(pattern: RegExp, view: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(view);
}

/** An unquoted word. */
export const WORD = /[^\s"'`]+/y;
/** An opening quote with a string prefix, group 1 its backslashes, group 2 the quote. */
export const OPENING = /(?:[bfru]{1,2}|[@$])?(\\{0,16})("""|'''|["'`])/iy;

/** Longest value in quotes that is looked at. */
const MAX_VALUE = 20_000;

/**
 * Returns the position of the closing quote, or of the backslashes before it. Without a closing quote it returns the
 * end of the line, or the end of the text for a triple quote.
 * @param level number of backslashes before the opening quote: 0, 1, 3, 7, … in nested JSON
 */
export function closingQuote(view: string, start: number, quote: string, level: number): number {
  const text = view.slice(0, start + MAX_VALUE);
  const lineEnd = quote.length === 3 ? -1 : text.indexOf('\n', start);
  const limit = lineEnd < 0 ? text.length : lineEnd;
  for (let at = text.indexOf(quote, start); at >= 0 && at < limit; at = text.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (at - slashes > start && text.charAt(at - slashes - 1) === '\\') slashes++;
    if (slashes < level || slashes % (2 * (level + 1)) === level) return at - Math.min(slashes, level);
  }
  return limit;
}
