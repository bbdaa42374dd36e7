import type { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import type * as answer from './answer.ts';

// What was counted, with the sentences that people read. SQL does the counting: sql/metrics. docs/metrics.md says what each
// figure means.

type Comparison = z.infer<typeof answer.Comparison>;
type Measure = z.infer<typeof answer.Measure>;
type Told = z.infer<typeof answer.Told>;
type Day = z.infer<typeof answer.Day>;
type Interval = { low: number; high: number };

/** Sessions of both arms that are needed to say anything, and those of the smaller arm. */
const NEEDED = 60;
const NEEDED_EACH = 20;

type Counted = { sessions: number; repeating: number; medians: Comparison['medians']['memory'] };
const NONE: Counted = {
  sessions: 0,
  repeating: 0,
  medians: { commands: null, seconds: null, tokens: null },
};

/**
 * Returns whether errors repeated less in sessions that were told what Lore knows than in those from which chance withheld
 * it (LORE_HOLDOUT), over the caller's sessions that began since an instant.
 */
export async function comparison(tx: Tx, since: Date): Promise<Comparison> {
  const rows = await query<Counted & { side: string }>(tx)`
    select side, sessions, repeating, medians from session_metrics(${at(since)})`;
  const of = (name: string): Counted => rows.find(({ side }) => side === name) ?? NONE;
  const [memory, withheld, now, before] = [of('memory'), of('withheld'), of('now'), of('before')];
  const change = differenceOf(memory, withheld);
  const missing = whatIsMissing(memory.sessions, withheld.sessions);
  return {
    sessions: { memory: memory.sessions, withheld: withheld.sessions, needed: NEEDED },
    answer:
      memory.sessions + withheld.sessions === 0
        ? 'none'
        : missing !== null || change === null
          ? 'few'
          : change.high < 0
            ? 'yes'
            : change.low > 0
              ? 'no'
              : 'chance',
    sentence:
      missing ?? `${memory.sessions} sessions with memory are compared with ${withheld.sessions} without.`,
    repeatedErrors: {
      memory: shareOf(memory),
      withheld: shareOf(withheld),
      change,
      sentence:
        change === null
          ? 'Not enough sessions of both kinds.'
          : `${said(memory)} with memory met an error that the project had met before, ${said(withheld)} without: ${points(change.value)} percentage points (95 % interval ${points(change.low)} to ${points(change.high)}).`,
    },
    medians: { memory: memory.medians, withheld: withheld.medians },
    periods: {
      now: shareOf(now),
      before: shareOf(before),
      sentence:
        now.sessions + before.sessions === 0
          ? 'No session has ended yet.'
          : `Sessions that met an error which their project had met before: ${said(now)} in this period, ${said(before)} in the one before.`,
    },
  };
}

/** Says why nothing can be said yet; null if there are enough sessions. */
function whatIsMissing(memory: number, withheld: number): string | null {
  const all = memory + withheld;
  if (all === 0)
    return 'No session is compared: set LORE_HOLDOUT, to 0.2 for example, so that chance leaves some without memory.';
  if (all < NEEDED) return `Not enough sessions yet: ${all} of ${NEEDED}.`;
  const [few, which] = memory < withheld ? [memory, 'with'] : [withheld, 'without'];
  return few < NEEDED_EACH ? `Not enough sessions yet: ${few} of ${NEEDED_EACH} ${which} memory.` : null;
}

function shareOf({ sessions, repeating }: Counted): Comparison['periods']['now'] {
  if (sessions === 0) return { n: 0, value: null };
  return { n: sessions, value: repeating / sessions, ...wilson(repeating, sessions) };
}

/** The difference of two shares, with Newcombe's interval (Statistics in Medicine 17, 1998, method 10). */
function differenceOf(a: Counted, b: Counted): ({ value: number } & Interval) | null {
  if (a.sessions === 0 || b.sessions === 0) return null;
  const [p, q] = [a.repeating / a.sessions, b.repeating / b.sessions];
  const [x, y] = [wilson(a.repeating, a.sessions), wilson(b.repeating, b.sessions)];
  return {
    value: p - q,
    low: p - q - Math.hypot(p - x.low, y.high - q),
    high: p - q + Math.hypot(x.high - p, q - y.low),
  };
}

/** Wilson's score interval of a share (JASA 22, 1927): it also holds for small numbers, and near 0 and 1. */
function wilson(part: number, whole: number): Interval {
  const z2 = 1.959964 ** 2;
  const p = part / whole;
  const middle = (p + z2 / (2 * whole)) / (1 + z2 / whole);
  const half = Math.sqrt(z2 * ((p * (1 - p)) / whole + z2 / (4 * whole * whole))) / (1 + z2 / whole);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
const points = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(Math.round(share * 100))}`;
const said = ({ sessions, repeating }: Counted) =>
  sessions === 0 ? 'none' : `${percent(repeating / sessions)} of ${sessions} sessions`;

/** If n is less than this, a measure is not compared with its target. */
const ENOUGH = 20;

/** The measures with their targets, and what `part of whole` means. */
const MEASURES: Record<string, readonly [{ min?: number; max?: number } | null, string]> = {
  capture: [{ min: 0.8 }, 'sessions with a prompt and five calls or more became episodes'],
  suggestionsAccepted: [{ min: 0.3 }, 'records that were told were followed'],
  recoveriesUsed: [{ min: 0.5 }, 'fixes that were told at a failure were used'],
  contextSkipped: [{ max: 0.2 }, 'sessions that were told something followed none of it'],
  precision: [{ min: 0.7 }, 'search results that were rated were useful'],
  breadcrumbsValid: [{ min: 0.9 }, 'citations of notes and lessons are still there'],
};

type Counts = { name: string; part: number; whole: number };

/**
 * Returns the measures by which Lore is judged.
 *
 * @param elsewhere those that other rooms count
 */
export async function measures(tx: Tx, since: Date, elsewhere: Counts[]): Promise<Measure[]> {
  const counted = await query<Counts>(tx)`select name, part, whole from measure_counts(${at(since)})`;
  return [...counted, ...elsewhere].map(measureOf);
}

function measureOf({ name, part, whole }: Counts): Measure {
  const [target = null, meaning = name] = MEASURES[name] ?? [];
  const value = whole === 0 ? null : part / whole;
  const reached = value !== null && value >= (target?.min ?? 0) && value <= (target?.max ?? 1);
  return {
    name,
    n: whole,
    value,
    target: target && { min: target.min ?? null, max: target.max ?? null },
    met: target === null || whole < ENOUGH ? null : reached,
    sentence: value === null ? 'Nothing to count yet.' : `${part} of ${whole} ${meaning}.`,
  };
}

/** Returns what agents were told since an instant, what it cost in tokens, and what came of it by kind. */
export async function told(tx: Tx, since: Date): Promise<Told> {
  const [all, ...byKind] = await query<Told['byKind'][number] & { median: number | null }>(tx)`
    select kind, told, sessions, tokens, helped, failed, unused, withheld, median from told_counts(${at(since)})`;
  return {
    sessions: all?.sessions ?? 0,
    tokens: all?.tokens ?? 0,
    median: all?.median ?? null,
    byKind: byKind.map(({ median: _, ...kind }) => kind),
  };
}

/** Returns the caller's days since an instant, the oldest first. */
export const metricsByDay = (tx: Tx, since: Date): Promise<Day[]> =>
  query<Day>(tx)`
    select day::text as day, sessions, repeating, errors, repeated_errors as "repeatedErrors", checks,
      jsonb_build_object('p50', check_p50, 'p95', check_p95) as "checkMs"
    from metrics_by_day(${at(since)})`;

const at = (since: Date) => sql`${since.toISOString()}::timestamptz`;

/** Counts how a session that has ended went (sql/metrics). Returns its different errors and its tool calls. */
export async function measureSession(tx: Tx, sessionId: string): Promise<{ errors: number; calls: number }> {
  const [counted] = await query<{ errors: number; calls: number }>(tx)`
    select errors, calls from measure_session(${sessionId}::uuid)`;
  return counted ?? { errors: 0, calls: 0 };
}

/**
 * Erases the counts of sessions that began before an instant. The counts of an erased session go with the
 * session.
 */
export async function erase(tx: Tx, { sessions, before }: Erasure): Promise<Erased> {
  const gone = await query(tx)`delete from session_measures
    where session_id = any (${sql.param(sessions)}::uuid[]) or started_at < ${before}::timestamptz returning 1`;
  return { sessionMeasures: gone.length };
}
