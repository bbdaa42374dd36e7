import { Worker } from 'node:worker_threads';
import { entryFile } from '../files/entry-file.ts';
import { cutTotal, MAX_TOTAL, sizeOf } from './limits.ts';
import { MAX_STRING, type RedactOptions, redactValue } from './redact.ts';
import type { Redacted } from './worker.ts';

/** Above this size (see `sizeOf`) a value is redacted in a thread of its own. Below it takes a few ms at most. */
const LARGE = 32_000;
/** The thread ends when it had nothing to do for this long. */
const IDLE_MS = 2_000;

type Thread = { redact(value: unknown, options: RedactOptions | undefined): Promise<unknown> };

let running: Promise<Thread> | undefined;

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
  try {
    running ??= start();
    return (await (await running).redact(kept, options)) as T;
  } catch {
    return redactValue(kept, options) as T;
  }
}

async function start(): Promise<Thread> {
  const worker = new Worker(await entryFile('redaction/worker'), { execArgv: [] });
  const waiting = new Map<number, { resolve(clean: unknown): void; reject(why: Error): void }>();
  let last = 0;
  let idle: NodeJS.Timeout | undefined;

  function end(why: Error) {
    running = undefined;
    clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(why);
    waiting.clear();
  }
  worker.on('error', end);
  worker.once('exit', () => end(new Error('the thread for redaction has ended')));
  worker.on('message', ({ id, value }: Redacted) => {
    waiting.get(id)?.resolve(value);
    waiting.delete(id);
    if (waiting.size > 0) return;
    worker.unref();
    idle = setTimeout(() => {
      end(new Error('idle'));
      void worker.terminate();
    }, IDLE_MS).unref();
  });

  return {
    redact: (value, options) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle);
        worker.ref();
        waiting.set(++last, { resolve, reject });
        worker.postMessage({ id: last, value, options });
      }),
  };
}
