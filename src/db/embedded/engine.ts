import { Worker } from 'node:worker_threads';
import { entryFile } from '../../entry-file.ts';
import type { Answer } from './statements.ts';
import type { Failure, Opening, Report, Request } from './thread.ts';

/** The database thread: takes requests, and answers them in order. */
export type Engine = {
  /** number pairs: a type and its array type */
  arrays: [type: number, array: number][];
  /**
   * Sends one request; several may be under way. One that takes longer than `limitMs`, from when the one before it was
   * answered, ends the thread (null: no limit).
   *
   * @throws what the database says, with PostgreSQL's `code`; 57014 when over the limit; 57P02 when the thread ended
   */
  ask(request: Request, limitMs: number | null): Promise<Answer | null>;
  /** Ends the thread at once, as a kill would; what was committed stays. Resolves when it is gone. */
  end(): Promise<void>;
  /** resolves when the thread is gone, for whatever reason */
  ended: Promise<void>;
  /** Calls back once the thread takes no more requests, before those under way learn of it. */
  whenGone(callback: (why: Error) => void): void;
};

type Call = { limitMs: number | null; resolve(answer: Answer | null): void; reject(error: Error): void };

/** An error with a code of PostgreSQL's, as its drivers throw them. */
export const databaseError = (code: string, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code, severity: 'ERROR' });

/**
 * Starts the thread and opens the database in it.
 *
 * @throws what the engine says when it cannot open the database, or takes longer than `limitMs` (null: no limit)
 */
export async function startEngine(
  opening: Opening,
  onNotify: (channel: string, payload: string) => void,
  limitMs: number | null = null,
): Promise<Engine> {
  const worker = new Worker(await entryFile('db/embedded/thread'), { workerData: opening, execArgv: [] });
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

  /** Rejects what is under way, and whatever comes after it. */
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

  /** Gives the oldest request under way its time. */
  function watch() {
    clearTimeout(timer);
    const [first] = calls;
    if (!first || first.limitMs === null) return;
    timer = setTimeout(() => {
      // an answer that came while this thread was busy is taken first
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
      worker.postMessage(request); // throws for what cannot be copied, a function for one
      if (calls.push({ limitMs: limit, resolve, reject }) === 1) watch();
    });
  }

  const arrays = await new Promise<Engine['arrays']>((resolve, reject) => {
    // stands for the opening in the list of what is under way
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
