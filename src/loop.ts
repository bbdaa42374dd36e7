import type { Log } from './log.ts';

/** Runs work after the answer; failures are logged; a graceful stop waits for it. */
export type InBackground = (name: string, work: () => Promise<unknown>) => void;

export type Loop = {
  /** run soon; calls while a run is under way cause one more run */
  wake(): void;
  /** resolves when nothing is left to do */
  idle(): Promise<void>;
  /** no new run; resolves when the one under way has ended */
  stop(): Promise<void>;
};

/**
 * A background worker: runs `work` when woken and every `intervalMs`, never twice at once, again at once while it
 * returns true (more to do). A failure is logged and tried again at the next interval.
 */
export function startLoop(options: {
  name: string;
  intervalMs: number;
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
  const timer = setInterval(wake, options.intervalMs);
  timer.unref();
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
