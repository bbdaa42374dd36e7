import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { hashKey, newKey } from './accounts/keys.ts';
import { createApp } from './api/app.ts';
import { surroundings } from './commands/check.ts';
import { createModelJudge } from './commands/judge-model.ts';
import { createVerdictMemory } from './commands/verdict-memory.ts';
import { warmUp } from './commands/warm-up.ts';
import type { Config } from './config.ts';
import { asUser } from './db/as-user.ts';
import { migrateDatabase } from './db/migrate.ts';
import { type Database, openDatabase } from './db/open.ts';
import { ensureOwner, usersWithIdleSessions } from './db/system.ts';
import { type Embedder, startEmbedder } from './embedding/embedder.ts';
import { settleSession } from './hooks/end.ts';
import { keep, store } from './hooks/handle.ts';
import { openJournal } from './hooks/journal.ts';
import { createKnownSessions } from './hooks/known-sessions.ts';
import { distilPending } from './learnings/distil.ts';
import { createGemini } from './llm/gemini.ts';
import { lockFolder } from './lock.ts';
import { createLog } from './log.ts';
import { type Loop, startLoop } from './loop.ts';
import { Problem } from './problem.ts';
import { createApplicabilityJudge } from './search/applicability.ts';
import { embedPending } from './search/embed-documents.ts';
import { healIndex } from './search/reindex.ts';
import type { Services } from './services.ts';
import { completeIdleSessions } from './sessions/sessions.ts';

/** A session without an event for this long is over. */
const IDLE_SESSION_MINUTES = 60;
/** A prompt is answered without a vector rather than late. */
const QUERY_EMBEDDING_LIMIT_MS = 1_500;

export type RunningServer = {
  url: string;
  key: string;
  embedder: Embedder;
  /** resolves when every event that was answered is in the database */
  stored(): Promise<void>;
  /** resolves when all queued background work is done */
  settled(): Promise<void>;
  /** takes no more requests, finishes what was accepted, closes the database */
  stop(): Promise<void>;
};

/**
 * Composes and starts a server: data folder, database, migrations, owner and key, workers, HTTP.
 *
 * @throws Problem that says what is wrong with folder, database, key or port; nothing is left behind then.
 */
export async function startServer(
  config: Config,
  options: {
    openDatabase?: () => Promise<Database>;
    onProgress?: Parameters<typeof startEmbedder>[0]['onProgress'];
  } = {},
): Promise<RunningServer> {
  // first what changes nothing
  await checkPort(config);
  const removeHome = prepareHome(config.home);
  const undo: (() => unknown)[] = [];
  try {
    const lock = lockFolder(config.home, { url: `http://${config.host}:${config.port}` });
    undo.push(() => lock.release());
    const db = await (options.openDatabase?.() ?? openDatabase(config));
    undo.push(() => db.close());
    await migrateDatabase(db, config.databaseUrl);
    const key = ownerKey(config);
    const ownerId = await ensureOwner(db, hashKey(key), 'first device');

    const { services, workers, background } = startServices(config, db, ownerId, options.onProgress);
    undo.push(() => services.embedder.close());
    undo.push(() => services.journal?.close());
    undo.push(() => Promise.all(workers.map((worker) => worker.stop())));

    const server = await listen(createApp(services).fetch, config);
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : config.port;
    services.inBackground('heal the index', () => healIndex(db).then(services.wakeEmbedding));
    services.inBackground('warm up', () => warmUp(surroundings('/', null)));
    return {
      url: `http://${config.host}:${port}`,
      key,
      embedder: services.embedder,
      stored: async () => services.journal?.drained(),
      async settled() {
        await services.journal?.drained();
        await Promise.all(background);
        for (const worker of workers) {
          worker.wake();
          await worker.idle();
        }
      },
      async stop() {
        // a client that keeps its connection and asks on would keep the server from ending
        server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
        const sweep = setInterval(() => server.closeIdleConnections(), 50);
        await new Promise<void>((resolve) => server.close(() => resolve()));
        clearInterval(sweep);
        await Promise.all(background);
        for (const step of undo.reverse()) await step();
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) await step();
    removeHome();
    throw error;
  }
}

/** Makes the data folder; gives what takes it away again, with all that is in it, if it was not there before. */
function prepareHome(home: string): () => void {
  try {
    const made = mkdirSync(home, { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
    // openDatabase would fail late and less clearly
    const probe = join(home, '.writable');
    writeFileSync(probe, '');
    rmSync(probe);
    return () => {
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
    };
  } catch (cause) {
    throw new Problem({
      status: 500,
      title: 'Data folder cannot be used',
      detail: `${home}: ${cause instanceof Error ? cause.message : cause}. Set LORE_HOME to a folder you may write to.`,
      cause,
    });
  }
}

/** The owner's key: LORE_KEY, else the one kept in the data folder, else a new one, kept there for this user alone. */
function ownerKey(config: Config): string {
  const file = join(config.home, 'key');
  if (config.key !== undefined) return config.key;
  if (existsSync(file)) {
    const key = readFileSync(file, 'utf8').trim();
    if (key.length >= 20) return key;
    throw new Problem({
      status: 500,
      title: 'Key file is damaged',
      detail: `${file} holds no key. Restore it, or delete it to get a new key (then run lore init again).`,
    });
  }
  const key = newKey();
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}

function startServices(
  config: Config,
  db: Database,
  ownerId: string,
  onProgress: Parameters<typeof startEmbedder>[0]['onProgress'],
) {
  const log = createLog(config.logLevel);
  const embedder = startEmbedder({
    home: config.home,
    ...(config.modelDir !== undefined && { modelDir: config.modelDir }),
    ...(config.modelHub !== undefined && { hubUrl: config.modelHub }),
    ...(onProgress && { onProgress }),
    onEvent: (message) => log.info({ message }, 'embedding'),
  });
  const ask = createGemini(config.gemini, db);
  const journal = config.journal
    ? openJournal({ folder: config.home, database: 'x' }, (entries) => store(services, entries), log)
    : null;
  const background = new Set<Promise<unknown>>();
  const services: Services = {
    config,
    db,
    log,
    journal,
    sessions: createKnownSessions(db),
    verdicts: createVerdictMemory(db, log),
    keepCheck: (claims, check, remember) =>
      keep(services, { claims, at: new Date().toISOString(), check, remember }),
    embedder,
    embedQuery: (text) => embedQuery(embedder, text),
    judgeByModel: createModelJudge(ask),
    judgeApplicability: createApplicabilityJudge(ask),
    wakeEmbedding: () => embedding.wake(),
    wakeDistilling: () => distilling.wake(),
    inBackground(name, work) {
      const running = work()
        .catch((error) => log.error({ name, error }, 'background work failed'))
        .finally(() => background.delete(running));
      background.add(running);
    },
  };
  const embedding = startLoop({
    name: 'embed',
    intervalMs: 5_000,
    work: () => embedPending(db, embedder, log),
    log,
  });
  const distilling = startLoop({
    name: 'distil',
    intervalMs: 5_000,
    work: () => distilPending({ db, embedder, ask, log, ownerId, wakeEmbedding: () => embedding.wake() }),
    log,
  });
  const idling = startLoop({
    name: 'idle sessions',
    intervalMs: 60_000,
    work: () => endIdle(db, distilling),
    log,
  });
  embedder.ready.then(() => {
    distilling.wake();
    embedding.wake();
  });
  const workers: Loop[] = [idling, distilling, embedding];
  return { services, workers, background };
}

async function embedQuery(embedder: Embedder, text: string): ReturnType<Services['embedQuery']> {
  const { state, model } = embedder.status();
  if (state !== 'ready' || model === null) return null;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), QUERY_EMBEDDING_LIMIT_MS);
  });
  try {
    const vectors = await Promise.race([embedder.embed([text], { priority: 'query' }), late]);
    const embedding = vectors?.[0];
    return embedding ? { embedding, model } : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function endIdle(db: Database, distilling: Loop): Promise<boolean> {
  for (const userId of await usersWithIdleSessions(db, IDLE_SESSION_MINUTES)) {
    const queued = await asUser(db, { userId, role: 'member' }, async (tx) => {
      let count = 0;
      for (const session of await completeIdleSessions(tx, IDLE_SESSION_MINUTES)) {
        count += await settleSession(tx, session, { event: 'idle', lastMessage: null });
      }
      return count;
    });
    if (queued > 0) distilling.wake();
  }
  return false;
}

function listen(fetch: Parameters<typeof serve>[0]['fetch'], config: Config): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: config.host, port: config.port }, () =>
      resolve(server as Server),
    );
    server.on('error', (error) => reject(portProblem(error, config)));
  });
}

/** Fails early when the port is taken: before anything is made or migrated. */
function checkPort(config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error) => reject(portProblem(error, config)));
    probe.listen(config.port, config.host, () => probe.close(() => resolve()));
  });
}

function portProblem(error: NodeJS.ErrnoException, config: Config): Error {
  const where = `${config.host}:${config.port}`;
  const details: Record<string, string> = {
    EADDRINUSE: `${where} is in use by another program, perhaps another Lore. Set LORE_PORT to a free port.`,
    EACCES: `You may not listen on ${where}. Set LORE_PORT to a port above 1023.`,
    EADDRNOTAVAIL: `${where} is not an address of this machine. Correct LORE_HOST.`,
  };
  const detail = details[error.code ?? ''];
  return detail === undefined
    ? error
    : new Problem({ status: 409, title: 'Port not available', detail, cause: error });
}
