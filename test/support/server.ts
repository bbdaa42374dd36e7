import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, inject } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { CONNECTIONS, type Database, openDatabase, query } from '../../src/db/open.ts';
import { type Embedder, startEmbedder } from '../../src/search/embedding/embedder.ts';
import { type RunningServer, startServer } from '../../src/server/compose.ts';
import { asking } from './asking.ts';
import { fastFolder } from './fast-folder.ts';
import { databaseUrl } from './global-setup.ts';
import { clientFolder, LASTING, lasting, temporaryFolder } from './left-behind.ts';
import { noEmbedder } from './no-embedder.ts';

// Tests use a real server on a free loopback port. Most files share it with all others (`sharedServer`). A file that
// needs other settings, the owner, or a database to itself starts its own (`startTestServer`). Within a file, each test
// creates its own tenant with `member()`, so tests do not see each other's rows.

type Answer<T> = { status: number; headers: Headers; body: T };
type Any = any;

export type TestServer = RunningServer & {
  home: string;
  db: Database;
  /** sends a request with the server's `key`, with another key, or without one (null) */
  request<T = Any>(
    method: string,
    path: string,
    options?: { key?: string | null; body?: unknown },
  ): Promise<Answer<T>>;
  /** posts a hook event and returns the answer's body; fails unless the status is 200 */
  hook(event: Record<string, unknown>, key?: string): Promise<Any>;
  /** creates a tenant; `ask` sends requests with its key, or with another one */
  member(name?: string): Promise<Member>;
  /** returns rows without row level security, to check what is really stored */
  rows<T extends Record<string, unknown> = Any>(statement: string): Promise<T[]>;
};

type Member = {
  key: string;
  userId: string;
  ask(method: string, path: string, body?: unknown, as?: string): Promise<Answer<Any>>;
  /** makes another key of theirs */
  keyOf(scope: 'hooks' | 'device', project?: string): Promise<string>;
};

/**
 * A database on the engine under test. `url` is that of PostgreSQL. `home` is a data folder for a server; the embedded
 * database is in it.
 */
type TestDatabase = { open: () => Promise<Database>; url: string | undefined; home: string };

/**
 * Creates a separate, migrated database for a test file or a test.
 *
 * @param folder where its data folder is put, if not into one that is removed after the file
 * @param connections most connections of a server to PostgreSQL
 */
export async function testDatabase(
  folder = temporaryFolder(fastFolder),
  connections = CONNECTIONS,
): Promise<TestDatabase> {
  // one folder further down, so that a test may put something beside it
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const base = process.env.TEST_DATABASE_URL;
  if (!base) {
    copyFolder(inject('snapshot'), join(home, 'pgdata'));
    return { open: () => openDatabase({ home, databaseUrl: undefined }), url: undefined, home };
  }
  const url = await createDatabase(base, inject('template'));
  return { open: () => openDatabase({ home, databaseUrl: url }, { connections }), url, home };
}

/** Creates a database of PostgreSQL, which goes with those of this run. */
async function createDatabase(base: string, template = ''): Promise<string> {
  const name = `${inject('template')}_${Math.random().toString(36).slice(2, 10)}`;
  const admin = postgres(base, { max: 1, onnotice: () => {} });
  // One copy at a time, because nobody else may use the template during CREATE DATABASE.
  await admin`select pg_advisory_lock(5673002)`;
  await admin.unsafe(`create database ${name} ${template && `template ${template}`}`);
  await admin.end();
  return databaseUrl(base, name);
}

/** Returns the URL of a new, empty PostgreSQL database, dropped with the template; undefined on PGlite. */
export async function emptyDatabase(): Promise<string | undefined> {
  const base = process.env.TEST_DATABASE_URL;
  return base && createDatabase(base);
}

/** Returns a data folder with an empty embedded database, as it is made at a first start. */
export function emptyHome(): string {
  // one folder further down, so that a test may put something beside it
  const home = join(temporaryFolder(fastFolder), 'home');
  mkdirSync(home, { mode: 0o700 });
  copyFolder(inject('emptySnapshot'), join(home, 'pgdata'));
  return home;
}

const copyFolder = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

/** The embedding process of all servers of this test process, which it ends with. */
let shared: Embedder | undefined;

/**
 * Batches do not wait for a query here. Otherwise they would wait for a second at each end of a turn, for a
 * prompt that the test sends only when everything is settled, or that belongs to the test of another server. Vectors are
 * remembered for all tenants together, because the tests of a file say the same for one tenant after the other.
 */
async function sharedEmbedder(): Promise<Embedder> {
  if (shared === undefined) {
    const embedder = startEmbedder({ home: LASTING, modelDir: inject('modelDir') });
    shared = {
      ...embedder,
      embed: (texts, options) => embedder.embed(texts, { ...options, userId: 'everybody' }),
    };
  }
  await shared.ready;
  return shared;
}

/**
 * Starts a server for a test file, which is stopped after it. `env` overrides configuration variables (for example
 * GEMINI_API_KEY). All servers share one embedding process; with LORE_MODEL_DIR a server has one of its own, and none
 * if it is ''. Its `key` is the owner's.
 */
export async function startTestServer(env: Record<string, string> = {}): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'lore-home-'));
  const server = await start(home, await testDatabase(), env);
  afterAll(async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });
  return server;
}

/**
 * Returns a function that starts a server on one and the same database of PostgreSQL, with a data folder of its own. They
 * have the same secret and key, unless `env` says otherwise. Whoever starts one stops it.
 */
export async function serversOnOne(): Promise<(env?: Record<string, string>) => Promise<TestServer>> {
  const database = await testDatabase(undefined, { usual: 3, urgent: 2 });
  const shared = { LORE_SECRET: randomUUID(), LORE_KEY: randomUUID() };
  return (env = {}) => start(temporaryFolder(), database, { ...shared, ...env });
}

/** The servers that last as long as this process, with a model and without. */
const lastingServers = new Map<boolean, Promise<TestServer>>();

/**
 * Returns the server of this test process, which its files use one after the other: to start one takes two seconds of
 * the processor. A file needs one of its own if it counts the rows of all people, changes tables or settings, states
 * knowledge for the owner, attaches projects, or stops
 * the server.
 *
 * @param options.model false: one without an embedding model, for tests that need no meanings
 * @param options.owner whether its `key` is the owner's, for whom alone the server reads files of this machine. What
 *   other files have stored for the owner is still there, so each file uses folders of its own. Otherwise the key is
 *   that of a new person.
 */
export async function sharedServer({ model = true, owner = false } = {}): Promise<TestServer> {
  let lastingServer = lastingServers.get(model);
  if (lastingServer === undefined) {
    lastingServer = lasting(async () => {
      const { folder, fast } = inject('lasting');
      // PostgreSQL has a hundred connections, and these servers stay to the end
      const connections = { usual: 3, urgent: 2 };
      const database = await testDatabase(mkdtempSync(join(fast, 'database-')), connections);
      return start(mkdtempSync(join(folder, 'server-')), database, model ? {} : { LORE_MODEL_DIR: '' });
    });
    lastingServers.set(model, lastingServer);
  }
  const server = await lastingServer;
  const stop = () => Promise.reject(new Error('other files use this server too'));
  // a file that ran before this one may have had an “ann” too
  const member = (name = 'member') => server.member(`${name} ${randomUUID()}`);
  if (owner) return { ...server, member, stop };
  const { key } = await member();
  return {
    ...server,
    member,
    key,
    request: (method, path, options = {}) =>
      server.request(method, path, { ...options, key: options.key === undefined ? key : options.key }),
    hook: (event, as = key) => server.hook(event, as),
    stop,
  };
}

async function start(home: string, database: TestDatabase, env: Record<string, string>): Promise<TestServer> {
  const withoutModel = env.LORE_MODEL_DIR === '';
  let db: Database | undefined;
  const config = readConfig({
    LORE_HOME: home,
    LORE_PORT: '0',
    LORE_LOG_LEVEL: 'silent',
    // whoever runs the tests may be an agent
    LORE_CHECK_SENDER: 'off',
    CLAUDE_CONFIG_DIR: clientFolder(),
    ...(database.url && { DATABASE_URL: database.url }),
    ...env,
  });
  const server = await startServer(config, {
    openDatabase: async () => {
      db = await database.open();
      return db;
    },
    ...(!env.LORE_MODEL_DIR && { embedder: withoutModel ? noEmbedder('not here') : await sharedEmbedder() }),
  });
  await server.embedder.ready;

  const request: TestServer['request'] = async (method, path, options = {}) => {
    const key = options.key === undefined ? server.key : options.key;
    return asking(server.url, key)(method, path, options.body);
  };

  const settled = async (tries = 3): Promise<void> => {
    await server.settled();
    if (!env.GEMINI_API_KEY && !env.LORE_MODEL_URL && tries > 0 && (await tryAgain(db)))
      await settled(tries - 1);
  };
  return {
    ...server,
    settled: () => settled(),
    home,
    db: db as unknown as Database,
    request,
    async hook(event, key) {
      const answer = await request('POST', '/v1/hooks', { body: event, ...(key !== undefined && { key }) });
      if (answer.status !== 200) throw new Error(`hook: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    async member(name = `member ${randomUUID()}`) {
      const answer = await request('POST', '/v1/users', { body: { name } });
      if (answer.status !== 201) throw new Error(`member: ${answer.status} ${JSON.stringify(answer.body)}`);
      const ask: Member['ask'] = (method, path, body, key = answer.body.key) =>
        request(method, path, { key, body });
      const keyOf: Member['keyOf'] = async (scope, project) =>
        (await ask('POST', '/v1/keys', { name: scope, scope, ...(project && { project }) })).body.key;
      return { ...answer.body, ask, keyOf };
    },
    async rows(statement) {
      await server.stored();
      return query((db as unknown as Database).drizzle, sql.raw(statement));
    },
  };
}

/**
 * Makes queued work due that failed, and says why it did. A busy PostgreSQL ends one of two transactions that wait for each
 * other; work is tried again minutes later, which no test waits for. Returns whether there was any.
 */
async function tryAgain(db: Database | undefined): Promise<boolean> {
  const again = (table: string, open: string) =>
    query<{ error: string }>(
      (db as Database).drizzle,
      sql.raw(`update ${table} set run_after = now() where ${open} and run_after > now() and error ~* 'deadlock|serializ|timeout|connection'
               returning error`),
    );
  const failed = [
    ...(await again('learning_requests', "status = 'pending'")),
    ...(await again('episode_cuts', 'true')),
  ];
  for (const { error } of failed) console.error(`queued work failed, and is tried again: ${error}`);
  return failed.length > 0;
}
