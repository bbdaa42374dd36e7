import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { entryFile } from '../base/files/entry-file.ts';
import { fitted, sizeOf } from './limits.ts';
import { MAX_STRING, type RedactOptions, redactValue } from './redact.ts';

/** Above this size (see `sizeOf`) a value is redacted in a thread of its own. Below it takes some ms at most. */
const LARGE = 100_000;

/**
 * Does what `redactValue` does, but leaves this thread free to answer while a large value is redacted. If the thread
 * for it fails, the value is redacted in this one.
 */
export async function redactLarge<T>(value: T, options?: RedactOptions): Promise<T> {
  if (sizeOf(value, Number.POSITIVE_INFINITY, LARGE) <= LARGE) return redactValue(value, options);
  // Cut here already: to hand 16 MB of small strings to another thread takes longer than to cut them.
  const kept = fitted(value, options?.maxString ?? MAX_STRING, options?.maxTotal);
  try {
    const workerData = { value: kept, options };
    const thread = new Worker(await entryFile('redaction/worker'), { execArgv: [], workerData });
    thread.unref();
    const [clean] = await once(thread, 'message');
    return clean as T;
  } catch {
    return redactValue(kept, options) as T;
  }
}
