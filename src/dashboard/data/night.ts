import type { ConsolidationPlan } from '../../wire/routes.ts';
import type { Table } from './live.ts';

export const nightTables: Table[] = ['consolidation_runs'];

/** What a night did, by kind: merged, superseded, closed, undone, and what it deleted. */
export type Counts = Record<string, number | undefined>;
/** A change that a night made, or would make. */
export type NightChange = ConsolidationPlan['planned'][number];

const STAGES: Record<string, string> = {
  gather: 'Looks which lessons changed',
  settle: 'Compares lessons',
  lessons: 'Closes lessons that failed or that nobody needed',
  notes: 'Closes old reflections',
  patterns: 'Looks for what agents do again and again',
  events: 'Deletes old raw events',
  checks: 'Deletes old raw checks',
};

export const runningIn = (stage: string): string => STAGES[stage] ?? 'It runs';

const DID = ['merged', 'superseded', 'closed'] as const;

/** Returns what a night changed, in words; null if nothing. */
export function didIn(counts: Counts): string | null {
  const did = DID.flatMap((what) => (counts[what] ? [`${counts[what]} ${what}`] : []));
  return did.length > 0 ? did.join(', ') : null;
}
