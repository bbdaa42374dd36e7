import type { Database } from '../db/open.ts';
import type { Candidate, Evidence } from '../learnings/candidate.ts';
import type { AskModel } from '../llm/ask.ts';
import type { Log } from '../log.ts';

/** What distilling needs of the server. */
export type DistilServices = {
  db: Database;
  /** null if no model is set up */
  ask: AskModel | null;
  log: Log;
  /** the account whose transcripts are on this machine */
  ownerId: string | null;
  wake(worker: 'embed'): void;
};

/** What waits to be distilled: a turn to be read, an error that something answered, or what a person said. */
type Request = { id: string; projectId: string } & (
  | { kind: 'turn'; sessionId: string }
  | { kind: 'incident'; incidentId: string }
  | {
      kind: 'said';
      sessionId: string | null;
      candidate: Candidate;
      evidence: Extract<Evidence, { kind: 'said' }>;
    }
);
export type Waiting<K extends Request['kind'] = Request['kind']> = Extract<Request, { kind: K }>;
