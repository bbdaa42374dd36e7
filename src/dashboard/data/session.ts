import type { Session } from '../../wire/routes.ts';
import type { Tone } from '../ui/status-dot.tsx';
import { duration, isStale } from '../ui/time.tsx';
import type { Table } from './live.ts';

/** Changes of sessions are not sent to the page, but changes of their project's row are. */
export const sessionTables: Table[] = ['dashboard_projects'];

/** Returns the state of a session in a word, with its tone. */
export function standingOf(session: Session): { tone: Tone; word: string; busy: boolean } {
  const { status, waitingFor, lastActivity } = session;
  if (status === 'failed') return { tone: 'bad', word: 'Failed', busy: false };
  if (status === 'stopped') return { tone: 'warn', word: 'Stopped', busy: false };
  if (status === 'completed') return { tone: 'ok', word: 'Completed', busy: false };
  // its client may be gone without a word
  if (waitingFor === null && isStale(lastActivity))
    return { tone: 'quiet', word: 'Not heard of', busy: false };
  return waitingFor === null
    ? { tone: 'accent', word: 'Active', busy: true }
    : { tone: 'warn', word: 'Needs you', busy: false };
}

/** Returns what a client needs of the person, from the server's words (“a person to permit Bash”): “Needs you to permit Bash”. */
export const neededOf = (waitingFor: string): string =>
  `Needs you to ${waitingFor.replace(/^a person to /i, '')}`;

/** Returns how long a session lasted, or has lasted so far. */
export const lasted = ({ startedAt, endedAt, lastActivity }: Session): string =>
  duration(Math.max(0, Date.parse(endedAt ?? lastActivity) - Date.parse(startedAt)));

/** Returns a number with its noun: “1 error”, “3 errors”. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** Returns how often something was: “never”, “once”, “3 times”. */
export const times = (n: number): string => (n === 0 ? 'never' : n === 1 ? 'once' : `${n} times`);
