import type { Learning } from '../../wire/routes.ts';
import { api } from './api.ts';
import type { Table } from './live.ts';

export const learningTables: Table[] = ['learnings'];

/** Accepts a lesson that is proposed. */
export const approve = (id: string) => api('POST /v1/learnings/{id}/approve', { params: { id } });
/** Lets a lesson hold in all projects, or only in its own again. */
export const holdEverywhere = (id: string, everywhere: boolean) =>
  api('PATCH /v1/learnings/{id}', { params: { id }, body: { everywhere } });
/** Says that an active lesson is right. */
export const helped = (id: string) =>
  api('POST /v1/learnings/{id}/feedback', { params: { id }, body: { helpful: true } });
/** Ends a lesson. */
export const reject = ({ id, reason }: { id: string; reason: string }) =>
  api('POST /v1/learnings/{id}/retire', { params: { id }, query: { reason: reason.trim() || undefined } });

/** Returns the state of a lesson in a word, with its tone. */
export function standingOf({ status, validUntil }: Pick<Learning, 'status' | 'validUntil'>) {
  if (validUntil !== null) return { tone: 'quiet', word: 'Ended' } as const;
  return status === 'proposed'
    ? ({ tone: 'quiet', word: 'Proposed' } as const)
    : ({ tone: 'ok', word: 'Active' } as const);
}

/** Ids are long, and their first eight characters name a record well enough. */
export const shortIds = (text: string): string =>
  text.replace(/\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '$1');

export const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** Returns what came of a lesson, in words; null if nobody knows yet. */
export function outcomes({ successCount, failureCount }: Learning): string | null {
  const all = successCount + failureCount;
  return all === 0 ? null : `helped ${successCount} of ${all}`;
}
