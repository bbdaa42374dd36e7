/** The most names that are taken from one text. */
const MAX_MENTIONS = 100;
/** Longest name, in characters; the same as for a name in a client's own list. */
const MAX_NAME = 200;

/**
 * An `@` that does not follow a word, a path or an address, and the name behind it. Not a name: a package
 * (`@acme/shop`), a call (`@Injectable()`), an address (`@ann@example.org`).
 */
const MENTION =
  /(?<![\p{L}\p{N}\p{M}_.@/+\\-])@([\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*(?:[-.:][\p{L}\p{N}\p{M}_]+)*)(?![\p{L}\p{N}_]|[-.:]+[\p{L}\p{N}_]|[-.:]*[/(@])/gu;

const FENCE = /^ {0,3}(?:[-*+>] ?|\d{1,9}[.)] )* {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Returns the names that a text mentions as `@name`, each once, in their order. A name in code (between
 * backticks, or in a fenced block) does not count.
 *
 * @example mentionsIn('@reviewer: see `@types/node`, ask ann@example.org') // ['reviewer']
 */
export function mentionsIn(text: string): string[] {
  let fence: string | null = null;
  const prose = text.split(/\r\n?|\n/).map((line) => {
    const mark = FENCE.exec(line)?.[1];
    const inside = fence !== null;
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence) && line.trimEnd().endsWith(mark)) fence = null;
    return inside || mark !== undefined ? '' : line;
  });
  const names = prose
    .join('\n')
    .split(/\n[^\S\n]*\n/)
    .flatMap((paragraph) => [...withoutSpans(paragraph).matchAll(MENTION)].map(([, name = '']) => name));
  return [...new Set(names)].filter((name) => name.length <= MAX_NAME).slice(0, MAX_MENTIONS);
}

/** Returns a paragraph without its code spans. A span is the text between two runs of equally many backticks. */
function withoutSpans(paragraph: string): string {
  const parts = paragraph.split(/(`+)/);
  let rest = '';
  for (let i = 0; i < parts.length; i++) {
    const close = i % 2 === 1 ? parts.indexOf(parts[i] as string, i + 2) : -1;
    // a space takes the place of a span, so that the words around it stay apart
    rest += close < 0 ? parts[i] : ' ';
    if (close > 0) i = close;
  }
  return rest;
}
