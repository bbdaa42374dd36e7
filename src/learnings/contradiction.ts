// Two lessons about the same thing either agree or contradict. Cosine similarity cannot tell ("use X" and "never use
// X" lie close together), so the words decide.

const STOP = new Set(
  'a an the to of in on at for by with and or is are be it its this that then when if as so do does you your we our'.split(
    ' ',
  ),
);
const NEGATIONS = new Set(
  "never not no dont don't doesnt doesn't cannot cant can't avoid stop without wont won't shouldnt shouldn't".split(
    ' ',
  ),
);
const ALWAYS = new Set(['always', 'must', 'should', 'please', 'only']);
const ANTONYMS = [
  ['enable', 'disable'],
  ['enabled', 'disabled'],
  ['on', 'off'],
  ['true', 'false'],
  ['before', 'after'],
  ['allow', 'deny'],
  ['allow', 'forbid'],
  ['increase', 'decrease'],
  ['raise', 'lower'],
  ['add', 'remove'],
  ['sync', 'async'],
  ['with', 'without'],
  ['always', 'never'],
  ['include', 'exclude'],
  ['safe', 'unsafe'],
  ['works', 'fails'],
] as const;
const OPPOSITE = new Map(ANTONYMS.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));

/** How much of their vocabulary two lessons must share before a difference counts as a contradiction. */
const SAME_TOPIC = 0.6;

export type Contradiction = { reason: string };

/** Why two lessons cannot both hold, or null. Symmetric. */
export function contradiction(a: string, b: string): Contradiction | null {
  return byPreference(a, b) ?? byNumber(a, b) ?? byPolarity(a, b) ?? byAntonym(a, b) ?? byObject(a, b);
}

const tokens = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[’`]/g, "'")
    .match(/[\p{L}\p{N}@/_.$#%'-]+/gu)
    ?.map((token) => token.replace(/^['.-]+|['.]+$/g, ''))
    .filter((token) => token.length > 0) ?? [];

const isNumber = (token: string) => /^[$]?\d+(\.\d+)?(%|ms|s|sec|m|min|h|d|x|k|kb|mb|gb)?$/.test(token);

/** Share of common members: |A ∩ B| / |A ∪ B| (Jaccard). */
export function jaccard(a: Iterable<string>, b: Iterable<string>): number {
  const left = new Set(a);
  const right = new Set(b);
  const common = [...left].filter((token) => right.has(token)).length;
  const union = left.size + right.size - common;
  return union === 0 ? 0 : common / union;
}

/** The words of a text that carry its topic. */
export const contentWords = (text: string) =>
  tokens(text).filter((t) => !STOP.has(t) && !NEGATIONS.has(t) && !ALWAYS.has(t));

/** "5 retries" → "7 retries": the same sentence with another number. */
function byNumber(a: string, b: string): Contradiction | null {
  const left = tokens(a);
  const right = tokens(b);
  const leftNumbers = left.filter(isNumber);
  const rightNumbers = right.filter(isNumber);
  if (leftNumbers.length === 0 || leftNumbers.length !== rightNumbers.length) return null;
  const changed = leftNumbers.findIndex((n, i) => n !== rightNumbers[i]);
  if (changed < 0) return null;
  const skeleton = (list: string[]) => list.filter((t) => !isNumber(t) && !STOP.has(t));
  if (jaccard(skeleton(left), skeleton(right)) < 0.7) return null;
  return { reason: `${leftNumbers[changed]} against ${rightNumbers[changed]}` };
}

/** "use X" against "never use X". */
function byPolarity(a: string, b: string): Contradiction | null {
  const negative = (text: string) => tokens(text).filter((t) => NEGATIONS.has(t)).length % 2 === 1;
  if (negative(a) === negative(b)) return null;
  if (jaccard(contentWords(a), contentWords(b)) < SAME_TOPIC) return null;
  return { reason: 'one affirms what the other negates' };
}

/** The same sentence but for a pair of opposites. */
function byAntonym(a: string, b: string): Contradiction | null {
  const left = new Set(tokens(a));
  const right = new Set(tokens(b));
  for (const word of left) {
    const opposite = OPPOSITE.get(word as never);
    if (opposite === undefined || right.has(word) || !right.has(opposite) || left.has(opposite)) continue;
    const rest = (set: Set<string>) => [...set].filter((t) => t !== word && t !== opposite && !STOP.has(t));
    if (jaccard(rest(left), rest(right)) >= 0.7) return { reason: `“${word}” against “${opposite}”` };
  }
  return null;
}

const PREFERENCE =
  /\b(?:use|prefer|choose|run|call|pick)\s+(.+?)\s+(?:instead of|rather than|over|and not|not|,\s*not)\s+(.+?)(?=[.;,]|\s(?:for|when|in|to|because|since)\b|$)/i;

/** "use X instead of Y" against "use Y instead of X" or "use Y". */
function byPreference(a: string, b: string): Contradiction | null {
  const left = PREFERENCE.exec(a);
  const right = PREFERENCE.exec(b);
  const near = (x: string | undefined, y: string | undefined) =>
    jaccard(contentWords(x ?? ''), contentWords(y ?? '')) >= 0.5;
  if (left && right && near(left[1], right[2]) && near(left[2], right[1])) {
    return { reason: `prefers “${left[1]}” where the other prefers “${right[1]}”` };
  }
  return null;
}

const DIRECTIVE =
  /^\s*(?:always\s+|please\s+)?(use|prefer|choose|run|pin|call|set)\s+(.{1,60}?)\s+(for|to|in|when|as|with|on|before|after)\s+(.+)$/i;

/** "use npm for installs" against "use pnpm for installs": another object for the same purpose. */
function byObject(a: string, b: string): Contradiction | null {
  const left = DIRECTIVE.exec(a);
  const right = DIRECTIVE.exec(b);
  if (!left || !right || left[1]?.toLowerCase() !== right[1]?.toLowerCase()) return null;
  if (jaccard(contentWords(left[4] ?? ''), contentWords(right[4] ?? '')) < 0.75) return null;
  if (jaccard(contentWords(left[2] ?? ''), contentWords(right[2] ?? '')) > 0) return null;
  return { reason: `“${left[2]}” against “${right[2]}” for the same purpose` };
}
