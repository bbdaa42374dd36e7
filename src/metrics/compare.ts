import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type Interval, type Logs, newcombe, ratio, wilson } from './statistics.ts';

// What difference memory makes. Sessions that were offered memory are compared with sessions from which it
// was withheld, which are chosen by chance (LORE_HOLDOUT). All sessions of an arm count, whether there was
// anything to offer or not.

/**
 * Sessions of both arms that are needed to say anything about the difference, and those of the smaller arm.
 */
const NEEDED = 60;
const NEEDED_EACH = 20;

type Side = { n: number; value: number | null };
type Compared = {
  memory: Side;
  withheld: Side;
  /** for a rate: with memory minus without; for anything else: with memory divided by without */
  change: ({ value: number } & Interval) | null;
  sentence: string;
};

export type Comparison = {
  /** sessions that have ended in each arm */
  sessions: { memory: number; withheld: number; needed: number };
  enough: boolean;
  sentence: string;
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
  const about = (name: string, key: 'commands' | 'working' | 'tokens', unit: number) =>
    compareLogs(name, memory[key], withheld[key], unit, enough);
  return {
    sessions,
    enough,
    sentence:
      sentence ?? `${memory.sessions} sessions with memory are compared with ${withheld.sessions} without.`,
    repeatedErrors: compareRates(memory, withheld, enough),
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

function compareRates(memory: Row, withheld: Row, enough: boolean): Compared {
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

function compareLogs(name: string, a: Logs, b: Logs, unit: number, enough: boolean): Compared {
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
