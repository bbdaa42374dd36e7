import { setTimeout as sleep } from 'node:timers/promises';
import { databaseError, type Engine, startEngine } from './engine.ts';
import { findDatabase } from './folder.ts';

/** On a full disk the engine may hang while it opens. Recovery from the write-ahead log takes only seconds. */
const MAX_REOPEN_MS = 60_000;
const MAX_CLOSE_MS = 10_000;
const REOPEN_PAUSE_MS = 1_000;

/** An engine that is started again on the same folder whenever it ends. */
export type LastingEngine = {
  /** pairs of type numbers: a type and its array type */
  arrays: Engine['arrays'];
  /**
   * Returns the engine that runs, or is being started.
   *
   * @throws the database's error (53100, 57P03) with why there is none for now; 57P01 when it is closed
   */
  current(): Promise<Engine>;
  /** Ends it for good. `whole`: no statement runs, so that it can be closed in order. */
  close(whole: boolean): Promise<void>;
};

/**
 * Starts an engine that is started anew when its thread ends. PostgreSQL recovers then everything that was committed.
 * While the database cannot be opened again (a full disk), it is tried every second.
 *
 * @param on.notify called for each NOTIFY
 * @param on.opened called with each engine that was started anew, before anybody uses it
 * @param on.gone called with the reason, each time the engine has ended
 * @throws the engine's error when the database cannot be opened
 */
export async function startLastingEngine(
  opening: Parameters<typeof startEngine>[0],
  on: {
    notify: Parameters<typeof startEngine>[1];
    opened(engine: Engine): Promise<void>;
    gone(why: Error): void;
  },
): Promise<LastingEngine> {
  let closed = false;
  let engine = await startEngine(opening, on.notify, null);
  /** The engine for the next caller. It runs, or is being started, or the promise rejects with why there is none. */
  let next = Promise.resolve(engine);
  let attempt: Promise<unknown> = next;
  use(engine);
  const { arrays } = engine;

  function use(opened: Engine) {
    engine = opened;
    next = Promise.resolve(opened);
    opened.whenGone((why) => {
      if (closed) return;
      on.gone(why);
      next = reopen(why);
    });
  }

  /** Callers wait for the first attempt, because it usually works. Nobody waits for the later ones. */
  function reopen(why: Error): Promise<Engine> {
    const first = startAgain(why);
    first.then(use, async (cause) => {
      while (!closed) {
        next = Promise.reject(cause);
        next.catch(() => {});
        await sleep(REOPEN_PAUSE_MS);
        try {
          return use(await startAgain(why));
        } catch (error) {
          cause = error;
        }
      }
    });
    return first;
  }

  function startAgain(why: Error): Promise<Engine> {
    const started = (async () => {
      await engine.ended;
      if (closed) throw isClosed();
      // PGlite would make an empty database there, or need a second of the processor to find out that it cannot.
      if (findDatabase(opening.folder).state !== 'whole')
        throw unavailable(new Error(`there is no database in ${opening.folder}`), why);
      const opened = await startEngine(opening, on.notify, MAX_REOPEN_MS).catch((cause) => {
        throw unavailable(cause, why);
      });
      try {
        await on.opened(opened);
      } catch (error) {
        await opened.end();
        throw error;
      }
      return opened;
    })();
    attempt = started;
    return started;
  }

  return {
    arrays,
    current: () => (closed ? Promise.reject(isClosed()) : next),
    async close(whole) {
      closed = true;
      // No start may still be under way: it would open the folder again.
      await attempt.catch(() => {});
      // Otherwise a statement is still running. To end the thread is as safe as a kill: what was committed stays.
      if (whole) await engine.ask('close', MAX_CLOSE_MS).catch(() => {});
      await engine.end();
    },
  };
}

const isClosed = () => databaseError('57P01', 'The database is closed');

/** @param why the error that ended the engine before: only this one says that the disk is full */
function unavailable(cause: Error, why: Error): Error {
  const message = `The database cannot be opened for now (${cause.message}). ${why.message}`;
  const full = /no space left|ENOSPC|disk full/i.test(message);
  return databaseError(full ? '53100' : '57P03', message, cause);
}
