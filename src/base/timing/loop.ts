import type { Log } from '../log.ts';
import { within } from './within.ts';

/** Runs work in the background. Requests do not wait for it, a graceful stop does. Failures are logged under `name`. */
export type InBackground = (name: string, work: () => Promise<unknown>) => void;

export type Loop = ReturnType<typeof startLoop>;

const FAILS_FOR_MS = 60_000;

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
}) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let wanted = false;
  let running: Promise<void> | undefined;
  let failingSince: number | null = null;

  const run = async () => {
    try {
      do {
        wanted = false;
        while (!signal.aborted && (await options.work(signal)));
      } while (wanted && !signal.aborted);
      failingSince = null;
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      failingSince ??= Date.now();
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
    /** runs the work soon; calls during a run cause one more run */
    wake,
    /** resolves when nothing is left to do */
    async idle() {
      while (running) await running;
    },
    /**
     * Starts no new run, and aborts the signal of the run under way. Resolves when that has ended, or after 1.5 seconds:
     * what it leased then becomes free again by itself.
     */
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error('the server stops'));
      if (!running) return;
      const ended = await within(
        running.then(() => true),
        MAX_STOP_MS,
      );
      if (ended === null) options.log.warn({ worker: options.name }, 'a worker did not end, and is left');
    },
    /** whether every run has failed for a minute; one that failed once may have met a connection that broke */
    fails: () => failingSince !== null && Date.now() - failingSince >= FAILS_FOR_MS,
  };
}
