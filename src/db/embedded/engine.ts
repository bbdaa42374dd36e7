import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { entryFile } from '../../files/entry-file.ts';
import type { Answer } from './prepared-statements.ts';
import type { Failure, Opening, Report, Request } from './thread.ts';

/** The database thread. It answers requests in order. */
export type Engine = {
  /** pairs of type numbers: a type and its array type */
  arrays: [type: number, array: number][];
  /**
   * Sends one request; several may be under way. If it takes longer than `limitMs`, counted from the answer to the
   * request before it, the thread is ended. Null means no limit.
   *
   * @throws the database's error with PostgreSQL's `code`: 57014 when over the limit, 57P02 when the thread has ended
   */
  ask(request: Request, limitMs: number | null): Promise<Answer | null>;
  /** Ends the thread at once, as a kill would. What was committed stays. Resolves when the thread is gone. */
  end(): Promise<void>;
  /** resolves when the thread is gone, for any reason */
  ended: Promise<void>;
  /** Calls back once the thread takes no more requests, before the requests under way are rejected. */
  whenGone(callback: (why: Error) => void): void;
};

type Call = { limitMs: number | null; resolve(answer: Answer | null): void; reject(error: Error): void };

/** Returns an error with one of PostgreSQL's codes, in the form in which its drivers throw it. */
export const databaseError = (code: string, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code, severity: 'ERROR' });

// How much a function of PGlite must have run before V8 compiles it once more, with care. This is what Node 22 has. With
// the 1,800,000 of Node 20, a start compiles so much that it takes a second of processor time more.
setFlagsFromString('--wasm-tiering-budget=13000000');

let compiling: Promise<WebAssembly.Module> | undefined;

// The types of Node name WebAssembly only as a type.
const { compile } = (
  globalThis as unknown as { WebAssembly: { compile(code: Uint8Array): Promise<WebAssembly.Module> } }
).WebAssembly;

/** Returns PGlite's code, compiled once for all threads: a thread that has to be started anew is there sooner. */
function compiled(): Promise<WebAssembly.Module> {
  compiling ??= readFile(
    join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), 'pglite.wasm'),
  ).then((code) => compile(code));
  return compiling;
}

/**
 * Starts the thread and opens the database in it.
 *
 * @param limitMs how long opening may take; null means no limit
 * @throws the engine's error when it cannot open the database; 57014 when opening takes longer than `limitMs`
 */
export async function startEngine(
  opening: Omit<Opening, 'wasm'>,
  onNotify: (channel: string, payload: string) => void,
  limitMs: number | null = null,
): Promise<Engine> {
  const workerData: Opening = { ...opening, wasm: await compiled() };
  const worker = new Worker(await entryFile('db/embedded/thread'), { workerData, execArgv: [] });
  const calls: Call[] = [];
  let timer: NodeJS.Timeout | undefined;
  let gone: Error | undefined;
  let onGone: (why: Error) => void = () => {};

  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      fail(databaseError('57P02', `The database thread ended by itself, with ${code}`));
      resolve();
    });
  });
  worker.on('error', (error) =>
    fail(databaseError('57P02', `The database thread failed: ${error.message}`, error)),
  );

  /** Rejects the requests under way and all that come later. */
  function fail(error: Error) {
    if (gone) return;
    gone = error;
    clearTimeout(timer);
    onGone(error);
    for (const call of calls.splice(0)) call.reject(error);
  }

  async function end(error = databaseError('57P02', 'The database thread was ended')) {
    fail(error);
    await worker.terminate();
    await ended;
  }

  /** Starts the time limit of the oldest request under way. */
  function watch() {
    clearTimeout(timer);
    const [first] = calls;
    if (!first || first.limitMs === null) return;
    timer = setTimeout(() => {
      // If the answer arrived while this thread was busy, it is handled first.
      setImmediate(() => calls[0] === first && expire(first));
    }, first.limitMs);
  }

  function expire(call: Call) {
    const seconds = (call.limitMs ?? 0) / 1_000;
    calls.shift();
    call.reject(databaseError('57014', `canceling statement due to statement timeout (${seconds} s)`));
    void end(databaseError('57P02', 'The database was started anew: a statement had taken too long'));
  }

  function receive(report: Report) {
    if ('channel' in report) return onNotify(report.channel, report.payload);
    const call = calls.shift();
    if (!call || 'opened' in report) return;
    if ('answer' in report) call.resolve(report.answer);
    else {
      call.reject(toError(report.failure));
      if (report.fatal) {
        const { message } = report.failure;
        void end(databaseError('57P02', `The database was started anew: it had failed (${message})`));
      }
    }
    watch();
  }

  function ask(request: Request, limit: number | null): Promise<Answer | null> {
    return new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      worker.postMessage(request); // throws if the request cannot be copied, for example a function
      if (calls.push({ limitMs: limit, resolve, reject }) === 1) watch();
    });
  }

  const arrays = await new Promise<Engine['arrays']>((resolve, reject) => {
    // This entry stands for the opening in the list of requests under way.
    calls.push({ limitMs, resolve: () => {}, reject });
    watch();
    worker.once('message', (first: Report) => {
      calls.shift();
      watch();
      if ('opened' in first) {
        worker.on('message', receive);
        resolve(first.opened);
      } else {
        const error = 'failure' in first ? toError(first.failure) : new Error('unexpected first report');
        end(error).then(() => reject(error));
      }
    });
  }).catch(async (error) => {
    await end(error);
    throw error;
  });
  return {
    arrays,
    ask,
    end: () => end(),
    ended,
    whenGone(callback) {
      if (gone) callback(gone);
      else onGone = callback;
    },
  };
}

const toError = ({ message, ...fields }: Failure): Error => Object.assign(new Error(message), fields);
