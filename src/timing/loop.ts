import type { Log } from '../log.ts';

/** Runs work in the background. Requests do not wait for it, a graceful stop does. Failures are logged under `name`. */
export type InBackground = (name: string, work: () => Promise<unknown>) => void;

/** How a loop does, for those who look after the server. Times are ISO 8601. */
export type LoopState = {
  state: 'idle' | 'running' | 'failing';
  /** when the last run ended; null before the first */
  lastRun: string | null;
  /** how long the last run took, in milliseconds */
  tookMs: number | null;
  /** since when each run has failed, and why the last one did; null if the last one did not fail */
  failingSince: string | null;
  error: string | null;
};

export type Loop = {
  /** runs the work soon; calls during a run cause one more run */
  wake(): void;
  /** resolves when nothing is left to do */
  idle(): Promise<void>;
  /** starts no new run; resolves when the run under way has ended */
  stop(): Promise<void>;
  state(): LoopState;
};

/**
 * Starts a background worker. It runs `work` when woken and every `intervalMs` (null: only when woken), never twice at
 * the same time, and again at once while `work` returns true (there is more to do). After a failure, which is logged, it
 * tries again at the next interval.
 */
export function startLoop(options: {
  name: string;
  intervalMs: number | null;
  work: () => Promise<boolean>;
  log: Log;
}): Loop {
  let stopped = false;
  let wanted = false;
  let running: Promise<void> | undefined;
  const last: Omit<LoopState, 'state'> = { lastRun: null, tookMs: null, failingSince: null, error: null };
  /** notes how a run went that began at `start` (of `performance.now()`) */
  const note = (start: number, error: unknown) => {
    const now = new Date().toISOString();
    last.lastRun = now;
    last.tookMs = Math.round(performance.now() - start);
    last.failingSince = error === undefined ? null : (last.failingSince ?? now);
    last.error = error === undefined ? null : String(error);
  };

  const run = async () => {
    const start = performance.now();
    try {
      do {
        wanted = false;
        while (!stopped && (await options.work()));
      } while (wanted && !stopped);
      note(start, undefined);
    } catch (error) {
      note(start, error ?? 'unknown');
      options.log.error({ worker: options.name, error }, 'background work failed; trying again later');
    } finally {
      running = undefined;
    }
  };
  const wake = () => {
    wanted = true;
    if (!stopped) running ??= run();
  };
  const timer = options.intervalMs === null ? undefined : setInterval(wake, options.intervalMs).unref();
  return {
    wake,
    async idle() {
      while (running) await running;
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
    state: () => ({
      ...last,
      state: running ? 'running' : last.failingSince === null ? 'idle' : 'failing',
    }),
  };
}
