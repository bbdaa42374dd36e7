import type { Log } from '../log.ts';

/** What has to be done to end a server, as far as it was started. */
export type Undo = {
  /** Adds what ends a part. Call it when the part was started. */
  add(step: () => unknown): void;
  /** Ends all parts, the last one first. */
  all(): Promise<void>;
};

export function createUndo(log: Log): Undo {
  const steps: (() => unknown)[] = [];
  return {
    add(step) {
      steps.push(step);
    },
    async all() {
      for (const step of steps.reverse()) {
        try {
          await step();
        } catch (error) {
          // the database may be away; the lock must be released all the same
          log.warn({ error }, 'a part of the server did not stop as it should');
        }
      }
    },
  };
}
