import { within } from '../../timing/within.ts';

/** `urgent`: an agent waits for it */
export type Kind = 'urgent' | 'usual';

/** The embedded engine runs one transaction at a time. All work waits here for its turn. */
export type Turns = {
  /** Runs `work` when its turn comes: in the order in which it was asked for, urgent work first. */
  take<T>(work: () => Promise<T>, kind: Kind): Promise<T>;
  /** Says that urgent work comes in a moment: usual work that has not begun waits for it, for 40 ms at most. */
  expectUrgent(): void;
  /** Resolves when nothing waits and nothing runs any more. */
  done(): Promise<void>;
};

/** How long usual work is held back for urgent work that is expected. A prompt's vector takes 14 ms, rarely 25. */
const MAX_HOLD_MS = 40;

/** Returns {@link Turns} in which nothing runs yet. */
export function createTurns(): Turns {
  const waiting: Record<Kind, (() => Promise<void>)[]> = { urgent: [], usual: [] };
  /** resolves when no turn waits any more; undefined: none does */
  let working: Promise<void> | undefined;
  /** whether urgent work is expected; `release` ends the waiting of the usual work for it */
  let expected = false;
  let release = () => {};

  async function workOff() {
    while (waiting.urgent.length + waiting.usual.length > 0) {
      if (expected && waiting.urgent.length === 0) await urgentOrTooLate();
      await (waiting.urgent.shift() ?? waiting.usual.shift())?.();
    }
    working = undefined;
  }

  async function urgentOrTooLate() {
    const urgent = new Promise<void>((resolve) => {
      release = resolve;
    });
    await within(urgent, MAX_HOLD_MS);
    expected = false;
  }

  return {
    take(work, kind) {
      return new Promise((resolve, reject) => {
        if (kind === 'urgent') {
          expected = false;
          release();
        }
        waiting[kind].push(async () => {
          try {
            resolve(await work());
          } catch (error) {
            reject(error);
          }
        });
        working ??= workOff();
      });
    },
    expectUrgent() {
      expected = true;
    },
    done: async () => working,
  };
}
