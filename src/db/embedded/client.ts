import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { within } from '../../base/timing/within.ts';
import { MAX_STATEMENT_MS, type Query, type RowOptions, type Rows, type Transaction } from '../driver.ts';
import { type Engine, startLastingEngine } from './engine.ts';

/** Statements that read or write rows are kept prepared and have a time limit. The rest is maintenance, without one. */
const ROWS = /^\s*(?:select|insert|update|delete|with)\b/i;
/** Closing waits at most this long for the work under way. */
const MAX_WAIT_TO_CLOSE_MS = 2_000;

type Listener = { onNotify(payload: string): void; onConnect?: (() => void) | undefined };

type Run = (
  on: Engine,
  statement: { text: string; params?: unknown[]; scoped?: boolean; limitMs?: number },
  options?: RowOptions,
) => Promise<Rows>;

/**
 * Opens the embedded database in a thread of its own, so that this thread can answer whatever the database is doing.
 * Transactions run one at a time, in the order in which they were asked for, urgent ones first and work behind the answers
 * last. BEGIN is sent together with the first statement, so a transaction without statements never begins.
 *
 * The thread is ended when a statement exceeds its limit or the engine fails. It is then started again on the same
 * folder: PostgreSQL recovers everything that was committed, and waiting work goes on. If the database cannot be opened
 * again (a full disk), Lore tries every second; until then callers get an error of class 53 or 57 at once.
 *
 * @param options.sync waits at each commit until the disk has it; otherwise only a loss of power can take it back
 * @param options.onRestart called with the reason, each time the thread is started again
 * @throws the engine's error when the database cannot be opened
 */
export async function openEmbeddedClient(
  folder: string,
  { sync = false, onRestart }: { sync?: boolean; onRestart?: ((why: Error) => void) | undefined } = {},
) {
  const listeners = new Map<string, Set<Listener>>();
  const turns = createTurns();
  let closing: Promise<void> | undefined;
  // This thread needs only PGlite's parsers. They are loaded while the other thread starts.
  const [engine, { createRowReader }] = await Promise.all([
    startLastingEngine(
      {
        ...{ folder, sync },
        notify(channel, payload) {
          for (const { onNotify } of listeners.get(channel) ?? []) onNotify(payload);
        },
      },
      {
        async opened(again) {
          for (const channel of listeners.keys()) await hear(again, channel);
          for (const heard of listeners.values()) for (const { onConnect } of heard) onConnect?.();
        },
        gone: (why) => onRestart?.(why),
      },
    ),
    import('./rows.ts'),
  ]);
  const read = createRowReader(engine.arrays);

  /** Runs `work` when its turn comes. It then has the database to itself. */
  const exclusively = <T>(work: (on: Engine) => Promise<T>, kind: Kind = 'usual'): Promise<T> =>
    turns.take(async () => work(await engine.current()), kind);

  const run: Run = async (on, { text, params = [], scoped = false, limitMs }, options) => {
    const rows = ROWS.test(text);
    // Drizzle always passes options. A statement without them is not run a second time.
    const keep = rows && options !== undefined;
    const limit = limitMs ?? (rows ? MAX_STATEMENT_MS : null);
    const answer = await on.ask({ run: { text, params, keep, scoped } }, limit);
    if (answer === null) throw new Error('The database thread sent no answer to a statement');
    return read(answer, options);
  };

  const hear = (on: Engine, channel: string) =>
    run(on, { text: `listen "${channel.replaceAll('"', '""')}"` });

  const inTurn = (kind: Kind) => ({
    query: ((text, params, options) =>
      exclusively((on) => run(on, { text, params: params ?? [] }, options), kind)) as Query,
    transaction: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      exclusively((on) => transact(on, run, work), kind),
  });
  return {
    ...inTurn('usual'),
    /** the same, before or behind the others that wait */
    inTurn,

    async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
      await exclusively(async (on) => {
        await hear(on, channel);
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
      });
      listener.onConnect?.();
      // the database may go on to notify: nobody hears it
      return async () => void listeners.get(channel)?.delete(listener);
    },

    /**
     * Copies the database's files into a folder that is not there yet, while nothing else runs: the copy can be opened like
     * any other. Returns what `first` finds in the database at that moment.
     */
    copyTo: <T>(target: string, first: (query: Query) => Promise<T>): Promise<T> =>
      exclusively(async (on) => {
        const found = await first((text, params, options) =>
          run(on, { text, params: params ?? [] }, options),
        );
        await run(on, { text: 'checkpoint' });
        // a file system that can share blocks does so
        await cp(folder, target, {
          recursive: true,
          mode: constants.COPYFILE_FICLONE,
          errorOnExist: true,
          force: false,
        });
        return found;
      }),

    /** Waits 2 s at most for the work under way. What has not been committed by then is lost. */
    close(): Promise<void> {
      closing ??= within(
        turns.done().then(() => true),
        MAX_WAIT_TO_CLOSE_MS,
      ).then((idle) => engine.close(idle === true));
      return closing;
    },
  };
}

/** Runs `work` in a transaction, which begins with its first statement. */
async function transact<T>(on: Engine, run: Run, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let state: 'unused' | 'open' | 'closed' = 'unused';
  const send = (statement: Parameters<Run>[1], options?: RowOptions) => {
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
      enter(settings, readOnly) {
        const all = Object.entries({ ...settings, transaction_read_only: readOnly ? 'on' : 'off' });
        const calls = all.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`);
        return send({ text: `select ${calls}`, params: all.flat() }, {});
      },
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

/** `urgent`: an agent waits for it; `behind`: nobody does */
type Kind = 'urgent' | 'usual' | 'behind';

/** Returns what runs one work at a time, in the order of the kinds and then in that in which it was asked for. */
function createTurns() {
  const waiting: Record<Kind, (() => Promise<unknown>)[]> = { urgent: [], usual: [], behind: [] };
  /** resolves when no turn waits any more; undefined: none does */
  let working: Promise<void> | undefined;

  async function workOff() {
    for (let turn = next(); turn; turn = next()) await turn().catch(() => {});
    working = undefined;
  }
  const next = () => waiting.urgent.shift() ?? waiting.usual.shift() ?? waiting.behind.shift();

  return {
    take: <T>(work: () => Promise<T>, kind: Kind): Promise<T> =>
      new Promise((resolve, reject) => {
        waiting[kind].push(() => work().then(resolve, reject));
        working ??= workOff();
      }),
    /** Resolves when nothing waits and nothing runs any more. */
    done: async () => working,
  };
}
