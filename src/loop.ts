import type { Log } from './log.ts';

/** Runs work in the background. Requests do not wait for it, a graceful stop does. Failures are logged under `name`. */
export type InBackground = (name: string, work: () => Promise<unknown>) => void;

export type Loop = {
  /** runs the work soon; calls during a run cause one more run */
  wake(): void;
  /** resolves when nothing is left to do */
  idle(): Promise<void>;
  /** starts no new run; resolves when the run under way has ended */
  stop(): Promise<void>;
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

  const run = async () => {
    try {
      do {
        wanted = false;
        while (!stopped && (await options.work()));
      } while (wanted && !stopped);
    } catch (error) {
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
  };
}
