import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../within.ts';
import { databaseError, type Engine, startEngine } from './engine.ts';
import type { Results, RowOptions } from './rows.ts';

/** Statements that read or write rows are kept prepared and have a time limit. The rest is maintenance, without one. */
const ROWS = /^\s*(?:select|insert|update|delete|with)\b/i;
/** Ends a statement that would never end. Generous: Lore's slowest own statement takes seconds on a slow machine. */
const MAX_STATEMENT_MS = 30_000;
/** On a full disk the engine may hang while it opens. Recovery from the write-ahead log takes only seconds. */
const MAX_REOPEN_MS = 60_000;
/** Whoever stops the server does not wait for longer than this for the work under way. */
const MAX_WAIT_TO_CLOSE_MS = 2_000;
const MAX_CLOSE_MS = 10_000;
const REOPEN_PAUSE_MS = 1_000;
/** How long usual work is held back for urgent work that is expected. A prompt's vector takes 14 ms, rarely 25. */
const MAX_HOLD_MS = 40;

type Query = (text: string, params?: unknown[], options?: RowOptions) => Promise<Results>;
type Listener = { onNotify(payload: string): void; onConnect?: (() => void) | undefined };

/** The driver's side of a transaction. `single` runs one statement once, with a time limit of its own. */
export type Transaction = { query: Query; single(text: string, limitMs: number): Promise<Results> };

export type EmbeddedClient = {
  query: Query;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** the same, before all others that wait, because an agent waits for it */
  urgent: Pick<EmbeddedClient, 'query' | 'transaction'>;
  /** Says that urgent work comes in a moment: usual work that has not begun waits for it, for 40 ms at most. */
  expectUrgent(): void;
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>;
  /** Waits 2 s at most for the work under way. What has not been committed by then is lost. */
  close(): Promise<void>;
};

/**
 * Opens the embedded database in a thread of its own, so that this thread can answer whatever the database is doing.
 * Transactions run one at a time, in the order in which they were asked for, urgent ones first. BEGIN is sent together
 * with the first statement, so a transaction without statements never begins.
 *
 * The thread is ended when a statement exceeds its limit or the engine fails. It is then started again on the same
 * folder: PostgreSQL recovers everything that was committed, and waiting work goes on. If the database cannot be opened
 * again (a full disk), Lore tries every second; until then callers get an error of class 53 or 57 at once.
 *
 * @param options.sync waits at each commit until the disk has it; otherwise only a loss of power can take it back
 * @param options.onRestart told why, each time the thread is started again
 * @throws the engine's error when the database cannot be opened
 */
export async function openEmbeddedClient(
  folder: string,
  { sync = false, onRestart }: { sync?: boolean; onRestart?: ((why: Error) => void) | undefined } = {},
): Promise<EmbeddedClient> {
  const listeners = new Map<string, Set<Listener>>();
  let closed = false;
  let closing: Promise<void> | undefined;
  const turns: Record<'urgent' | 'usual', (() => Promise<void>)[]> = { urgent: [], usual: [] };
  /** resolves when no turn waits any more; undefined: none does */
  let working: Promise<void> | undefined;
  /** whether urgent work is expected; `release` ends the waiting of the usual work for it */
  let expected = false;
  let release = () => {};
  // This thread needs only PGlite's parsers. They are loaded while the other thread starts.
  const [first, { createRowReader }] = await Promise.all([start(null), import('./rows.ts')]);
  let engine = first;
  /** The engine for the next caller. It runs, or is being started, or the promise rejects with why there is none. */
  let next = Promise.resolve(engine);
  let attempt: Promise<unknown> = next;
  const read = createRowReader(engine.arrays);
  use(engine);

  function start(limitMs: number | null): Promise<Engine> {
    const notify = (channel: string, payload: string) => {
      for (const { onNotify } of listeners.get(channel) ?? []) onNotify(payload);
    };
    return startEngine({ folder, sync }, notify, limitMs);
  }

  function use(opened: Engine) {
    engine = opened;
    next = Promise.resolve(opened);
    opened.whenGone((why) => {
      if (closed) return;
      onRestart?.(why);
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
    const opening = (async () => {
      await engine.ended;
      if (closed) throw databaseError('57P01', 'The database is closed');
      // PGlite would make an empty database there, or need a second of the processor to find out that it cannot.
      if (!existsSync(join(folder, 'PG_VERSION')))
        throw unavailable(new Error(`there is no database in ${folder}`), why);
      const opened = await start(MAX_REOPEN_MS).catch((cause) => {
        throw unavailable(cause, why);
      });
      try {
        for (const channel of listeners.keys()) await ask(opened, 'listen', channel);
      } catch (error) {
        await opened.end();
        throw error;
      }
      for (const heard of listeners.values()) for (const { onConnect } of heard) onConnect?.();
      return opened;
    })();
    attempt = opening;
    return opening;
  }

  /** Runs `work` when its turn comes. It then has the database to itself. */
  function exclusively<T>(
    work: (engine: Engine) => Promise<T>,
    kind: keyof typeof turns = 'usual',
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (kind === 'urgent') {
        expected = false;
        release();
      }
      turns[kind].push(async () => {
        try {
          if (closed) throw databaseError('57P01', 'The database is closed');
          resolve(await work(await next));
        } catch (error) {
          reject(error);
        }
      });
      working ??= workOff();
    });
  }

  async function workOff() {
    while (turns.urgent.length + turns.usual.length > 0) {
      if (expected && turns.urgent.length === 0) await urgentOrTooLate();
      await (turns.urgent.shift() ?? turns.usual.shift())?.();
    }
    working = undefined;
  }

  async function urgentOrTooLate() {
    const urgent = new Promise<void>((resolve) => {
      release = resolve;
    });
    await within(urgent, MAX_HOLD_MS);
    expected = false;
  }

  async function run(
    on: Engine,
    statement: { text: string; params?: unknown[]; scoped?: boolean; limitMs?: number },
    options?: RowOptions,
  ): Promise<Results> {
    const { text, params = [], scoped = false, limitMs } = statement;
    const rows = ROWS.test(text);
    // Drizzle always passes options. A statement without them is not run a second time.
    const keep = rows && options !== undefined;
    const limit = limitMs ?? (rows ? MAX_STATEMENT_MS : null);
    const answer = await on.ask({ run: { text, params, keep, scoped } }, limit);
    if (answer === null) throw new Error('The database thread sent no answer to a statement');
    return read(answer, options);
  }

  const ask = (on: Engine, command: 'listen' | 'unlisten', channel: string) =>
    run(on, { text: `${command} "${channel.replaceAll('"', '""')}"` });

  async function transact<T>(on: Engine, work: (tx: Transaction) => Promise<T>): Promise<T> {
    let state: 'unused' | 'open' | 'closed' = 'unused';
    const send = (statement: Parameters<typeof run>[1], options?: RowOptions) => {
      // The statement would run outside any transaction, and so without the caller's role.
      if (state === 'closed') return Promise.reject(new Error('Transaction is closed'));
      state = 'open';
      return run(on, { ...statement, scoped: true }, options);
    };
    const end = async (how: 'commit' | 'rollback') => {
      const before = state;
      state = 'closed';
      return before === 'unused' ? null : on.ask({ end: how }, MAX_STATEMENT_MS);
    };
    let result: T;
    try {
      result = await work({
        query: (text, params, options) => send({ text, params: params ?? [] }, options),
        single: (text, limitMs) => send({ text, limitMs }),
      });
    } catch (error) {
      // This may fail: an engine that is gone has rolled the transaction back already.
      await end('rollback').catch(() => null);
      throw error;
    }
    const ended = await end('commit');
    // As in postgres.js: a caller that swallowed a statement's error still learns that nothing was stored.
    if (ended?.undone) throw new Error('Transaction was rolled back because a statement had failed');
    return result;
  }

  const inTurn = (kind: keyof typeof turns): EmbeddedClient['urgent'] => ({
    query: (text, params, options) =>
      exclusively((on) => run(on, { text, params: params ?? [] }, options), kind),
    transaction: (work) => exclusively((on) => transact(on, work), kind),
  });
  return {
    ...inTurn('usual'),
    urgent: inTurn('urgent'),

    expectUrgent() {
      expected = true;
    },

    async listen(channel, listener) {
      await exclusively(async (on) => {
        await ask(on, 'listen', channel);
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
      });
      listener.onConnect?.();
      return () =>
        exclusively(async (on) => {
          const heard = listeners.get(channel);
          heard?.delete(listener);
          if (heard?.size !== 0) return;
          listeners.delete(channel);
          await ask(on, 'unlisten', channel);
        });
    },

    close() {
      closing ??= (async () => {
        const idle = await within(
          Promise.resolve(working).then(() => true),
          MAX_WAIT_TO_CLOSE_MS,
        );
        closed = true;
        // No start may still be under way: it would open the folder again.
        await attempt.catch(() => {});
        // Otherwise a statement is still running. To end the thread is as safe as a kill: what was committed stays.
        if (idle) await engine.ask('close', MAX_CLOSE_MS).catch(() => {});
        await engine.end();
      })();
      return closing;
    },
  };
}

/** @param why the error that ended the engine before: only this one tells of a full disk */
function unavailable(cause: Error, why: Error): Error {
  const message = `The database cannot be opened for now (${cause.message}). ${why.message}`;
  const full = /no space left|ENOSPC|disk full/i.test(message);
  return databaseError(full ? '53100' : '57P03', message, cause);
}
