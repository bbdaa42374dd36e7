import type { Tone } from '../ui/status-dot.tsx';
import { duration } from '../ui/time.tsx';
import type { Table } from './live.ts';

/** Changes of sessions are not sent to the page, but changes of their project's row are. */
export const sessionTables: Table[] = ['dashboard_projects'];

/** A session, as `GET /v1/sessions` lists it. */
export type Session = {
  id: string;
  clientSessionId: string;
  project: string;
  status: 'active' | 'completed' | 'failed';
  shortTitle: string | null;
  taskType: 'quick' | 'focused' | 'complex' | null;
  planId: string | null;
  waitingFor: string | null;
  taskDescription: string | null;
  outcome: string | null;
  summary: string | null;
  branch: string | null;
  errorsEncountered: number;
  filesModified: string[];
  toolsUsed: Record<string, number>;
  tokens: number | null;
  startedAt: string;
  lastActivity: string;
  endedAt: string | null;
  learningsApplied: number;
  learningsCreated: number;
};

/** Returns the state of a session in a word, with its tone. */
export function standingOf({ status, waitingFor }: Session): { tone: Tone; word: string; busy: boolean } {
  if (status === 'failed') return { tone: 'bad', word: 'Failed', busy: false };
  if (status === 'completed') return { tone: 'ok', word: 'Ended', busy: false };
  return waitingFor === null
    ? { tone: 'accent', word: 'Active', busy: true }
    : { tone: 'warn', word: 'Waits', busy: false };
}

/** Returns how long a session lasted, or has lasted so far. */
export const lasted = ({ startedAt, endedAt, lastActivity }: Session): string =>
  duration(Math.max(0, Date.parse(endedAt ?? lastActivity) - Date.parse(startedAt)));

/** Returns a number with its noun: “1 error”, “3 errors”. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
