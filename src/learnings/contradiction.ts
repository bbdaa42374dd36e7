import { stopWords } from '../language/stop-words.ts';

// Decides whether two lessons about the same thing agree or contradict each other. Cosine similarity cannot tell: "use
// X" and "never use X" are close together. So the words decide. A wrong “yes” closes a correct lesson, while a wrong
// “no” only keeps both. In doubt the answer is no.

const set = (words: string) => new Set(words.split(' '));

const STOP = stopWords('core');
const FAILURES = 'fail fails failed failing break breaks broke crash crashes hang hangs';
/** Each of these words negates a statement. Two of them cancel out ("never skip", "without X it fails"). */
const NEGATIONS = set(
  `never not no dont don't doesnt doesn't cannot cant can't avoid stop without unless wont won't shouldnt shouldn't
   skip omit forget ignore ${FAILURES}`.replace(/\s+/g, ' '),
);
const EMPHASIS = set('always must should please only');
/** Verbs of instruction. They say nothing about the topic. */
const VERBS = set(
  'use uses using run runs running set change make keep prefer choose pick call pass raise lower increase decrease work works need needs',
);
const OPPOSITES = new Map(
  [
    'enable disable',
    'enabled disabled',
    'on off',
    'true false',
    'before after',
    'allow deny',
    'allow forbid',
    'increase decrease',
    'raise lower',
    'add remove',
    'sync async',
    'include exclude',
    'safe unsafe',
  ]
    .map((pair) => pair.split(' ') as [string, string])
    .flatMap(([a, b]) => [[a, b] as const, [b, a] as const]),
);

/** Share of common words (0–1) that two lessons need before a difference counts as a contradiction. */
const SAME_TOPIC = 0.6;

export type Contradiction = { reason: string };

/**
 * Returns why two lessons cannot both hold, or null. The order of the lessons changes only the wording of the reason.
 *
 * @example contradiction('use npm for installs', 'use pnpm for installs') // { reason: … }
 */
export function contradiction(a: string, b: string): Contradiction | null {
  const left = read(a);
  const right = read(b);
  return (
    byPreference(left, right) ??
    byNumber(left, right) ??
    byPolarity(left, right) ??
    byOpposite(left, right) ??
    byValue(left, right) ??
    byChoice(left, right)
  );
}

const tokens = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[’`]/g, "'")
    .match(/[\p{L}\p{N}@/_.$#%'-]+/gu)
    ?.map((token) => token.replace(/^['.-]+|['.]+$/g, ''))
    .filter((token) => token.length > 0) ?? [];

const isNumber = (token: string) => /^[v$]?\d+(\.\d+)*(ms|b|%|x|k)?$/.test(token);

/** Returns the share of common members, 0–1: |A ∩ B| / |A ∪ B| (Jaccard index). */
export function jaccard(a: Iterable<string>, b: Iterable<string>): number {
  const left = new Set(a);
  const right = new Set(b);
  const common = [...left].filter((token) => right.has(token)).length;
  const union = left.size + right.size - common;
  return union === 0 ? 0 : common / union;
}

/** Returns the words of a text that carry its topic. */
export const contentWords = (text: string) =>
  tokens(text).filter((t) => !STOP.has(t) && !NEGATIONS.has(t) && !EMPHASIS.has(t));

/**
 * Returns whether one text names a file, flag, identifier, number or piece of code that the other does not. A lesson with
 * another port or flag is another lesson, and one with a flag more says more.
 */
export function namesDiffer(a: string, b: string): boolean {
  const [left, right] = [namedIn(a), namedIn(b)];
  return onlyIn(left, right) || onlyIn(right, left);
}

function namedIn(text: string): string[] {
  const plain = inBaseUnits(withoutErrors(text));
  const code = [...plain.matchAll(/`([^`]+)`/g)].flatMap(([, inner = '']) => tokens(inner));
  const constants = plain.match(/\b[A-Z][A-Z0-9_]+\b/g)?.map((word) => word.toLowerCase()) ?? [];
  return [...code, ...constants, ...tokens(plain).filter((t) => /[\d/_@#]|[^\W_][.-][^\W_]|^--/.test(t))];
}

/**
 * Words that advise against something; two of them cancel out. Words that only describe (“cannot reach”) do not count.
 */
const PROHIBITS =
  /\b(?:never|don['’]?t|do not|must not|mustn['’]t|should not|shouldn['’]t|not to|no longer|avoid|stop|skip|omit|forget|ignore)\b/gi;
const FAILS = new RegExp(`\\b(?:${FAILURES.replaceAll(' ', '|')})\\b`, 'i');
/**
 * After one of these, a negated sentence still advises to do something: “it fails until X”, “it fails: do X”.
 */
const REMEDY = /[:;,]|\b(?:until|unless|once|without|only|not)\b/i;

/**
 * Returns whether two lessons have the same direction: both advise something or both advise against it, and
 * neither prefers what the other rejects. Two lessons that do not contradict each other may still fail this
 * test.
 */
export function sameDirection(a: string, b: string): boolean {
  const [left, right] = [read(a), read(b)];
  const against = ({ directive }: Reading) =>
    (directive.match(PROHIBITS)?.length ?? 0) + (FAILS.test(directive) && !REMEDY.test(directive) ? 1 : 0);
  const swapped = jaccard(left.chosen, right.rejected) > 0 || jaccard(left.rejected, right.chosen) > 0;
  return against(left) % 2 === against(right) % 2 && !swapped;
}

/**
 * Returns copies of a text, each without one word. The words that are left out carry the topic and do not
 * occur in the other text in any form.
 */
export function withoutEach(text: string, other: string): string[] {
  const stem = (word: string) => word.replace(/ies$/, 'y').replace(/(?:ing|ed|es|s|ly)$/, '');
  const known = new Set(tokens(other).map(stem));
  const own = new Set(
    contentWords(text)
      .filter((word) => !VERBS.has(word))
      .map(stem),
  );
  return [...own]
    .filter((word) => !known.has(word))
    .map((word) =>
      text.replace(/[\p{L}\p{N}@/_.$#%'-]+/gu, (each) => (tokens(each).map(stem)[0] === word ? '' : each)),
    );
}

/**
 * Returns whether each text names a file, flag, identifier or number that the other does not. Then they are two
 * lessons even if they sound alike: "npm ci in packages/web" and "npm ci in packages/api" have cosine 0.94.
 */
export function namesOther(a: string, b: string): boolean {
  const names = (text: string) =>
    tokens(inBaseUnits(withoutErrors(text))).filter((t) => /[\d/._@#-]/.test(t));
  return onlyIn(names(a), names(b)) && onlyIn(names(b), names(a));
}

const onlyIn = (own: string[], other: string[]) => own.some((word) => !other.includes(word));

/** Returns the text without quoted errors: their words do not belong to the lesson. */
const withoutErrors = (text: string) => text.replace(/“[^”]*”/g, ' ');

type Reading = {
  condition: string;
  /** what the lesson advises, without its condition, reason and rejected alternative */
  directive: string;
  words: string[];
  /** the words of the topic, in order and in the singular */
  topic: string[];
  numbers: string[];
  negative: boolean;
  chosen: string[];
  rejected: string[];
};

const PREFERENCE =
  /\b((?:use|prefer|choose|run|call|pick|with)\s+((?:(?![.;,]\s).)+?)),?\s+(?:instead of|rather than|over|(?:and )?(?:not|never))\s+(.+?)(?=,?\s+(?:for|when|in|to|on|at|with)\b|[.;,](?:\s|$)|$)/i;

function read(text: string): Reading {
  // the reason is cut off, because the same advice may have different reasons
  const plain = inBaseUnits(withoutErrors(text)).replace(
    /(?<=\S\s+\S+\s*)(?:[;—–]|,?\s\b(?:because|since|so that|which|otherwise|or else)\b|\sor\s(?=.*\b(?:fail|break|crash|hang)s?\b)).*$/is,
    '',
  );
  const condition = /^\s*(?:when|if|once|after|while|on)\b[^,:]*[,:](?=\s)/i.exec(plain)?.[0] ?? '';
  const rest = plain.slice(condition.length);
  const preference = PREFERENCE.exec(rest);
  const directive = rest.replace(PREFERENCE, '$1');
  const words = tokens(directive);
  const isTopic = (t: string) => !STOP.has(t) && !NEGATIONS.has(t) && !EMPHASIS.has(t) && !VERBS.has(t);
  return {
    condition,
    directive,
    words,
    topic: [...tokens(condition), ...words.filter((t) => !isNumber(t))].filter(isTopic).map(singular),
    numbers: words.filter(isNumber),
    negative: words.filter((t) => NEGATIONS.has(t)).length % 2 === 1,
    chosen: contentWords(preference?.[2] ?? ''),
    rejected: contentWords(preference?.[3] ?? ''),
  };
}

const UNITS: [unit: RegExp, factor: number, base: string][] = [
  [/^(?:ms|milliseconds?)$/, 1, 'ms'],
  [/^(?:s|secs?|seconds?)$/, 1_000, 'ms'],
  [/^(?:m|mins?|minutes?)$/, 60_000, 'ms'],
  [/^(?:h|hours?)$/, 3_600_000, 'ms'],
  [/^ki?b$/, 2 ** 10, 'b'],
  [/^mi?b$/, 2 ** 20, 'b'],
  [/^gi?b$/, 2 ** 30, 'b'],
];

/** Converts units, so that "30s", "30 seconds" and "0.5 min" become the same word. */
const inBaseUnits = (text: string) =>
  text.replace(/(?<![\w.])(\d+(?:\.\d+)?)[ -]?([a-z]{1,12})\b/gi, (whole, amount: string, name: string) => {
    const unit = UNITS.find(([pattern]) => pattern.test(name.toLowerCase()));
    return unit ? `${Number(amount) * unit[1]}${unit[2]}` : whole;
  });

const singular = (word: string) =>
  /^[a-z]{3,}s$/.test(word) ? word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '') : word;

/**
 * Returns whether two texts have the same topic. One may say more than the other. If each has words of its own, the
 * topics differ ("in the orders service" against "in the users service").
 */
function sameTopic(a: string[], b: string[]): boolean {
  return jaccard(a, b) >= SAME_TOPIC && !(onlyIn(a, b) && onlyIn(b, a));
}

/** Tells "migrations before tests" from "tests before migrations", which has the same words in another order. */
function sameOrder(a: string[], b: string[]): boolean {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (const [i, other] of b.entries()) {
      next.push(word === other ? (row[i] ?? 0) + 1 : Math.max(row[i + 1] ?? 0, next[i] ?? 0));
    }
    row = next;
  }
  // length of the longest common subsequence, relative to the shorter text
  return (row[b.length] ?? 0) / Math.min(a.length, b.length) > 0.67;
}

/** Finds "use X instead of Y" against "use Y instead of X". */
function byPreference(a: Reading, b: Reading): Contradiction | null {
  const near = (x: string[], y: string[]) => jaccard(x, y) >= 0.5;
  if (!near(a.chosen, b.rejected) || !near(a.rejected, b.chosen)) return null;
  const named = [...a.chosen, ...a.rejected, ...b.chosen, ...b.rejected].map(singular);
  const place = (reading: Reading) => reading.topic.filter((word) => !named.includes(word));
  if (place(a).length > 0 && place(b).length > 0 && !sameTopic(place(a), place(b))) return null;
  return { reason: `prefers “${a.chosen.join(' ')}” where the other prefers “${b.chosen.join(' ')}”` };
}

/** Finds "5 retries" against "7 retries". */
function byNumber(a: Reading, b: Reading): Contradiction | null {
  if (a.numbers.length !== b.numbers.length || a.negative !== b.negative) return null;
  const changed = a.numbers.findIndex((n, i) => n !== b.numbers[i]);
  if (changed < 0 || !sameTopic(a.topic, b.topic)) return null;
  return { reason: `${a.numbers[changed]} against ${b.numbers[changed]}` };
}

/** Finds "use X" against "never use X". */
function byPolarity(a: Reading, b: Reading): Contradiction | null {
  if (a.negative === b.negative || a.numbers.join() !== b.numbers.join()) return null;
  if (!sameTopic(a.topic, b.topic) || !sameOrder(a.topic, b.topic)) return null;
  return { reason: 'one affirms what the other negates' };
}

/** Finds two sentences that differ only in a pair of opposites. */
function byOpposite(a: Reading, b: Reading): Contradiction | null {
  if (a.negative !== b.negative) return null;
  for (const word of a.words) {
    const opposite = OPPOSITES.get(word);
    if (opposite === undefined || b.words.includes(word) || !b.words.includes(opposite)) continue;
    if (a.words.includes(opposite)) continue;
    const rest = (list: string[]) => list.filter((t) => t !== word && t !== opposite);
    if (sameTopic(rest(a.topic), rest(b.topic)) && sameOrder(rest(a.topic), rest(b.topic))) {
      return { reason: `“${word}” against “${opposite}”` };
    }
  }
  return null;
}

/** Finds "set X to A" against "set X to B". */
const byValue = (a: Reading, b: Reading) =>
  otherFiller(
    a,
    b,
    /^(?<before>.*?\b(?:set|pin|change|switch)\s.{1,80}?)\s+to\s+(?<filler>\S+)(?<after>.*)$/i,
  );

/** Finds "use npm for installs" against "use pnpm for installs": another object for the same purpose. */
const byChoice = (a: Reading, b: Reading) =>
  otherFiller(
    a,
    b,
    /^(?<before>\s*(?:always\s+|please\s+)?)(?:use|prefer|choose|pick)\s+(?<filler>.{1,60}?)\s+(?<after>(?:for|to|as)\s.+)$/i,
  );

/** Finds two sentences of the same form that differ in one place only. */
function otherFiller(a: Reading, b: Reading, form: RegExp): Contradiction | null {
  const left = form.exec(a.directive)?.groups;
  const right = form.exec(b.directive)?.groups;
  if (!left || !right || a.negative !== b.negative) return null;
  const fixed = (groups: Record<string, string>, reading: Reading) =>
    contentWords(`${reading.condition} ${groups.before} ${groups.after}`).map(singular);
  if (!sameTopic(fixed(left, a), fixed(right, b))) return null;
  const [one, other] = [contentWords(left.filler ?? ''), contentWords(right.filler ?? '')];
  if (one.length === 0 || other.length === 0 || jaccard(one, other) > 0) return null;
  return { reason: `“${left.filler}” against “${right.filler}” for the same purpose` };
}
