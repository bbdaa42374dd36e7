import type { Cited } from '../observations/observations.ts';

/** What a session is working on, as it is put before the agent again after its context was compacted. */
export type WorkingState = {
  /** what the person asked for first */
  task: string | null;
  /** what the person asked for last, if that is something else */
  prompt: string | null;
  /** the skill that was called last */
  skill: string | null;
  /** lessons and decisions that the agent was told, the newest first */
  decisions: string[];
  /** errors that nothing has answered yet */
  incidents: { target: string | null; error: string }[];
  /** files that were written, the newest first */
  files: string[];
  /** long outputs that can be read again */
  observations: Cited[];
};
