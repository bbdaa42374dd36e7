// What every finder of this folder uses to read a text. A finder gets a `view`: the text as `redact.ts` prepares it,
// with the same positions, escaped quotes decoded, and escaped line ends turned into \v.

/** Called with a half-open range of UTF-16 positions that holds a secret, and what kind of secret it is. */
export type Report = (start: number, end: number, kind?: string) => void;

export type Text = { view: string; lineEnd: (at: number) => number };

/** `matchAll` without the copy of the pattern it makes, which costs more than searching a short text. */
export function* matches(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) yield match;
}

/** Positions of line ends; asked for ascending positions, it reads the text once however long its lines are. */
export function lineEnds(view: string): (at: number) => number {
  let from = 0;
  let end = -1;
  return (at) => {
    if (at < from || at > end) {
      from = at;
      end = view.indexOf('\n', at);
      if (end < 0) end = view.length;
    }
    return end;
  };
}

export function run(pattern: RegExp, view: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(view);
}

export const WORD = /[^\s"'`]+/y;
export const OPENING = /(?:[bfru]{1,2}|[@$])?(\\{0,16})("""|'''|["'`])/iy;

/** Position of the closing quote (of its backslashes). Nested JSON puts 0, 1, 3, 7, … backslashes before its quotes. */
export function closingQuote(text: Text, start: number, quote: string, level: number): number {
  const { view } = text;
  const limit = quote.length === 3 ? view.length : text.lineEnd(start);
  for (let at = view.indexOf(quote, start); at >= 0 && at < limit; at = view.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (at - slashes > start && view.charAt(at - slashes - 1) === '\\') slashes++;
    if (slashes < level || slashes % (2 * (level + 1)) === level) return at - Math.min(slashes, level);
  }
  return limit;
}
