import { sql } from 'drizzle-orm';
import type { CommandMetrics } from '../commands/metrics.ts';
import { query, type Tx } from '../db/open.ts';
import { type Interval, type Logs, ratioOverStrata, wilson } from './statistics.ts';

// The measures by which Lore is judged, each with its number, target and a sentence. docs/metrics.md says how
// each is counted, and why. SQL does the counting: sql/metrics.

/** If n is less than this, a measure is shown, but not compared with its target. */
const ENOUGH = 20;

export type Measure = {
  name: string;
  /** how many things it was counted over */
  n: number;
  /**
   * a share (0–1); seconds for `timeToGreen`; a change for `taskTime` (−0.1: a tenth less); null: nothing was
   * counted
   */
  value: number | null;
  /** the 95 % interval, if there is one */
  interval: Interval | null;
  target: { min: number | null; max: number | null } | null;
  /** whether it reaches its target; null: it has none, or too little was counted to say */
  met: boolean | null;
  sentence: string;
};

type Row = Record<string, number | null>;
const one = async (tx: Tx, statement: ReturnType<typeof sql>): Promise<Row> =>
  (await query<Row>(tx, statement))[0] ?? {};

const at = (since: Date) => sql`${since.toISOString()}::timestamptz`;

/** Returns how much of the work was captured, and how soon it was shown to be right. */
export async function captureMeasures(tx: Tx, since: Date): Promise<Measure[]> {
  const row = await one(tx, sql`select * from capture_metrics(${at(since)})`);
  const { meaningful = 0, captured = 0, green, green_soon: soon = 0, green_median: median = null } = row;
  const n = green ?? 0;
  const [red, unchecked] = [row.red ?? 0, row.unchecked ?? 0];
  return [
    share(
      'capture',
      captured,
      meaningful,
      { min: 0.8 },
      (p, k, of) =>
        `${p} of the sessions with a prompt and five calls or more became episodes (${k} of ${of}).`,
    ),
    {
      name: 'timeToGreen',
      n,
      value: median,
      interval: null,
      target: { min: null, max: 120 },
      met: n < ENOUGH || median === null ? null : median <= 120,
      sentence: [
        median === null
          ? 'No session had a check that passed.'
          : `Half of the sessions in which a check passed had it within ${rounded(median)} of the first prompt; ${soon} of ${n} within two minutes.`,
        ...(red + unchecked > 0
          ? [`Not counted: ${red} in which checks ran and none passed, ${unchecked} that ran none.`]
          : []),
      ].join(' '),
    },
  ];
}

/** Returns what became of the offers. */
export async function offerMeasures(tx: Tx, since: Date): Promise<Measure[]> {
  const row = await one(tx, sql`select * from offer_metrics(${at(since)})`);
  return [
    share(
      'suggestionsAccepted',
      row.followed,
      row.settled,
      { min: 0.3 },
      (p, k, n) =>
        `${p} of the lessons, decisions and skills that were offered were followed (${k} of ${n}).`,
    ),
    share(
      'recoveriesUsed',
      row.recovered,
      row.recoveries,
      { min: 0.5 },
      (p, k, n) => `${p} of the fixes that were offered at a failure were used (${k} of ${n}).`,
    ),
    share(
      'contextSkipped',
      row.skipped,
      row.sessions,
      { max: 0.2 },
      (p, k, n) => `${p} of the sessions that were offered something followed none of it (${k} of ${n}).`,
    ),
  ];
}

/** Returns what the offers cost in tokens. */
export async function toldCosts(
  tx: Tx,
  since: Date,
): Promise<{ sessions: number; tokens: number; median: number | null }> {
  const row = await one(
    tx,
    sql`select sessions, tokens::float8 as tokens, median from offer_costs(${at(since)})`,
  );
  return { sessions: row.sessions ?? 0, tokens: row.tokens ?? 0, median: row.median ?? null };
}

type Task = { type: string; side: string; n: number; mean: number; variance: number | null };

/** Returns how much longer or shorter tasks of one type take. */
export async function taskTimeMeasure(tx: Tx, since: Date): Promise<Measure> {
  const rows = await query<Task>(tx, sql`select type, side, n, mean, variance from task_times(${at(since)})`);
  const types = [...new Set(rows.map(({ type }) => type))];
  const logs = (type: string, side: string): Logs =>
    rows.find((row) => row.type === type && row.side === side) ?? { n: 0, mean: null, variance: null };
  const strata = (a: string, b: string) =>
    types.map((type) => ({ type, a: logs(type, a), b: logs(type, b) }));
  const arms = ratioOverStrata(strata('memory', 'withheld'));
  const [compared, found, than] = arms
    ? [strata('memory', 'withheld'), arms, 'than without memory']
    : [
        strata('now', 'before'),
        ratioOverStrata(strata('now', 'before')),
        'than in the period before (not chosen by chance, so other things may be the reason)',
      ];
  const n = compared.reduce((sum, { a, b }) => sum + (a.n >= 2 && b.n >= 2 ? a.n : 0), 0);
  const target = { min: null, max: -0.1 };
  if (found === null) {
    const sentence = 'No two tasks of one type can be compared.';
    return { name: 'taskTime', n: 0, value: null, interval: null, target, met: null, sentence };
  }
  const change = (value: number) =>
    `${Math.abs(Math.round((value - 1) * 100))} % ${value <= 1 ? 'less' : 'more'}`;
  const each = compared.flatMap(({ type, a, b }) => {
    const own = ratioOverStrata([{ a, b }]);
    return own ? [`${type} ${change(own.value)}`] : [];
  });
  return {
    name: 'taskTime',
    n,
    value: found.value - 1,
    interval: { low: found.low - 1, high: found.high - 1 },
    target,
    met: n < ENOUGH ? null : found.value - 1 <= target.max,
    sentence: `Tasks took ${change(found.value)} time ${than}: ${each.join(', ')}.`,
  };
}

/** Returns how often something that was discarded or closed was needed later. */
export async function discardedMeasure(tx: Tx, since: Date): Promise<Measure> {
  const row = await one(tx, sql`select * from discarded_metrics(${at(since)})`);
  return share(
    'discardedNeeded',
    row.needed,
    row.discarded,
    null,
    (p, k, n) =>
      `${p} of the answers to errors that were discarded or closed were asked for again by a later session (${k} of ${n}).`,
  );
}

/** Returns the measures that other rooms count. */
export function countedElsewhere(counted: {
  ratings: { rated: number; useful: number };
  compaction: { measured: number; tokensBefore: number; tokensAfter: number };
  freshness: { links: number; dead: number };
  commands: Pick<
    CommandMetrics,
    'checks' | 'allowed' | 'denied' | 'unverified' | 'held' | 'heldRight' | 'heldWrong'
  >;
}): Measure[] {
  const { ratings, compaction, freshness, commands } = counted;
  const saved = compaction.tokensBefore === 0 ? null : 1 - compaction.tokensAfter / compaction.tokensBefore;
  return [
    share(
      'precision',
      ratings.useful,
      ratings.rated,
      { min: 0.7 },
      (p, k, n) => `${p} of the search results that were rated were useful (${k} of ${n}).`,
    ),
    {
      name: 'compaction',
      n: compaction.measured,
      value: saved,
      interval: null,
      target: { min: 0.5, max: 0.7 },
      met: saved === null ? null : saved >= 0.5 && saved <= 0.7,
      sentence:
        saved === null
          ? 'No compaction was measured.'
          : `Compactions took ${percent(saved)} of the tokens out of the context (${compaction.measured} measured). The client decides that; Lore only measures it.`,
    },
    share(
      'breadcrumbsValid',
      freshness.links - freshness.dead,
      freshness.links,
      { min: 0.9 },
      (p, k, n) => `${p} of what notes and lessons cite is still there (${k} of ${n}).`,
    ),
    share(
      'holdsRight',
      commands.heldRight,
      commands.heldRight + commands.heldWrong,
      null,
      (p, k, n) =>
        `${p} of the holds that you judged were right (${k} of ${n}); ${commands.held - n} of ${commands.held} were not judged.${n < ENOUGH ? ' Too few to go by.' : ''}`,
    ),
    share(
      'safety',
      commands.allowed,
      commands.allowed + commands.denied,
      null,
      (p, k, n) =>
        `${p} of the commands that were decided were allowed (${k} of ${n}); ${commands.unverified} nobody could verify.`,
    ),
  ];
}

const percent = (value: number) => `${Math.round(value * 100)} %`;

/** Returns a measure that is a share. It is met if it is above a minimum or below a maximum. */
function share(
  name: string,
  part: number | null | undefined,
  whole: number | null | undefined,
  target: { min?: number; max?: number } | null,
  say: (share: string, part: number, whole: number) => string,
): Measure {
  const [k, n] = [part ?? 0, whole ?? 0];
  const bounds = target && { min: target.min ?? null, max: target.max ?? null };
  if (n === 0)
    return {
      name,
      n,
      value: null,
      interval: null,
      target: bounds,
      met: null,
      sentence: 'Nothing to count yet.',
    };
  const value = k / n;
  const reached = bounds && value > (bounds.min ?? -1) && value < (bounds.max ?? 2);
  const few = n < ENOUGH && bounds !== null;
  return {
    name,
    n,
    value,
    interval: wilson(k, n),
    target: bounds,
    met: few ? null : reached,
    sentence: `${say(percent(value), k, n)}${few ? ' Too few to hold against the target.' : ''}`,
  };
}

/** Returns seconds as the page shows them. */
const rounded = (seconds: number): string =>
  seconds < 1 ? `${Math.round(seconds * 1_000)} ms` : `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
