import type { Tx } from '../db/open.ts';
import type { Line } from '../shell/line.ts';

// What happened in a session, as a list that can be read without the database: the calls, what the person
// said, and what the agent said at the end of a turn. To resolve an error and to write its lesson, only this
// list is needed.

export type Edit = { file: string; before: string | null; after: string | null };

export type Call = {
  kind: 'call';
  toolUseId: string;
  agentId: string | null;
  tool: string;
  /** what it ran in a shell; null for other tools */
  line: Line | null;
  /** what the tool worked on, comparable between calls */
  target: string | null;
  input: Record<string, unknown>;
  ok: boolean;
  /** the signature of the error, for a call that opened an incident */
  signature: string | null;
  /** the lines of its error that matter; clipped */
  output: string;
  /** all that it printed; clipped */
  printed: string;
  edits: Edit[];
  at: Date;
};

export type SessionStep =
  | Call
  | { kind: 'prompt'; text: string; at: Date }
  | { kind: 'said'; text: string; agentId: string | null; at: Date };

export const isCall = (step: SessionStep): step is Call => step.kind === 'call';

/**
 * Somebody who follows a session's story to settle something at its end. `since`: null, since the session's beginning.
 * `see` is given each piece of the story, the oldest first. `settle` is called once, after the last piece.
 */
export type Follower<T = void> = {
  since: Date | null;
  see(steps: SessionStep[]): void;
  settle(tx: Tx): Promise<T>;
};
