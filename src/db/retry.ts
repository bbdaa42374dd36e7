import { setTimeout as sleep } from 'node:timers/promises';

/** A PostgreSQL server that restarts is back within a second or two. */
const PAUSES_MS = [100, 500, 2_000];

/**
 * Runs work that only reads. If the connection to the database breaks meanwhile, the work is run again, up to three
 * more times, after pauses of 0.1, 0.5 and 2 s.
 *
 * @throws what `work` throws, if that is not a lost connection or if the last try fails too
 */
export async function retryWhenCutOff<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      await sleep(pause);
    }
  }
  return work();
}

/** Looks for PostgreSQL's error classes 08 and 57P, and for the codes of the driver and of the socket. */
export function isConnectionLoss(error: unknown): boolean {
  const codes = [error, (error as { cause?: unknown })?.cause].map((e) => (e as { code?: unknown })?.code);
  return codes.some((code) =>
    /^(08(?!P01)\w{3}|57P0[1-3]|CONNECTION_\w+|ECONN\w+|EPIPE)$/.test(String(code)),
  );
}
