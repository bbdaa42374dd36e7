import { api } from './api.ts';
import type { Table } from './live.ts';

/** A lesson, as `GET /v1/learnings` lists it. */
export type Learning = {
  id: string;
  project: string;
  status: 'trial' | 'active' | 'review';
  lesson: string;
  context: string;
  why: string | null;
  errorType: string | null;
  keywords: string[];
  appliesTo: string[];
  confidence: number;
  usageCount: number;
  successCount: number;
  failureCount: number;
  qualityScore: number;
  evaluatedBy: string;
  sourceSessionId: string | null;
  sourceSubagent: string | null;
  sourceError: string | null;
  supersedes: string | null;
  validFrom: string;
  validUntil: string | null;
  lastConfirmedAt: string;
  createdAt: string;
  stale?: { ref: string; state: 'changed' | 'gone'; head: string | null }[];
};

export type Judgement = {
  event: string;
  decision: string | null;
  reason: string | null;
  score: number | null;
  evaluator: string | null;
  evidence: Record<string, unknown> | null;
  finishedAt: string | null;
};

/** One offer of a lesson to an agent. */
export type Injection = {
  session: string | null;
  event: string;
  relevance: string | null;
  injectedAt: string;
  outcome: 'helped' | 'failed' | 'unused' | null;
};

/** A lesson with how it came to be and what came of it. */
export type WholeLearning = Learning & {
  versions: Learning[];
  /** what it still needs to become active; null if it is active or has ended */
  missing: string | null;
  judgements: Judgement[];
  injections: Injection[];
};

export const learningTables: Table[] = ['learnings'];

const of = (id: string) => `/v1/learnings/${id}`;

/** Accepts a lesson that is on trial or waits for review. */
export const approve = (id: string) => api<Learning>('POST', `${of(id)}/approve`);
/** Says that a lesson that is in force is right. */
export const helped = (id: string) =>
  api<Learning>('POST', `${of(id)}/feedback`, { body: { helpful: true } });
/** Ends a lesson. */
export const reject = ({ id, reason }: { id: string; reason: string }) =>
  api<Learning>('POST', `${of(id)}/retire`, { query: { reason: reason.trim() || null } });

/** Returns the state of a lesson in a word, with its tone. */
export function standingOf({ status, validUntil }: Pick<Learning, 'status' | 'validUntil'>) {
  if (validUntil !== null) return { tone: 'quiet', word: 'Ended' } as const;
  if (status === 'review') return { tone: 'warn', word: 'For review' } as const;
  return status === 'trial'
    ? ({ tone: 'quiet', word: 'On trial' } as const)
    : ({ tone: 'ok', word: 'In force' } as const);
}

export const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** Returns what came of a lesson, in words; null if nobody knows yet. */
export function outcomes({ successCount, failureCount }: Learning): string | null {
  const all = successCount + failureCount;
  return all === 0 ? null : `helped ${successCount} of ${all}`;
}
