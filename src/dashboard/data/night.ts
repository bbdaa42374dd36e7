import type { ConsolidationPlan } from '../../wire/routes.ts';
import type { Table } from './live.ts';

export const nightTables: Table[] = ['consolidation_runs'];

/** What a night did, by kind: merged, superseded, closed, undone, and what it deleted. */
export type Counts = Record<string, number | undefined>;
/** A change that a night made, or would make. */
export type NightChange = ConsolidationPlan['planned'][number];

const STAGES: Record<string, string> = {
  merge: 'Merging lessons that say the same',
  lessons: 'Ending lessons that failed or that nobody needed',
  notes: 'Ending old reflections',
  patterns: 'Looking for what agents do again and again',
  events: 'Deleting old raw events',
  checks: 'Deleting old raw checks',
};

export const runningIn = (stage: string): string => STAGES[stage] ?? 'Running';

const DID = ['merged', 'superseded', 'closed'] as const;

/** Returns what a night changed and what of that still stands, in words. */
export function changesOf({ counts }: { counts: Counts }): string {
  const did = DID.flatMap((what) => (counts[what] ? [`${counts[what]} ${what}`] : []));
  if (did.length > 0) return did.join(', ');
  return counts.undone ? 'all changes undone' : 'no changes';
}
