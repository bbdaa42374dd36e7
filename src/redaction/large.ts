import { Worker } from 'node:worker_threads';
import { entryFile } from '../base/files/entry-file.ts';
import { fitted, sizeOf } from './limits.ts';
import { MAX_STRING, type RedactOptions, redactValue } from './redact.ts';
import type { Redacted } from './worker.ts';

/** Above this size (see `sizeOf`) a value is redacted in a thread of its own. Below it takes a few ms at most. */
const LARGE = 32_000;
/** The thread ends when it had nothing to do for this long. */
const IDLE_MS = 2_000;

type Waiting = { resolve(clean: unknown): void; reject(why: unknown): void };
let running: { worker: Promise<Worker>; waiting: Map<number, Waiting> } | undefined;
let last = 0;
let idle: NodeJS.Timeout | undefined;

/**
 * Does what `redactValue` does, but leaves this thread free to answer while a large value is redacted. If the thread
 * for it fails, the value is redacted in this one.
 */
export async function redactLarge<T>(value: T, options?: RedactOptions): Promise<T> {
  if (sizeOf(value, Number.POSITIVE_INFINITY, LARGE) <= LARGE) return redactValue(value, options);
  // Cut here already: to hand 16 MB of small strings to another thread takes longer than to cut them.
  const kept = fitted(value, options?.maxString ?? MAX_STRING, options?.maxTotal);
  running ??= start();
  clearTimeout(idle);
  const { worker, waiting } = running;
  const clean = new Promise((resolve, reject) => waiting.set(++last, { resolve, reject }));
  const id = last;
  worker.then((thread) => thread.postMessage({ id, value: kept, options }), waiting.get(id)?.reject);
  return clean.catch(() => redactValue(kept, options)) as Promise<T>;
}

function start() {
  const waiting = new Map<number, Waiting>();
  const end = (why: unknown) => {
    running = undefined;
    for (const { reject } of waiting.values()) reject(why);
  };
  const worker = entryFile('redaction/worker').then((file) => {
    const thread = new Worker(file, { execArgv: [] });
    thread.unref();
    thread.on('error', end);
    thread.on('message', ({ id, value }: Redacted) => {
      waiting.get(id)?.resolve(value);
      waiting.delete(id);
      if (waiting.size > 0) return;
      idle = setTimeout(() => {
        end('idle');
        void thread.terminate();
      }, IDLE_MS).unref();
    });
    return thread;
  });
  worker.catch(end);
  return { worker, waiting };
}
