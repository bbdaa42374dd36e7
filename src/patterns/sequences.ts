import { chanceOf, logBinomialTail, MAX_GAP, MAX_LENGTH, MAX_STEPS } from './chance.ts';

// Finds the sequences of steps that episodes have in common more often than by chance. The search is PrefixSpan (Pei et
// al., “PrefixSpan: Mining Sequential Patterns by Prefix-Projected Growth”, ICDE 2001) with a limit for gaps. What is
// kept is condensed as by BIDE (Wang & Han, “BIDE: Efficient Mining of Frequent Closed Sequences”, ICDE 2004), which
// keeps a sequence only if no longer one has the same support; here a longer one must leave it no support that chance
// would not explain, so that one habit is one sequence.

/** Fewest episodes and sessions of a pattern. */
export const MIN_EPISODES = 3;
export const MIN_SESSIONS = 2;
/** In large projects a pattern needs a share of the episodes. */
const MIN_SHARE = 0.005;
/** A sequence is this many times more frequent than by chance, at least. */
const MIN_LIFT = 1.5;
/** Significance of all sequences together (Bonferroni). */
const ALPHA = Math.log(0.01);
/**
 * What a step that lengthens a sequence needs: this lift, and this significance if nearly all episodes have
 * it.
 */
const STEP_LIFT = 1.3;
const STEP_ALPHA = Math.log(0.02);
const NEARLY_ALL = 0.8;
/** With more nodes than this the search begins again with twice the support. */
const MAX_NODES = 40_000;
/** The significant sequences that are compared with each other. */
const MAX_CANDIDATES = 400;
/** Most episodes by which two sequences are compared. If there are more, every second, third … is taken. */
const MAX_COMPARED = 2_000;

/** What an episode did: the numbers of its steps in their order, none twice in a row. */
export type Trace = { session: number; steps: number[] };

export type Sequence = {
  steps: number[];
  /** positions of the episodes that show it, rising */
  episodes: number[];
  /** whether the steps of most of them follow each other directly */
  contiguous: boolean;
  lift: number;
};

/** `p`: the logarithm of the probability that it is seen so often by chance. */
type Candidate = Sequence & { p: number; direct: Set<number>; shown: Set<number>; among: number[] };
/** An episode that shows a sequence, and where it may end there. `direct`: where it ends without a gap. */
type Occurrence = { episode: number; ends: number[]; direct: number[] };

/** Returns steps without repetitions in a row, up to the longest that is looked at. */
export const withoutRepeats = <T>(steps: T[]): T[] =>
  steps.filter((step, i) => i === 0 || step !== steps[i - 1]).slice(0, MAX_STEPS);

/**
 * Returns the sequences of a project's episodes, the most frequent first. The generator yields now and then, so that
 * others can work in between.
 */
export function* findSequences(traces: Trace[]): Generator<void, Sequence[]> {
  let support = Math.max(MIN_EPISODES, Math.ceil(traces.length * MIN_SHARE));
  for (;;) {
    const found = yield* search(traces, support);
    if (found) return yield* condense(traces, found);
    support *= 2;
  }
}

/** Returns the significant sequences; null if there are too many nodes to look at. */
function* search(traces: Trace[], support: number): Generator<void, Candidate[] | null> {
  const counts = countSteps(traces);
  const having = new Map<number, number[]>();
  traces.forEach(({ steps }, e) => {
    for (const step of new Set(steps)) {
      const list = having.get(step);
      if (list) list.push(e);
      else having.set(step, [e]);
    }
  });
  const nodes: Candidate[] = [];
  let looked = 0;

  function* grow(prefix: number[], places: Occurrence[], among: number[]): Generator<void, boolean> {
    const next = new Map<number, Occurrence[]>();
    for (const { episode, ends, direct } of places) {
      const { steps } = traces[episode] as Trace;
      for (const end of ends) {
        for (let at = end + 1; at <= Math.min(end + 1 + MAX_GAP, steps.length - 1); at++) {
          const step = steps[at] as number;
          const list = next.get(step) ?? [];
          if (list.length === 0) next.set(step, list);
          const last = list.at(-1);
          const place = last?.episode === episode ? last : { episode, ends: [], direct: [] };
          if (place !== last) list.push(place);
          if (!place.ends.includes(at)) place.ends.push(at);
          if (at === end + 1 && direct.includes(end) && !place.direct.includes(at)) place.direct.push(at);
        }
      }
    }
    for (const [step, shown] of [...next].sort(([a], [b]) => a - b)) {
      if (shown.length < support) continue;
      if (++looked > MAX_NODES) return false;
      yield;
      const steps = [...prefix, step];
      const both = among.filter((e) => counts.of(e, step) > 0);
      const direct = shown.filter((place) => place.direct.length > 0).map(({ episode }) => episode);
      const { p, lift } = chance(traces, counts, steps, both, shown.length, direct.length);
      // pairs are often near chance although a longer sequence is not
      if (steps.length >= 3 && lift < (steps.length === 3 ? 1.2 : MIN_LIFT)) continue;
      const episodes = shown.map(({ episode }) => episode);
      if (lift >= MIN_LIFT && p <= ALPHA && sessionsOf(traces, episodes) >= MIN_SESSIONS) {
        const contiguous = direct.length >= NEARLY_ALL * episodes.length;
        const sets = { direct: new Set(direct), shown: new Set(episodes) };
        nodes.push({ steps, episodes, among: both, contiguous, lift, p, ...sets });
      }
      if (steps.length < MAX_LENGTH && !(yield* grow(steps, shown, both))) return false;
    }
    return true;
  }

  for (const [step, episodes] of [...having].sort(([a], [b]) => a - b)) {
    if (episodes.length < support) continue;
    const places = episodes.map((episode) => {
      const ends = (traces[episode] as Trace).steps.flatMap((one, at) => (one === step ? [at] : []));
      return { episode, ends, direct: ends };
    });
    if (!(yield* grow([step], places, episodes))) return null;
  }
  return nodes
    .filter(({ p }) => p + Math.log(looked) <= ALPHA)
    .sort((a, b) => a.p - b.p || order(a, b))
    .slice(0, MAX_CANDIDATES);
}

type Counts = { of(episode: number, step: number): number };

/** Counts how often each episode has each step. */
function countSteps(traces: Trace[]): Counts {
  const kinds = traces.reduce((most, { steps }) => steps.reduce((n, step) => Math.max(n, step + 1), most), 0);
  const table = new Uint8Array(traces.length * kinds);
  traces.forEach(({ steps }, e) => {
    for (const step of steps) table[e * kinds + step] = (table[e * kinds + step] as number) + 1;
  });
  return { of: (episode, step) => table[episode * kinds + step] as number };
}

/** Returns the logarithm of how probable it is by chance that a sequence is seen so often, and its lift. */
function chance(
  traces: Trace[],
  counts: Counts,
  sequence: number[],
  among: number[],
  seen: number,
  seenDirect: number,
): { p: number; lift: number } {
  // how often each step stands in the sequence before
  const before = sequence.map((step, i) => sequence.slice(0, i).filter((other) => other === step).length);
  let gapped = 0;
  let direct = 0;
  for (const e of among) {
    const { length } = (traces[e] as Trace).steps;
    let copies = 1;
    for (let i = 0; i < sequence.length; i++) {
      copies *= Math.max(0, counts.of(e, sequence[i] as number) - (before[i] as number));
    }
    gapped += chanceOf(true, sequence.length, length, copies);
    direct += chanceOf(false, sequence.length, length, copies);
  }
  return stronger(among.length, [seen, gapped], [seenDirect, direct]);
}

/**
 * Of two tests of the same thing the stronger one counts, with twice its probability. A test is what was seen
 * and what was expected.
 */
function stronger(n: number, ...tests: [seen: number, expected: number][]): { p: number; lift: number } {
  let p = 0;
  let lift = 0;
  for (const [seen, expected] of tests) {
    if (seen < MIN_EPISODES || expected <= 0) continue;
    lift = Math.max(lift, seen / expected);
    if (seen > expected) p = Math.min(p, Math.LN2 + logBinomialTail(n, expected / n, seen));
  }
  return { p, lift };
}

const sessionsOf = (traces: Trace[], episodes: number[]) =>
  new Set(episodes.map((e) => traces[e]?.session)).size;

const order = (a: Sequence, b: Sequence): number =>
  b.steps.length - a.steps.length || compareSteps(a.steps, b.steps);
function compareSteps(a: number[], b: number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++)
    if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  return a.length - b.length;
}

/**
 * Leaves out sequences that another one explains:
 *
 * - a longer one, if some of its steps are in it by chance
 * - a shorter one, if it is hardly seen outside of a longer one
 * - one that is hardly seen except next to a stronger one
 */
function* condense(traces: Trace[], found: Candidate[]): Generator<void, Sequence[]> {
  const counts = countSteps(traces);
  const sound: Candidate[] = [];
  for (const one of [...found].sort((a, b) => -order(a, b))) {
    yield;
    const shorter = sound.filter(({ steps }) => isWithin(steps, one.steps));
    let ok = true;
    for (const rest of shorter) {
      if (!ok) break;
      ok = belong(traces, one, rest, found.length);
      yield;
    }
    if (ok) sound.push(one);
  }
  const kept: Candidate[] = [];
  for (const one of sound.sort(order)) {
    yield;
    const longer = kept.filter(({ steps }) => isWithin(one.steps, steps));
    if (longer.length === 0 || isSeenElsewhere(traces, counts, one, longer, found.length)) kept.push(one);
  }
  const final: Candidate[] = [];
  for (const one of kept.sort((a, b) => a.p - b.p || order(a, b))) {
    yield;
    // a sequence that shares a part with a stronger one is often only that part with another step
    const rivals = final.filter(
      ({ steps }) => inCommon(steps, one.steps) >= 2 && !isWithin(steps, one.steps),
    );
    if (rivals.length === 0 || isSeenElsewhere(traces, counts, one, rivals, found.length)) final.push(one);
  }
  return final
    .sort((a, b) => b.episodes.length - a.episodes.length || order(a, b))
    .map(({ steps, episodes, contiguous, lift }) => ({ steps, episodes, contiguous, lift }));
}

/** Whether the additional steps of a longer sequence are in these places more often than by chance. */
function belong(traces: Trace[], whole: Candidate, rest: Candidate, tests: number): boolean {
  const runs = runsBetween(whole.steps, rest.steps);
  const more = runs.flat();
  const front = runs[0]?.length === more.length;
  const back = runs.at(-1)?.length === more.length;
  let [n, seen, expected, seenDirect, expectedDirect] = [0, 0, 0, 0, 0];
  const each = Math.ceil(rest.episodes.length / MAX_COMPARED);
  const compared = rest.episodes.filter((_, i) => i % each === 0);
  for (const e of compared) {
    const { steps } = traces[e] as Trace;
    const at = placeOf(steps, rest.steps);
    const copies = copiesOf(
      more,
      steps.filter((_, j) => !at.includes(j)),
    );
    if (at.length === 0 || copies === 0) continue;
    n += 1;
    const first = at[0] as number;
    const last = at.at(-1) as number;
    let ways = 1;
    runs.forEach((run, i) => {
      if (run.length === 0) return;
      const room =
        i === 0
          ? first
          : i === at.length
            ? steps.length - 1 - last
            : (at[i] as number) - (at[i - 1] as number) - 1;
      ways *= Math.min((MAX_GAP + 1) ** run.length, choose(room, run.length));
    });
    const free = orders(steps.length - at.length, more.length);
    expected += Math.min(1, (ways * copies) / free);
    if (whole.shown.has(e)) seen += 1;
    const beside = front ? first - more.length : last + 1;
    if (more.every((step, i) => steps[beside + i] === step)) seenDirect += 1;
    if (front ? beside >= 0 : beside + more.length <= steps.length)
      expectedDirect += Math.min(1, copies / free);
  }
  const { p, lift } = stronger(n, [seen, expected], front || back ? [seenDirect, expectedDirect] : [0, 0]);
  const share = seen / compared.length;
  return lift >= STEP_LIFT && (p <= ALPHA - Math.log(tests) || (share >= NEARLY_ALL && p <= STEP_ALPHA));
}

/** Returns the steps that a sequence has before, between and behind those of another one. */
function runsBetween(whole: number[], rest: number[]): number[][] {
  const runs: number[][] = [[]];
  for (const step of whole) {
    if (step === rest[runs.length - 1]) runs.push([]);
    else runs.at(-1)?.push(step);
  }
  return runs;
}

/** Returns in how many ways the wanted steps can be picked from other steps, each of the same kind. */
const copiesOf = (wanted: number[], from: number[]): number =>
  wanted.reduce((product, step, i) => {
    const taken = wanted.slice(0, i).filter((other) => other === step).length;
    return product * Math.max(0, from.filter((one) => one === step).length - taken);
  }, 1);

/** Returns the number of ways to choose `k` of `n` in their order, and in any order. */
const choose = (n: number, k: number): number => (n < k ? 0 : orders(n, k) / orders(k, k));
const orders = (n: number, k: number): number => (k === 0 ? 1 : n * orders(n - 1, k - 1));

/**
 * Whether a sequence is more frequent than by chance even in episodes that do not show one of the other
 * sequences.
 */
function isSeenElsewhere(
  traces: Trace[],
  counts: Counts,
  one: Candidate,
  longer: Candidate[],
  tests: number,
): boolean {
  const elsewhere = (e: number) => !longer.some(({ shown }) => shown.has(e));
  const episodes = one.episodes.filter(elsewhere);
  if (episodes.length < MIN_EPISODES || sessionsOf(traces, episodes) < MIN_SESSIONS) return false;
  const among = one.among.filter(elsewhere);
  const direct = episodes.filter((e) => one.direct.has(e)).length;
  const { p, lift } = chance(traces, counts, one.steps, among, episodes.length, direct);
  return lift >= MIN_LIFT && p <= ALPHA - Math.log(tests);
}

/** Whether a sequence is left of another one when some steps are taken out. */
const isWithin = (short: number[], long: number[]): boolean => {
  if (short.length >= long.length) return false;
  let i = 0;
  for (const step of long) if (step === short[i]) i++;
  return i === short.length;
};

/** Returns how many steps two sequences have in common in the same order (the longest common subsequence). */
function inCommon(a: number[], b: number[]): number {
  let row = b.map(() => 0);
  for (const step of a) {
    const next: number[] = [];
    for (const [j, other] of b.entries()) {
      const left = next[j - 1] ?? 0;
      next.push(step === other ? (row[j - 1] ?? 0) + 1 : Math.max(left, row[j] as number));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns the first places at which an episode shows a sequence; none if it does not. */
export function placeOf<T>(steps: T[], sequence: T[]): number[] {
  const from = (i: number, after: number): number[] | null => {
    if (i === sequence.length) return [];
    const until = i === 0 ? steps.length - 1 : Math.min(after + 1 + MAX_GAP, steps.length - 1);
    for (let at = after + 1; at <= until; at++) {
      if (steps[at] !== sequence[i]) continue;
      const rest = from(i + 1, at);
      if (rest) return [at, ...rest];
    }
    return null;
  };
  return from(0, -1) ?? [];
}
