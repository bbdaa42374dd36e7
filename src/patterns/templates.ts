import { MIN_EPISODES, MIN_SESSIONS } from './sequences.ts';

// Finds tasks of one kind that were done in the same way: clusters of successful episodes that are alike in
// what was done, in which files, and in what their descriptions mean. Leader clustering (Hartigan,
// “Clustering Algorithms”, 1975, ch. 3): an episode joins the most similar leader, or becomes one. The oldest
// come first, so that an episode that is added later changes no leader. A cluster is identified by its
// leader.

/** The parts of an episode that are compared. */
export type Done = {
  id: string;
  session: number;
  /** true: it ended well; null: not known */
  ok: boolean | null;
  steps: string[];
  tools: string[];
  files: string[];
  description: string;
  /** what its description means; null: its words are compared */
  vector: Float32Array | null;
};

export type Cluster = {
  /** id of the episode that it is known by */
  leader: string;
  /** all that are like it, the successful ones first among equals */
  members: Done[];
  successes: number;
  failures: number;
  words: string[];
  steps: string[];
  commonFiles: string[];
  typicalTools: string[];
};

/** How much each likeness counts, and how much is enough. Calibrated by `npm run eval:patterns` (docs/patterns.md). */
const WEIGHTS = { steps: 0.3, files: 0.25, meaning: 0.45 };
const ALIKE = 0.5;
/** The cosine of two descriptions of one task; those of unrelated texts are near 0. */
const SAME_MEANING = 0.6;
/** Something is usual if at least this share of the episodes has it. */
const USUAL = 0.6;
const MAX_LEADERS = 300;
const MAX_SHOWN = { steps: 8, files: 5, tools: 5, words: 5 };

type Compared = { of: Done; steps: Set<string>; places: Set<string>; words: Set<string>; wordWeight: number };

/** Returns the clusters of episodes of one type, which come with the oldest first. Yields now and then. */
export function* findClusters(episodes: Done[]): Generator<void, Cluster[]> {
  const all = episodes.map(compared);
  const rarity = rarityOf(all);
  for (const one of all) one.wordWeight = [...one.words].reduce((sum, word) => sum + rarity(word), 0);
  const leaders: { one: Compared; members: Compared[] }[] = [];
  const nearest = (one: Compared) => {
    let best = { likeness: 0, at: -1 };
    for (const [at, { one: leader }] of leaders.entries()) {
      const likeness = likenessOf(one, leader, rarity, Math.max(ALIKE, best.likeness));
      if (likeness > best.likeness) best = { likeness, at };
    }
    return best.likeness >= ALIKE ? leaders[best.at] : undefined;
  };
  for (const one of all) {
    yield;
    if (one.of.ok === true && leaders.length < MAX_LEADERS && !nearest(one))
      leaders.push({ one, members: [] });
  }
  for (const one of all) {
    yield;
    nearest(one)?.members.push(one);
  }
  return leaders.flatMap(({ one, members }) => {
    const good = members.filter(({ of }) => of.ok === true);
    const sessions = new Set(good.map(({ of }) => of.session));
    return good.length < MIN_EPISODES || sessions.size < MIN_SESSIONS ? [] : [describe(one, members, good)];
  });
}

const compared = (of: Done): Compared => ({
  of,
  steps: new Set(of.steps),
  places: new Set(of.files.map(globOf)),
  words: new Set(wordsOf(of.description)),
  wordWeight: 0,
});

/** Returns how much a word tells: less, the more episodes have it. */
function rarityOf(all: Compared[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { words } of all) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = new Map([...counts].map(([word, n]) => [word, Math.log(1 + all.length / n)]));
  return (word) => known.get(word) ?? 0;
}

/** Returns how alike two episodes are, 0–1. If that is less than `least`, it may return 0. */
function likenessOf(a: Compared, b: Compared, rarity: (word: string) => number, least: number): number {
  // a question changes no files
  const files = a.places.size + b.places.size > 0 ? WEIGHTS.files : 0;
  const weight = WEIGHTS.meaning + WEIGHTS.steps + files;
  const rest = WEIGHTS.steps * common(a.steps, b.steps) + files * common(a.places, b.places);
  // what the descriptions mean takes longest to compare
  if (rest + WEIGHTS.meaning < least * weight) return 0;
  const meaning =
    a.of.vector && b.of.vector
      ? Math.max(0, Math.min(1, cosine(a.of.vector, b.of.vector) / SAME_MEANING))
      : common(a.words, b.words, rarity, [a.wordWeight, b.wordWeight]);
  return (rest + WEIGHTS.meaning * meaning) / weight;
}

/** Returns the share of two sets that both have (Jaccard), 0–1. `weight`: of one member; `all`: of each whole set. */
function common(
  a: Set<string>,
  b: Set<string>,
  weight = one,
  all: [number, number] = [a.size, b.size],
): number {
  let both = 0;
  for (const member of a) if (b.has(member)) both += weight(member);
  return both === 0 ? 0 : both / (all[0] + all[1] - both);
}
const one = (_member: string) => 1;

/** Returns the cosine of two vectors of length 1. */
function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

const COMMON_WORDS = new Set(
  `a all also an and any are as at be but by can could do does for from get has have how i if in into is it its let like
  make me my need new no not now of on one or our out please should so some that the their them then there these they
  this to too under up us use want was we what when where which who why will with would you your`.split(
    /\s+/,
  ),
);
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []).filter(
    (word) => word.length > 1 && !COMMON_WORDS.has(word),
  );

/** Returns the glob of the files of one kind beside a file: `src/api/*.ts`. */
export function globOf(file: string): string {
  const cut = file.lastIndexOf('/') + 1;
  const name = file.slice(cut);
  const dot = name.lastIndexOf('.');
  return `${file.slice(0, cut)}*${dot > 0 ? name.slice(dot) : ''}`;
}

function describe(leader: Compared, members: Compared[], good: Compared[]): Cluster {
  const words = usual(good.map(({ words }) => words));
  // in the order of the leader's own words, so that they read like a task
  const named = wordsOf(leader.of.description).filter(
    (word, i, all) => words.includes(word) && all.indexOf(word) === i,
  );
  const files = usual(good.map(({ of }) => new Set(of.files)));
  const globs = usual(good.map(({ places }) => places)).filter(
    (glob) => !files.some((file) => globOf(file) === glob),
  );
  return {
    leader: leader.of.id,
    members: members.map(({ of }) => of),
    successes: good.length,
    failures: members.filter(({ of }) => of.ok === false).length,
    words: named.slice(0, MAX_SHOWN.words),
    steps: inUsualOrder(good).slice(0, MAX_SHOWN.steps),
    commonFiles: [...files, ...globs].slice(0, MAX_SHOWN.files),
    typicalTools: usual(good.map(({ of }) => new Set(of.tools))).slice(0, MAX_SHOWN.tools),
  };
}

/** Returns what most of the sets have, the most frequent first. */
function usual(sets: Set<string>[]): string[] {
  const counts = new Map<string, number>();
  for (const set of sets) for (const one of set) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts]
    .filter(([, n]) => n >= USUAL * sets.length)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([one]) => one);
}

/** Returns the usual steps of episodes, in the order of their average first place. */
function inUsualOrder(good: Compared[]): string[] {
  const place = (step: string) => {
    const at = good.flatMap(({ of: { steps } }) => {
      const first = steps.indexOf(step);
      return first < 0 ? [] : [first / steps.length];
    });
    return at.reduce((sum, one) => sum + one, 0) / at.length;
  };
  return usual(good.map(({ steps }) => steps))
    .map((step) => ({ step, at: place(step) }))
    .sort((a, b) => a.at - b.at || (a.step < b.step ? -1 : 1))
    .map(({ step }) => step);
}
