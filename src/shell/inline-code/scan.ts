import { type Language, MARK } from './language.ts';
import { closing, closingAround, codeEnd } from './quoted.ts';

/** How many strings of one program are looked into. */
export const MAX_LITERALS = 60;
const MAX_NESTED = 2000;

const WORD = /\w+/y;
/** What ends a line in one of the languages. */
const LINE_END = /[\n\r\v\f\x85\u2028\u2029]/g;
/** Matches what a quote may follow: a prefix of strings, or a sign behind which a value begins. */
const BEFORE_QUOTE =
  /(?:^|[^\w)\]}])$|(?:^|\W)[rRbBfFuU]{1,2}$|\b(?:and|case|def|do|echo|elif|else|elsif|if|in|is|not|or|p|print|puts|q|return|say|then|typeof|unless|when|while|yield|await|from|import|require|raise|throw|as)$/;

/** `sure`: it is known where each string begins and ends */
export type Scanned = { code: string; literals: string[]; sure: boolean };

/** Separates code from strings and comments, in one pass. A {@link MARK} stands in the code for each string. */
export function scan(text: string, language: Language): Scanned {
  const { comment, blockComments, quotes = '"\'`', tripleQuotes, backtick, patterns } = language.syntax;
  const literals: string[] = [];
  let sure = true;
  const embedded: string[] = [];
  const pieces: string[] = [];
  // the last characters of the code, kept apart because it is slow to search a string that grows bit by bit
  let tail = '';
  const put = (piece: string) => {
    pieces.push(piece);
    tail = (tail + piece).slice(-24);
  };
  const endOfLine = (from: number) => {
    LINE_END.lastIndex = from;
    return LINE_END.exec(text)?.index ?? text.length;
  };
  let i = 0;
  while (i < text.length) {
    const char = text[i] as string;
    const last = tail.slice(-1);
    // `$#` and `@{#…}` are no comments
    if (comment !== undefined && text.startsWith(comment, i) && !(comment === '#' && /[$@{\\]/.test(last))) {
      i = endOfLine(i);
      continue;
    }
    if (blockComments && text.startsWith('/*', i)) {
      const end = text.indexOf('*/', i + 2);
      i = end < 0 ? text.length : end + 2;
      continue;
    }
    if (quotes.includes(char)) {
      const quote = tripleQuotes && text.startsWith(char.repeat(3), i) ? char.repeat(3) : char;
      const prefix = /[A-Za-z]{1,2}$/.exec(tail.slice(-2))?.[0] ?? '';
      const opens = language.syntax.opens?.(char, prefix) ?? null;
      const { end, sure: plain } = closingAround(text, i + quote.length, quote, opens);
      // `x'` is a matrix in Julia
      sure &&= plain && (char === '`' || BEFORE_QUOTE.test(tail));
      const body = text.slice(i + quote.length, end);
      if (char === '`' && backtick === 'runs') put(' backtick ');
      if (char === '`' && backtick === 'template' && /[\w$.)\]]/.test(last)) put('(');
      literals.push(unescaped(body));
      put(MARK);
      embedded.push(...inside(body, opens));
      i = end + quote.length;
      continue;
    }
    const quoted = language.syntax.quoteLike?.(text, i, tail);
    if (quoted) {
      if (quoted.runs) put(' backtick ');
      literals.push(...quoted.literals);
      if (quoted.code) embedded.push(quoted.code);
      put(MARK);
      i = quoted.end;
      continue;
    }
    if (char === '/' && patterns && startsPattern(tail)) {
      const end = closing(text, i + 1, '/');
      if (end < text.length && !text.slice(i, end).includes('\n')) {
        put(MARK);
        literals.push('');
        i = end + 1;
        continue;
      }
    }
    // nothing begins inside a word, so the rest of it is taken in one step
    WORD.lastIndex = i;
    const piece = WORD.exec(text)?.[0] ?? char;
    put(piece);
    i += piece.length;
  }
  for (const part of embedded.slice(0, MAX_LITERALS)) {
    const nested = scan(part.slice(0, MAX_NESTED), language);
    // a statement of its own
    pieces.push(`\n;${nested.code}`);
    literals.push(...nested.literals);
    sure &&= nested.sure;
  }
  return { code: pieces.join(''), literals, sure };
}

/** Whether a slash begins a regular expression: it does unless a value stands before it. */
function startsPattern(before: string): boolean {
  const word = /(?:^|[^\w$@%])(\w+)\s*$/.exec(before)?.[1];
  if (word)
    return /^(if|unless|and|or|not|return|split|grep|map|print|puts|when|while|until|case|typeof|in|of)$/.test(
      word,
    );
  return !/[\w$)\]\uE000]\s*$/.test(before);
}

const ESCAPE =
  /\\(?:[xu]\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-7]{1,3})|N\{([^}\n]{1,40})\}|(['"`\\])|(n)|\n)/gi;

/** Returns what a string stands for, with the escapes that one of the languages knows. */
export const unescaped = (body: string): string =>
  body.includes('\\')
    ? body.replace(ESCAPE, (_, ...groups: (string | undefined)[]) => {
        const [braced, x, u, long, octal, named, sign, n] = groups;
        const hex = braced ?? x ?? u ?? long;
        const code = hex ? Number.parseInt(hex, 16) : octal ? Number.parseInt(octal, 8) : null;
        if (code !== null) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
        if (named !== undefined) return /^full stop$/i.test(named) ? '.' : ' ';
        return sign ?? (n === undefined ? '' : '\n');
      })
    : body;

/** Returns the code inside a string: f"{…}", `${…}`, "#{…}", "@{[…]}". */
function inside(body: string, open: string | null): string[] {
  if (open === null) return [];
  const parts: string[] = [];
  for (let at = body.indexOf(open); at >= 0 && parts.length < MAX_LITERALS; at = body.indexOf(open, at + 1)) {
    parts.push(body.slice(at + open.length, codeEnd(body, at + open.length) ?? undefined));
  }
  return parts;
}
