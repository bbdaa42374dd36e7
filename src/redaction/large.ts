import { Worker } from 'node:worker_threads';
import { entryFile } from '../entry-file.ts';
import { cutTotal, MAX_TOTAL, sizeOf } from './limits.ts';
import { MAX_STRING, type RedactOptions, redactValue } from './redact.ts';
import type { Redacted } from './worker.ts';

/** Above this size (see `sizeOf`) a value is redacted in a thread of its own. Below it takes a few ms at most. */
const LARGE = 32_000;

type Job = { value: unknown; options: RedactOptions | undefined; done(value: unknown): void };

let worker: Promise<Worker> | undefined;
const jobs = new Map<number, Job>();
let lastJob = 0;

/**
 * Does what `redactValue` does, but leaves this thread free to answer while a large value is redacted. If the thread
 * for it fails, the value is redacted in this one.
 */
export async function redactLarge<T>(value: T, options?: RedactOptions): Promise<T> {
  if (sizeOf(value, Number.POSITIVE_INFINITY, LARGE) <= LARGE) return redactValue(value, options);
  const maxString = options?.maxString ?? MAX_STRING;
  const maxTotal = options?.maxTotal ?? MAX_TOTAL;
  // Cut here already: to hand 16 MB of small strings to another thread takes longer than to cut them.
  const kept = sizeOf(value, maxString, maxTotal) > maxTotal ? cutTotal(value, maxString) : value;
  worker ??= start();
  const thread = await worker.catch(() => null);
  if (thread === null) {
    worker = undefined;
    return redactValue(value, options);
  }
  return new Promise((resolve) => {
    const id = ++lastJob;
    jobs.set(id, { value: kept, options, done: (clean) => resolve(clean as T) });
    thread.ref();
    thread.postMessage({ id, value: kept, options });
  });
}

async function start(): Promise<Worker> {
  const thread = new Worker(await entryFile('redaction/worker'), { execArgv: [] });
  thread.unref();
  thread.on('message', ({ id, value }: Redacted) => {
    const job = jobs.get(id);
    jobs.delete(id);
    if (jobs.size === 0) thread.unref();
    job?.done(value);
  });
  thread.on('error', () => {});
  thread.once('exit', () => {
    worker = undefined;
    const left = [...jobs.values()];
    jobs.clear();
    for (const { value, options, done } of left) done(redactValue(value, options));
  });
  return thread;
}
