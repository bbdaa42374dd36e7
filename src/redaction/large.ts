import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import { entryFile } from '../base/files/package-root.ts';
import { fitted, sizeOf } from './limits.ts';
import { MAX_STRING, type RedactOptions, redactValue } from './redact.ts';

/** Above this size (see `sizeOf`) a value is redacted in another thread. Below it takes some ms at most. */
const LARGE = 100_000;

/** That thread: started with the first large value, and with the next one after it ended. */
let thread: Promise<Worker> | undefined;

const forget = () => (thread = undefined);
export const endThread = async () => (await thread)?.terminate();

async function startThread(): Promise<Worker> {
  const worker = new Worker(entryFile('redaction/worker'), { name: 'redaction', execArgv: [] });
  worker.unref();
  return worker.on('error', forget).on('exit', forget);
}

/**
 * Does what `redactValue` does, but leaves this thread free to answer while a large value is redacted. If the thread
 * for it fails, the value is redacted in this one.
 */
export async function redactLarge<T>(value: T, options?: RedactOptions): Promise<T> {
  if (sizeOf(value, Number.POSITIVE_INFINITY, LARGE) <= LARGE) return redactValue(value, options);
  // Cut here already: to hand 16 MB of small strings to another thread takes longer than to cut them.
  const kept = fitted(value, options?.maxString ?? MAX_STRING, options?.maxTotal);
  try {
    thread ??= startThread();
    const { port1: answer, port2: port } = new MessageChannel();
    (await thread).postMessage({ value: kept, options, port }, [port]);
    const failed = once(answer, 'close').then(() => Promise.reject());
    const [clean] = await Promise.race([once(answer, 'message'), failed]);
    return clean as T;
  } catch {
    return redactValue(kept, options) as T;
  }
}
