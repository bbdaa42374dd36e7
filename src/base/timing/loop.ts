import type { Log } from '../log.ts';
import { within } from './within.ts';

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
  /**
   * Starts no new run, and aborts the signal of the run under way. Resolves when that has ended, or after 1.5 seconds:
   * what it leased then becomes free again by itself.
   */
  stop(): Promise<void>;
  state(): LoopState;
};

/** How long a run may take to end when its worker is stopped. The whole server has four seconds (src/cli/start.ts). */
const MAX_STOP_MS = 1_500;

/**
 * Starts a background worker. It runs `work` when woken and every `intervalMs` (null: only when woken), never twice at
 * the same time, and again at once while `work` returns true (there is more to do). After a failure, which is logged, it
 * tries again at the next interval.
 */
export function startLoop(options: {
  name: string;
  intervalMs: number | null;
  /** `signal` is aborted when the worker is stopped: hand it to what may take long */
  work: (signal: AbortSignal) => Promise<boolean>;
  log: Log;
  maxStopMs?: number;
}): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
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
        while (!signal.aborted && (await options.work(signal)));
      } while (wanted && !signal.aborted);
      note(start, undefined);
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      note(start, error ?? 'unknown');
      options.log.error({ worker: options.name, error }, 'background work failed; trying again later');
    } finally {
      running = undefined;
    }
  };
  const wake = () => {
    wanted = true;
    if (!signal.aborted) running ??= run();
  };
  const timer = options.intervalMs === null ? undefined : setInterval(wake, options.intervalMs).unref();
  return {
    wake,
    async idle() {
      while (running) await running;
    },
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error('the server stops'));
      if (!running) return;
      const ended = await within(
        running.then(() => true),
        options.maxStopMs ?? MAX_STOP_MS,
      );
      if (ended === null) options.log.warn({ worker: options.name }, 'a worker did not end, and is left');
    },
    state: () => ({
      ...last,
      state: running ? 'running' : last.failingSince === null ? 'idle' : 'failing',
    }),
  };
}
