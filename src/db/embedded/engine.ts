import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { entryFile } from '../../base/files/package-root.ts';
import { findDatabase } from './folder.ts';
import type { Answer } from './prepared-statements.ts';
import type { Failure, Opening, Report, Request } from './thread.ts';

/** The database thread. It answers requests in order. */
export type Engine = Awaited<ReturnType<typeof startEngine>>;

type Call = { limitMs: number | null; resolve(answer: Report): void; reject(error: Error): void };
type Options = Omit<Opening, 'wasm'> & { notify(channel: string, payload: string): void };

/** On a full disk the engine may hang while it opens. Recovery from the write-ahead log takes only seconds. */
const MAX_REOPEN_MS = 60_000;
const MAX_CLOSE_MS = 10_000;
const REOPEN_PAUSE_MS = 1_000;

/** Returns an error with one of PostgreSQL's codes, in the form in which its drivers throw it. */
const databaseError = (code: string, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code, severity: 'ERROR' });
const toError = ({ message, ...fields }: Failure): Error => Object.assign(new Error(message), fields);
const anew = (why: string) => databaseError('57P02', `The database was started anew: ${why}`);
const isClosed = () => databaseError('57P01', 'The database is closed');

// How much a function of PGlite must have run before V8 compiles it once more, with care. This is what Node 22 has. With
// the 1,800,000 of Node 20, a start compiles so much that it takes a second of processor time more.
setFlagsFromString('--wasm-tiering-budget=13000000');

// The types of Node name WebAssembly only as a type.
const { compile } = (
  globalThis as unknown as { WebAssembly: { compile(code: Uint8Array): Promise<WebAssembly.Module> } }
).WebAssembly;
let compiling: Promise<WebAssembly.Module> | undefined;

/** Returns PGlite's code, compiled once for all threads: a thread that has to be started anew is there sooner. */
function compiled(): Promise<WebAssembly.Module> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  compiling ??= readFile(join(folder, 'pglite.wasm')).then(compile);
  return compiling;
}

/** Starts the thread and opens the database in it. */
async function startEngine({ notify, ...opening }: Options, limitMs: number | null) {
  const workerData: Opening = { ...opening, wasm: await compiled() };
  const worker = new Worker(entryFile('db/embedded/thread'), { workerData, execArgv: [] });
  const calls: Call[] = [];
  let timer: NodeJS.Timeout | undefined;
  let failure: Error | undefined;
  let say: (why: Error) => void = () => {};
  const gone = new Promise<Error>((resolve) => {
    say = resolve;
  });

  /** Rejects the requests under way and all that come later. */
  async function end(why = databaseError('57P02', 'The database thread was ended')): Promise<void> {
    if (!failure) {
      failure = why;
      clearTimeout(timer);
      say(why);
      await Promise.resolve(); // who waits for `gone` hears of it first
      for (const call of calls.splice(0)) call.reject(why);
    }
    await worker.terminate();
  }

  /** Starts the time limit of the oldest request under way. */
  function watch() {
    clearTimeout(timer);
    const [first] = calls;
    if (!first || first.limitMs === null) return;
    // If the answer arrived while this thread was busy, it is handled first.
    timer = setTimeout(() => setImmediate(() => calls[0] === first && expire(first)), first.limitMs);
  }

  function expire(call: Call) {
    calls.shift();
    const seconds = (call.limitMs ?? 0) / 1_000;
    call.reject(databaseError('57014', `canceling statement due to statement timeout (${seconds} s)`));
    void end(anew('a statement had taken too long'));
  }

  const send = (limit: number | null, request?: Request) =>
    new Promise<Report>((resolve, reject) => {
      if (failure) return reject(failure);
      if (request) worker.postMessage(request); // throws if the request cannot be copied, for example a function
      if (calls.push({ limitMs: limit, resolve, reject }) === 1) watch();
    });

  worker.on('message', (report: Report) => {
    if ('channel' in report) return notify(report.channel, report.payload);
    const call = calls.shift();
    if ('failure' in report) {
      call?.reject(toError(report.failure));
      if (report.fatal) void end(anew(`it had failed (${report.failure.message})`));
    } else call?.resolve(report);
    watch();
  });
  worker.on('error', (error) => end(databaseError('57P02', `The database thread failed: ${error.message}`)));
  worker.once('exit', (code) =>
    end(databaseError('57P02', `The database thread ended by itself, with ${code}`)),
  );
  try {
    // the first report is about the opening
    const opened = await send(limitMs);
    return {
      /** pairs of type numbers: a type and its array type */
      arrays: 'opened' in opened ? opened.opened : [],
      /**
       * Sends one request; several may be under way. If it takes longer than `limit` ms, counted from the answer to the
       * request before it, the thread is ended. Null means no limit.
       *
       * @throws the database's error with PostgreSQL's `code`: 57014 when over the limit, 57P02 when the thread has ended
       */
      async ask(request: Request, limit: number | null): Promise<Answer | null> {
        const report = await send(limit, request);
        return 'answer' in report ? report.answer : null;
      },
      /** Ends the thread at once, as a kill would: what was committed stays. Resolves when it is gone. */
      end: () => end(),
      /** resolves with the reason once the thread takes no more requests, before those under way are rejected */
      gone,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Starts an engine that is started anew when its thread ends. PostgreSQL recovers then everything that was committed.
 * While the database cannot be opened again (a full disk), it is tried every second.
 *
 * @param on.opened called with each engine that was started anew, before anybody uses it
 * @param on.gone called with the reason, each time the engine has ended
 * @throws the engine's error when the database cannot be opened
 */
export async function startLastingEngine(
  options: Options,
  on: { opened(engine: Engine): Promise<void>; gone(why: Error): void },
) {
  let closed = false;
  let engine = await startEngine(options, null);
  const { arrays } = engine;
  /** The engine for the next caller. It runs, or is being started, or the promise rejects with why there is none. */
  let next = Promise.resolve(engine);

  function use(opened: Engine) {
    engine = opened;
    next = Promise.resolve(opened);
    opened.gone.then((why) => {
      if (closed) return;
      on.gone(why);
      restart(why);
    });
  }

  /** Callers wait for the attempt under way; between two attempts they are told why there is no engine. */
  function restart(why: Error) {
    next = startAgain(why);
    next.then(use, () => setTimeout(() => closed || restart(why), REOPEN_PAUSE_MS));
  }

  async function startAgain(why: Error): Promise<Engine> {
    await engine.end();
    if (closed) throw isClosed();
    // PGlite would make an empty database there, or need a second of the processor to find out that it cannot.
    if (findDatabase(options.folder).state !== 'whole')
      throw unavailable(new Error(`there is no database in ${options.folder}`), why);
    const opened = await startEngine(options, MAX_REOPEN_MS).catch((cause) => {
      throw unavailable(cause, why);
    });
    await on.opened(opened).catch(async (error) => {
      await opened.end();
      throw error;
    });
    return opened;
  }

  use(engine);
  return {
    arrays,
    /**
     * Returns the engine that runs, or is being started.
     *
     * @throws the database's error (53100, 57P03) with why there is none for now; 57P01 when it is closed
     */
    current: (): Promise<Engine> => (closed ? Promise.reject(isClosed()) : next),
    /** Ends it for good. `whole`: no statement runs, so that it can be closed in order. */
    async close(whole: boolean): Promise<void> {
      closed = true;
      // No start may still be under way: it would open the folder again.
      await next.catch(() => {});
      // Otherwise a statement is still running. To end the thread is as safe as a kill: what was committed stays.
      if (whole) await engine.ask('close', MAX_CLOSE_MS).catch(() => {});
      await engine.end();
    },
  };
}

/** @param why the error that ended the engine before: only this one says that the disk is full */
function unavailable(cause: Error, why: Error): Error {
  const message = `The database cannot be opened for now (${cause.message}). ${why.message}`;
  const full = /no space left|ENOSPC|disk full/i.test(message);
  return databaseError(full ? '53100' : '57P03', message, cause);
}
