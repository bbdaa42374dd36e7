import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, backoffMs } from '../base/timing/backoff.ts';

/** A PostgreSQL server that restarts is back within a second or two. The pauses are random, so they need a margin. */
const PAUSES: Backoff = { firstMs: 500, maxMs: 4_000 };
const MAX_PAUSES = 4;

/**
 * Runs work that only reads. If the connection to the database breaks meanwhile, the work is run again, up to four more
 * times, after random pauses of up to 0.5, 1, 2 and 4 s.
 *
 * @throws what `work` throws, if that is not a lost connection or if the last try fails too
 */
export async function retryWhenCutOff<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 1; failures <= MAX_PAUSES; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      await sleep(backoffMs(failures, PAUSES));
    }
  }
  return work();
}

/** Looks for PostgreSQL's error classes 08 and 57P, and for the codes of the driver and of the socket. */
function isConnectionLoss(error: unknown): boolean {
  const codes = [error, (error as { cause?: unknown })?.cause].map((e) => (e as { code?: unknown })?.code);
  return codes.some((code) =>
    /^(08(?!P01)\w{3}|57P0[1-3]|CONNECTION_\w+|ECONN\w+|EPIPE)$/.test(String(code)),
  );
}
