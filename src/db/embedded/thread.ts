// Entry of the thread that holds the embedded database: opens it, then runs the statements it is sent, in order.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { vector } from '@electric-sql/pglite-pgvector';
import { type Answer, createStatements, EngineFailure, type Statement } from './statements.ts';

/** `folder`: null holds the database in memory; `snapshot`: the data to begin with, as `dumpDataDir` wrote it. */
export type Opening = { folder: string | null; snapshot: Blob | undefined };

export type Request = { run: Statement } | { end: 'commit' | 'rollback' } | 'close';

/** What an error says, as plain data; PostgreSQL's fields (`code`, `position`, `hint`, …) where there are any. */
export type Failure = { message: string } & Record<string, unknown>;

/** One `opened` first, then one `answer` or `failure` for each request, in order, with notifications in between. */
export type Report =
  /** the number of each type that has an array type, and of that array type */
  | { opened: [type: number, array: number][] }
  | { answer: Answer | null }
  /** `fatal`: the engine is of no more use */
  | { failure: Failure; fatal: boolean }
  | { channel: string; payload: string };

// PostgreSQL's own 128 MB of buffers are zeroed at every start, and never given back.
const SETTINGS = ['-c', 'shared_buffers=32MB'];
// those with an array type: what PGlite asks, too, for its own parsers
const ARRAY_TYPES = `select typelem::int, oid::int from pg_type where typcategory = 'A' and typelem <> 0`;

const port = parentPort;
if (!port) throw new Error('This is the entry of a thread.');
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

async function open({ folder, snapshot }: Opening): Promise<PGlite> {
  const client = await PGlite.create(folder ?? 'memory://', {
    extensions: { vector, btree_gist },
    startParams: [...PGlite.defaultStartParams, ...SETTINGS],
    ...(snapshot && { loadDataDir: snapshot }),
  });
  await client.exec(`set timezone to 'UTC'`);
  return client;
}

/** An error as it crosses threads: a clone of the object would lose PostgreSQL's fields. */
function plain(error: unknown): Failure {
  const { cause } = error as { cause?: unknown };
  const told = error instanceof EngineFailure ? cause : error;
  if (!(told instanceof Error)) return { message: String(told) };
  return { ...told, message: told.message || told.name };
}
