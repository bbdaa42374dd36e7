const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Returns the sign that closes a string opened by `open`. */
export const closer = (open: string): string => PAIRS[open] ?? open;

/** Returns where a string ends: the index of its closing quote, or the end of the text. */
export function closing(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text.startsWith(quote, i)) return i;
  }
  return text.length;
}

/** Returns the text up to the sign that closes `open`, and the index of that sign. */
export function bodyOf(text: string, from: number, open: string): { end: number; body: string } {
  const end = closing(text, from, closer(open));
  return { end, body: text.slice(from, end) };
}
