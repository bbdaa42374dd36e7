import type { Candidate, Evidence } from '../learnings/candidate.ts';

// What waits to be distilled, by its kind.

/** Where a request comes from. */
export type Origin = {
  id: string;
  projectId: string;
  sessionId: string | null;
  agentId: string | null;
};

type Evident<K extends Evidence['kind']> = Extract<Evidence, { kind: K }>;

/** A request, by what it asks for. */
export type DistilRequest = Origin &
  (
    | { kind: 'turn'; sessionId: string }
    | { kind: 'incident'; incidentId: string; note: string | null }
    | { kind: 'said'; candidate: Candidate; evidence: Evident<'said'> }
    | { kind: 'decided'; candidate: Candidate; evidence: Evident<'said' | 'noted'> }
    | { kind: 'told'; candidate: Candidate; evidence: Evident<'told'> }
    | { kind: 'reported'; candidate: Candidate; evidence: Evident<'reported'> }
  );
