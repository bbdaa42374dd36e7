import { setTimeout as sleep } from 'node:timers/promises';

/** A server that restarts is back in a second or two. */
const PAUSES_MS = [100, 500, 2_000];

/** Runs work that only reads; when the connection to the database breaks meanwhile, up to three times more. */
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

/** PostgreSQL's classes 08 and 57P, and what the driver and the socket say. */
function isConnectionLoss(error: unknown): boolean {
  const codes = [error, (error as { cause?: unknown })?.cause].map((e) => (e as { code?: unknown })?.code);
  return codes.some((code) =>
    /^(08(?!P01)\w{3}|57P0[1-3]|CONNECTION_\w+|ECONN\w+|EPIPE)$/.test(String(code)),
  );
}
