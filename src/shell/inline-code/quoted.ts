const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Returns the sign that closes a string opened by `open`. */
export const closer = (open: string): string => PAIRS[open] ?? open;

/** Returns where a string ends: the index of its closing quote, or the end of the text. */
export const closing = (text: string, from: number, quote: string): number =>
  closingAround(text, from, quote, null).end;

/**
 * The same for a string that may hold code, which may have strings of its own: "#{e["path"]}".
 *
 * @param opens the text that opens code inside the string; null if there is none
 * @returns `sure`: all code in it is so plain that its end is known
 */
export function closingAround(
  text: string,
  from: number,
  quote: string,
  opens: string | null,
): { end: number; sure: boolean } {
  let sure = true;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text.startsWith(quote, i)) return { end: i, sure };
    // a doubled brace stands for itself in Python
    else if (opens === '{' && text.startsWith('{{', i)) i++;
    else if (opens && text.startsWith(opens, i)) {
      const end = codeEnd(text, i + opens.length);
      sure &&= end !== null;
      i = end ?? i;
    }
  }
  return { end: text.length, sure };
}

const STRING = `"[^"'\\\\{}#$\`\\n]*"|'[^"'\\\\{}#$\`\\n]*'`;
/** No `%q(`, no here-document, no `?'` and no `$'`. */
const SIGNS = `[\\w\\s.,:()[\\]|&!=>+*@;^~-]|%(?=[\\s\\d}])|<(?!<)|[?$](?!['"])`;
/** A slash that divides, and begins neither a pattern nor a comment. */
const DIVIDES = `(?<!\\b(?:typeof|return|void|in|of|delete|instanceof|new|await|yield|case|else|do|and|or|not|if|unless|when|while|until|then|puts|p|print|split|grep) ?)(?:(?<=[\\w)\\]])/(?=[\\w(])|(?<=[\\w)\\]] )/(?= ))`;
/**
 * Matches code inside a string, up to the brace that closes it, if it is plain: words, calls, and strings without code.
 * It does not match code in which a quote or a brace may mean something else: comments, patterns, characters,
 * here-documents.
 */
const PLAIN_CODE = new RegExp(`(?:${SIGNS}|${DIVIDES}|${STRING}|\\{(?:${SIGNS}|${STRING})*\\})*`, 'y');
const MAX_CODE_INSIDE = 500;

/** Returns the index of the brace that closes code inside a string; null if the code is not plain, or long. */
export function codeEnd(text: string, from: number): number | null {
  PLAIN_CODE.lastIndex = 0;
  const length = PLAIN_CODE.exec(text.slice(from, from + MAX_CODE_INSIDE))?.[0].length ?? 0;
  return text[from + length] === '}' ? from + length : null;
}

/** Returns the text up to the sign that closes `open`, and the index of that sign. */
export function bodyOf(text: string, from: number, open: string): { end: number; body: string } {
  const end = closing(text, from, closer(open));
  return { end, body: text.slice(from, end) };
}
