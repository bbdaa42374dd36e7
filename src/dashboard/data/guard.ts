import { api } from './api.ts';

/** A person's rule as data, as `GET /v1/guards` lists it. */
export type Guard = {
  id: string;
  /** which calls it is about, in words */
  about: string;
  inForce: boolean;
  source: 'literal' | 'model' | 'person';
  state: 'on' | 'paused' | 'refused';
  reason: string | null;
  hits: number;
  lastHitAt: string | null;
  rule: { breaks: GuardExample[]; keeps: GuardExample[] };
};
export type GuardExample = { tool: string; input: Record<string, unknown> };

/** Lets a guard rest, or act again. */
export const setGuard = ({ id, state }: { id: string; state: 'on' | 'paused' }) =>
  api<Guard>('PATCH', `/v1/guards/${id}`, { body: { state } });
