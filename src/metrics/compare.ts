import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type Interval, type Logs, newcombe, ratio, wilson } from './statistics.ts';

// What difference memory makes. Sessions that were offered memory are compared with sessions from which it
// was withheld, which are chosen by chance (LORE_HOLDOUT). All sessions of an arm count, whether there was
// anything to offer or not.
//
// Beside each comparison stands one of the sessions without memory with themselves, split in two by chance (an A/A test;
// R. Kohavi, D. Tang, Y. Xu, Trustworthy Online Controlled Experiments, 2020, chapter 19): what differs there is chance,
// so a difference of that size says nothing.

/**
 * Sessions of both arms that are needed to say anything about the difference, and those of the smaller arm.
 */
const NEEDED = 60;
const NEEDED_EACH = 20;
/** Sessions that each half of the control needs. */
const NEEDED_HALF = 10;

type Side = { n: number; value: number | null };
/** A share with Wilson's interval; null where nothing was counted. */
type Share = Partial<Interval> & { n: number; value: number | null };
type Control = {
  /** sessions of the two halves that have a value */
  n: [number, number];
  change: ({ value: number } & Interval) | null;
  sentence: string;
};
type Compared = {
  memory: Side;
  withheld: Side;
  /** for a rate: with memory minus without; for anything else: with memory divided by without */
  change: ({ value: number } & Interval) | null;
  sentence: string;
  /** the same of the sessions without memory, one half against the other */
  control: Control;
};

export type Comparison = {
  /** sessions that have ended in each arm */
  sessions: { memory: number; withheld: number; needed: number };
  enough: boolean;
  sentence: string;
  /** whether errors repeated less with memory; `none`: no sessions are compared, `few`: too few to say */
  answer: 'yes' | 'no' | 'chance' | 'few' | 'none';
  /** sessions that met an error which their project had met before, in this period and in the one before it */
  periods: { now: Share; before: Share; sentence: string };
  repeatedErrors: Compared;
  commandsToSuccess: Compared;
  duration: Compared;
  tokens: Compared;
};

type Row = {
  arm: string | null;
  sessions: number;
  repeating: number;
  commands: Logs;
  working: Logs;
  tokens: Logs;
};
const NO_LOGS: Logs = { n: 0, mean: null, variance: null };
const NONE: Row = {
  arm: null,
  sessions: 0,
  repeating: 0,
  commands: NO_LOGS,
  working: NO_LOGS,
  tokens: NO_LOGS,
};

/** Returns the comparison over the caller's sessions that began since an instant. */
export async function comparison(tx: Tx, since: Date): Promise<Comparison> {
  const rows = await query<Row>(
    tx,
    sql`select arm, sessions, repeating, commands, working, tokens
        from session_metrics(${since.toISOString()}::timestamptz)`,
  );
  const side = (arm: string) => rows.find((row) => row.arm === arm) ?? NONE;
  const [memory, withheld] = [side('memory'), side('withheld')];
  const sessions = { memory: memory.sessions, withheld: withheld.sessions, needed: NEEDED };
  const sentence = whatIsMissing(memory.sessions, withheld.sessions);
  const enough = sentence === null;
  const halves: [Row, Row] = [side('control 1'), side('control 2')];
  const about = (name: string, key: 'commands' | 'working' | 'tokens', unit: number) => ({
    ...compareLogs(name, memory[key], withheld[key], unit, enough),
    control: controlOfLogs(halves[0][key], halves[1][key]),
  });
  const repeatedErrors = { ...compareRates(memory, withheld, enough), control: controlOfRates(...halves) };
  return {
    sessions,
    enough,
    sentence:
      sentence ?? `${memory.sessions} sessions with memory are compared with ${withheld.sessions} without.`,
    answer: answerOf(repeatedErrors.change, sessions.memory + sessions.withheld, enough),
    periods: await byPeriod(tx, since),
    repeatedErrors,
    commandsToSuccess: about('commands until the first check passed', 'commands', 1),
    duration: about('seconds at work', 'working', 1000),
    tokens: about('tokens', 'tokens', 1),
  };
}

/** Says why nothing can be said yet; null if there are enough sessions. */
function whatIsMissing(memory: number, withheld: number): string | null {
  const all = memory + withheld;
  if (all === 0)
    return `No session is compared: set LORE_HOLDOUT, to 0.2 for example, so that chance leaves some without memory.`;
  if (all < NEEDED) return `Not enough sessions yet: ${all} of ${NEEDED}.`;
  const [few, which] = memory < withheld ? [memory, 'with'] : [withheld, 'without'];
  return few < NEEDED_EACH ? `Not enough sessions yet: ${few} of ${NEEDED_EACH} ${which} memory.` : null;
}

function answerOf(change: Compared['change'], sessions: number, enough: boolean): Comparison['answer'] {
  if (sessions === 0) return 'none';
  if (!enough || change === null) return 'few';
  if (change.high < 0) return 'yes';
  return change.low > 0 ? 'no' : 'chance';
}

/** Sessions that a period needs before its share says something. */
const NEEDED_PERIOD = 20;

/** Without a holdout this is all there is to see. It says nothing about why. */
async function byPeriod(tx: Tx, since: Date): Promise<Comparison['periods']> {
  const [row] = await query<Record<'now' | 'repeating' | 'before' | 'repeatingBefore', number>>(
    tx,
    sql`select sessions as now, repeating, sessions_before as before, repeating_before as "repeatingBefore"
        from repeating_by_period(${since.toISOString()}::timestamptz)`,
  );
  const share = (part = 0, n = 0): Share => ({
    n,
    value: n === 0 ? null : part / n,
    ...(n > 0 && wilson(part, n)),
  });
  const [now, before] = [share(row?.repeating, row?.now), share(row?.repeatingBefore, row?.before)];
  const said = ({ n, value, low = 0, high = 0 }: Share) =>
    value === null
      ? 'no session'
      : `${percent(value)} of ${n} (95 % interval ${Math.round(low * 100)} to ${percent(high)})`;
  const few = Math.min(now.n, before.n) < NEEDED_PERIOD ? ' Too few to compare.' : '';
  const sentence =
    now.n + before.n === 0
      ? 'No session has ended yet.'
      : `Sessions that met an error which their project had met before: ${said(now)} in this period, ${said(before)} in the one before.${few}`;
  return { now, before, sentence };
}

const CONTROL = 'Without memory, one half against the other';

/** Returns what chance alone makes of a share: one half of the control against the other. */
function controlOfRates(a: Row, b: Row): Control {
  const n: Control['n'] = [a.sessions, b.sessions];
  if (Math.min(...n) < NEEDED_HALF) return tooFew(n);
  const change = {
    value: a.repeating / a.sessions - b.repeating / b.sessions,
    ...newcombe([a.repeating, a.sessions], [b.repeating, b.sessions]),
  };
  const points = (share: number) => signed(`${Math.round(share * 100)}`);
  return {
    n,
    change,
    sentence: `${CONTROL} (${n[0]} and ${n[1]}): ${points(change.value)} percentage points (${points(change.low)} to ${points(change.high)}), by chance alone.`,
  };
}

/** The same of values that are compared as ratios. */
function controlOfLogs(a: Logs, b: Logs): Control {
  const n: Control['n'] = [a.n, b.n];
  const change = Math.min(...n) < NEEDED_HALF ? null : ratio(a, b);
  if (change === null) return tooFew(n);
  const off = (share: number) => signed(`${Math.round((share - 1) * 100)}`);
  return {
    n,
    change,
    sentence: `${CONTROL} (${n[0]} and ${n[1]}): ${off(change.value)} % (${off(change.low)} to ${off(change.high)} %), by chance alone.`,
  };
}

const tooFew = (n: Control['n']): Control => ({
  n,
  change: null,
  sentence: `${CONTROL}: too few to say (${n[0]} and ${n[1]}; ${NEEDED_HALF} each are needed).`,
});

function compareRates(memory: Row, withheld: Row, enough: boolean): Omit<Compared, 'control'> {
  const side = ({ repeating, sessions }: Row) => ({
    n: sessions,
    value: sessions === 0 ? null : repeating / sessions,
    ...(sessions > 0 && wilson(repeating, sessions)),
  });
  const [a, b] = [side(memory), side(withheld)];
  if (a.value === null || b.value === null)
    return { memory: a, withheld: b, change: null, sentence: NOTHING };
  const change = {
    value: a.value - b.value,
    ...newcombe([memory.repeating, memory.sessions], [withheld.repeating, withheld.sessions]),
  };
  const points = (share: number) => `${Math.round(share * 100)}`;
  const sentence = `${percent(a.value)} of the sessions with memory met an error that the project had met before, ${percent(b.value)} without: ${signed(points(change.value))} percentage points (95 % interval ${signed(points(change.low))} to ${signed(points(change.high))})`;
  return { memory: a, withheld: b, change, sentence: `${sentence}${verdict(change, 0, enough)}` };
}

function compareLogs(
  name: string,
  a: Logs,
  b: Logs,
  unit: number,
  enough: boolean,
): Omit<Compared, 'control'> {
  const side = ({ n, mean }: Logs): Side => ({ n, value: mean === null ? null : Math.exp(mean) / unit });
  const [memory, withheld] = [side(a), side(b)];
  const change = ratio(a, b);
  if (change === null) return { memory, withheld, change, sentence: NOTHING };
  const shown = (value: number | null) => Number((value ?? 0).toPrecision(3)).toLocaleString('en-US');
  const off = (share: number) => signed(`${Math.round((share - 1) * 100)}`);
  const sentence = `${shown(memory.value)} ${name} with memory, ${shown(withheld.value)} without: ${off(change.value)} % (95 % interval ${off(change.low)} to ${off(change.high)} %)`;
  return { memory, withheld, change, sentence: `${sentence}${verdict(change, 1, enough)}` };
}

const NOTHING = 'Not enough sessions of both kinds have a value.';

/** @param none the value that means no difference */
function verdict({ low, high }: Interval, none: number, enough: boolean): string {
  if (!enough) return '; too few sessions to go by.';
  if (low <= none && high >= none) return '; that may be chance.';
  return high < none ? '; less with memory.' : '; more with memory.';
}

const signed = (number: string) => (number.startsWith('-') ? number.replace('-', '−') : `+${number}`);
const percent = (share: number) => `${Math.round(share * 100)} %`;
