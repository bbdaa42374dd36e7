const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** What closes a string that this opens. */
export const closer = (open: string): string => PAIRS[open] ?? open;

/** Where a string ends: the place of its closing quote, or the text's end. */
export function closing(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text.startsWith(quote, i)) return i;
  }
  return text.length;
}

/** The text up to what closes `open`. */
export function bodyOf(text: string, from: number, open: string): { end: number; body: string } {
  const end = closing(text, from, closer(open));
  return { end, body: text.slice(from, end) };
}
