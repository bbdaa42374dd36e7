import { stopWords } from '../language/stop-words.ts';

// Whether two errors have the same cause, so that what solved one may solve the other. Errors with different
// causes may have lines with a similar meaning: "port 5432 failed: connection refused" and "port 5432 failed:
// password authentication failed". So words count as well as vectors. Measured by `npm run eval:errors` (see
// docs/sessions.md).

/** Two errors count as the same, with this certainty, if the sum of their likenesses is at least this. */
const HIGH = 1.3;
const MEDIUM = 1.1;
const WORDS_SHARE = 0.6;
/** One word in common is too little, however short the lines are. */
const LEAST_WORDS = 2;

/** Words that any error may contain. */
const COMMON = stopWords('errors');

/** Codes by which a tool names an error: ECONNREFUSED, E401, TS2322, an answer's status. */
const CODES = /\b(?:[45]\d\d|E[A-Z]{4,}|E\d{3,}|[A-Z]{2,}\d{3,})\b/g;

type Lines = {
  /** what was printed, see `errorSignature` */
  salient: string;
  /** the same, normalised */
  text: string;
};

/**
 * Returns how sure it is that two errors have the same cause; null if they do not.
 *
 * @param similarity cosine of their lines as they were printed
 */
export function likenessOf(a: Lines, b: Lines, similarity: number): 'high' | 'medium' | null {
  const [own, other] = [wordsOf(a.text), wordsOf(b.text)];
  const common = [...own].filter((word) => other.has(word)).length;
  if (common < LEAST_WORDS || haveOtherCodes(a.salient, b.salient) || haveOtherEnds(a.text, b.text))
    return null;
  const sum = similarity + (WORDS_SHARE * common) / Math.min(own.size, other.size);
  return sum >= HIGH ? 'high' : sum >= MEDIUM ? 'medium' : null;
}

/** Returns the words of a normalised error that tell what went wrong: those that not any error may contain. */
export function wordsOf(text: string): Set<string> {
  const words = text
    .replace(/<\w+>/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]{2,}/g);
  const plain = (words ?? []).filter((word) => !COMMON.has(word));
  return new Set(plain.map((word) => (word.length > 4 ? word.replace(/s+$/, '') : word)));
}

/**
 * Whether the ends of two errors have nothing in common: the text behind a line's last colon, without names
 * in quotes.
 */
function haveOtherEnds(a: string, b: string): boolean {
  const [own, other] = [endsOf(a), endsOf(b)];
  return own.size > 0 && other.size > 0 && ![...own].some((word) => other.has(word));
}

const endsOf = (text: string): Set<string> =>
  wordsOf(
    text
      .split('\n')
      .map((line) => line.slice(line.lastIndexOf(': ') + 1).replace(/(["'`])[^"'`]*\1/g, ' '))
      .join('\n'),
  );

/** Whether both errors contain codes, but none in common. */
function haveOtherCodes(a: string, b: string): boolean {
  const own: string[] = a.match(CODES) ?? [];
  const other: string[] = b.match(CODES) ?? [];
  return own.length > 0 && other.length > 0 && !own.some((code) => other.includes(code));
}
