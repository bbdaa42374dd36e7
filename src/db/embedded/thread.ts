// Entry point of the thread that holds the embedded database. It opens the database, then runs the statements that it
// is sent, in order.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { vector } from '@electric-sql/pglite-pgvector';
import { type Answer, createStatements, EngineFailure, type Statement } from './prepared-statements.ts';
import { SyncedFiles } from './synced-files.ts';

/**
 * `sync`: a commit waits until the disk has it. `wasm`: PGlite's code.
 */
export type Opening = { folder: string; sync: boolean; wasm: WebAssembly.Module };

export type Request = { run: Statement } | { end: 'commit' | 'rollback' } | 'close';

/** An error as plain data, with PostgreSQL's fields (`code`, `position`, `hint`, …) if it has them. */
export type Failure = { message: string } & Record<string, unknown>;

/** First one `opened`, then one `answer` or `failure` per request, in order. Notifications may come in between. */
export type Report =
  /** pairs of type numbers: a type and its array type */
  | { opened: [type: number, array: number][] }
  | { answer: Answer | null }
  /** `fatal`: the engine can no longer be used */
  | { failure: Failure; fatal: boolean }
  | { channel: string; payload: string };

// PostgreSQL's default is 128 MB. All of it is zeroed at every start and never returned to the system.
const SETTINGS = ['-c', 'shared_buffers=32MB'];
// The types that have an array type. PGlite runs the same query for its own parsers.
const ARRAY_TYPES = `select typelem::int, oid::int from pg_type where typcategory = 'A' and typelem <> 0`;

const port = parentPort;
if (!port) throw new Error('This file must run as a worker thread');
const report = (what: Report) => port.postMessage(what);

try {
  const client = await open(workerData);
  const statements = createStatements(client);
  client.onNotification((channel, payload) => report({ channel, payload }));
  const { rows } = await client.query<[number, number]>(ARRAY_TYPES, [], { rowMode: 'array' });
  let last: Promise<void> = Promise.resolve();
  port.on('message', (request: Request) => {
    last = last.then(() => handle(request));
  });
  report({ opened: rows as [number, number][] });

  async function handle(request: Request): Promise<void> {
    try {
      if (request === 'close') {
        await client.close();
        report({ answer: null });
      } else {
        report({
          answer: await ('run' in request ? statements.run(request.run) : statements.end(request.end)),
        });
      }
    } catch (error) {
      report({ failure: plain(error), fatal: error instanceof EngineFailure });
    }
  }
} catch (error) {
  report({ failure: plain(error), fatal: true });
}

async function open({ folder, sync, wasm }: Opening): Promise<PGlite> {
  const defaults = PGlite.defaultStartParams;
  const client = await PGlite.create({
    ...(sync ? { fs: new SyncedFiles(folder) } : { dataDir: folder }),
    extensions: { vector, btree_gist },
    pgliteWasmModule: wasm,
    // -F is `fsync = off`. With fdatasync, the default method, Emscripten does nothing.
    startParams: sync
      ? [...defaults.filter((param) => param !== '-F'), ...SETTINGS, '-c', 'wal_sync_method=fsync']
      : [...defaults, ...SETTINGS],
  });
  await client.exec(`set timezone to 'UTC'`);
  return client;
}

/** Returns an error as plain data for the other thread. A clone of the error would lose PostgreSQL's fields. */
function plain(error: unknown): Failure {
  const { cause } = error as { cause?: unknown };
  const told = error instanceof EngineFailure ? cause : error;
  if (typeof told !== 'object' || told === null) return { message: String(told) };
  // an error of Emscripten's file system is no Error, and has a number only
  const { message, name, errno } = told as { message?: string; name?: string; errno?: number };
  return { ...told, message: message || `${name}${errno === undefined ? '' : ` ${errno}`}` };
}
