import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ensureOwner } from '../accounts/accounts.ts';
import { createTokens, tokenSecret } from '../accounts/tokens.ts';
import type { createApp } from '../api/app.ts';
import { daily } from '../backup/backup.ts';
import { createModelJudge } from '../commands/judge-model.ts';
import type { Config } from '../config.ts';
import { asUser } from '../db/as-user.ts';
import { findLoss, noteRows } from '../db/damage.ts';
import { migrateDatabase } from '../db/migrate.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { describeWay } from '../db/pooler.ts';
import { checkRights } from '../db/rights.ts';
import { joinServers, type Servers } from '../db/servers.ts';
import { askSystem, instanceId } from '../db/system.ts';
import { embedQuery } from '../embedding/embed-query.ts';
import { type Embedder, startEmbedder } from '../embedding/embedder.ts';
import { lockFolder } from '../files/lock-folder.ts';
import { placeIn } from '../files/place-in.ts';
import { createDeliveries } from '../hooks/delivery.ts';
import { keepVerdict, store as storeForHooks } from '../hooks/handle.ts';
import { type Journal, openJournal } from '../hooks/journal.ts';
import { createKnownSessions, SESSIONS } from '../hooks/known-sessions.ts';
import { createPermissions } from '../hooks/permissions.ts';
import type { HookServices } from '../hooks/types.ts';
import { createRefusals } from '../hooks/unchecked.ts';
import { createVoices } from '../hooks/voices.ts';
import { listensEverywhere } from '../http/addresses.ts';
import { createModels, type Models as LanguageModels, type ModelStatus } from '../llm/choose.ts';
import { createLog, type Log } from '../log.ts';
import { createPush, type Push } from '../push/push.ts';
import { type DatabaseEmbedder, embedderOf } from '../search/database-model.ts';
import { createFinds, type Finds } from '../search/finds.ts';
import { healIndex } from '../search/reindex.ts';
import { createDashboard, type Dashboard } from '../sessions/dashboard.ts';
import { joinStrays } from '../sessions/join-projects.ts';
import { type Loop, startLoop } from '../timing/loop.ts';
import { answerLiveClients, answerRequests } from './answer.ts';
import { ownerKey, prepareHome, serverSecret } from './home.ts';
import { checkPort } from './listen.ts';
import { type Memories, startMemories } from './memories.ts';
import { createUndo, type Undo } from './undo.ts';
import { startBackground, startWorkers, type Workers } from './workers.ts';

export type RunningServer = {
  url: string;
  key: string;
  embedder: Embedder;
  /** what writes the owner's lessons */
  model(): Promise<ModelStatus>;
  /** resolves when every event that was answered is in the database */
  stored(): Promise<void>;
  /** resolves when all queued background work is done */
  settled(): Promise<void>;
  /** accepts no more requests, finishes those that were accepted, closes the database */
  stop(): Promise<void>;
};

type Options = {
  openDatabase?: () => Promise<Database>;
  /** an embedder that other servers use too: the caller ends it */
  embedder?: Embedder;
};

/** What every step of a start needs. */
type Start = { config: Config; options: Options; log: Log; undo: Undo };

/** All services that requests need, in one object. */
type Services = Parameters<typeof createApp>[0];

/**
 * Starts a server with all its parts: data folder, database, migrations, owner and key, workers, HTTP. Returns it when
 * it answers requests.
 *
 * @throws Problem that says what is wrong with the folder, the database, the key or the port; what was started or
 *   created until then is undone
 */
export async function startServer(config: Config, options: Options = {}): Promise<RunningServer> {
  const log = createLog(config.logLevel);
  // This comes first, because it changes nothing.
  await checkPort(config);
  const removeHome = prepareHome(config.home, log);
  const undo = createUndo(log);
  const start = { config, options, log, undo };
  try {
    takeFolder(start);
    const { db, loss } = await openMigrated(start);
    const owner = await findOwner(start, db);
    await joinOwnStrays(start, db, owner);
    const { servers, leave } = await joinServers({ db, log, secret: owner.secret });
    undo.add(leave);
    const models = await startModels(start, db, owner.id);
    const work = await startWork(start, { db, ownerId: owner.id, ...models });
    const journal = await openJournalOf(start, { db, ...work });
    const inBackground = work.background.run;
    const memories = await startMemories({ db, log, undo, inBackground, ...work });
    const copies = startDailyCopies(start, { db, journal });
    const services = servicesOf(start, {
      db,
      loss,
      owner,
      servers,
      ...models,
      ...work,
      journal,
      memories,
      copies,
    });
    undo.add(await listenForSessions(start, services));
    // what the owner's calls are answered stays the same if the database goes away later
    await services.permissions.of({ userId: owner.id, role: 'owner' });
    const { server: listening, port } = await answerRequests(start, services);
    await answerLiveClients(start, services, listening);
    // the index is mended behind the answers
    services.inBackground('heal the index', () =>
      healIndex(services.db, log).then(() => services.wake('embed')),
    );
    return {
      // whoever listens on all interfaces is found on this one too
      url: `http://${listensEverywhere(config.host) ? '127.0.0.1' : config.host}:${port}`,
      key: owner.key,
      embedder: models.embedder,
      model: () => models.models.status({ userId: owner.id, role: 'owner' }),
      stored: async () => journal?.drained(),
      async settled() {
        await journal?.drained();
        await work.background.done();
        await work.workers.settled();
        work.dashboard.flush();
        await memories.heard();
        await work.background.done();
      },
      stop: undo.all,
    };
  } catch (error) {
    await undo.all();
    removeHome();
    throw error;
  }
}

/** Keeps other servers out of the data folder. */
function takeFolder({ config, undo }: Start): void {
  const lock = lockFolder(config.home, { url: `http://${config.host}:${config.port}` });
  undo.add(() => lock.release());
}

/** `loss`: what the database lost while no server ran */
type Opened = { db: Database; loss: string | null };

async function openMigrated({ config, options, log, undo }: Start): Promise<Opened> {
  const onRestart = (error: Error) => log.warn({ error }, 'the embedded database is started anew');
  const db = await (options.openDatabase?.() ?? openDatabase(config, { sync: config.sync, onRestart }));
  undo.add(() => db.close());
  const way = describeWay(db.way);
  if (way !== null)
    log[db.way.hears ? 'info' : 'warn']({ way }, 'DATABASE_URL leads through a transaction pooler');
  // a database of another version has other tables, and one that is new has none
  const loss = await findLoss(db, config.home, log).catch(() => null);
  await migrateDatabase(db, config.migrateUrl ?? config.databaseUrl, {
    onWait: (holder) =>
      log.warn({ holder }, 'the start waits for a connection that may be migrating the database'),
  });
  await checkRights(db);
  undo.add(() =>
    noteRows(db, config.home).catch((error) => log.warn({ error }, 'the rows could not be counted')),
  );
  return { db, loss };
}

/** `secret` keys the codes of verdicts, `jwtSecret` signs access tokens */
type Owner = { id: string; key: string; secret: string; jwtSecret: string };

/** Finds, or makes, the owner's account and key, and the secrets of the server. */
async function findOwner({ config }: Start, db: Database): Promise<Owner> {
  const owner = ownerKey(config);
  const secret = serverSecret(config);
  const secrets = { secret, jwtSecret: tokenSecret(config, secret) };
  return { id: await ensureOwner(db, owner), key: owner.key, ...secrets };
}

/** Joins the owner's projects that are one, as the folders on this machine tell: hooks there were refused. */
async function joinOwnStrays({ log }: Start, db: Database, owner: Owner): Promise<void> {
  const claims = { userId: owner.id, role: 'owner' as const };
  for (const { from, into } of await asUser(db, claims, (tx) => joinStrays(tx, placeIn)))
    log.warn({ from, into }, 'a project that was named by its folder was joined to that of its remote');
}

type Models = { embedder: DatabaseEmbedder; models: LanguageModels };

async function startModels(
  { config, options, log, undo }: Start,
  db: Database,
  ownerId: string,
): Promise<Models> {
  const own = options.embedder ?? startConfiguredEmbedder(config, log);
  if (!options.embedder) undo.add(() => own.close());
  return { embedder: await embedderOf(db, own), models: createModels(config, db, ownerId) };
}

type Work = {
  background: ReturnType<typeof startBackground>;
  workers: Workers;
  dashboard: Dashboard;
  push: Push;
  finds: Finds;
};

/** Starts what is done behind the answers. */
async function startWork(
  { config, log, undo }: Start,
  parts: { db: Database; ownerId: string } & Models,
): Promise<Work> {
  const { db } = parts;
  // for nights that pg_cron begins
  await askSystem(db, sql`select lore.keep_raw_for(${config.retentionDays}::int)`);
  const finds = createFinds(db);
  const background = startBackground(log);
  const dashboard = createDashboard({ db, inBackground: background.run });
  const push = createPush({ db, log, config, inBackground: background.run });
  undo.add(() => background.done());
  undo.add(() => dashboard.stop());
  undo.add(() => push.stop());
  // what a person decides anywhere is taken back from their devices
  undo.add(await db.listen('lore_verdicts', push.look));
  const workers = startWorkers({ ...parts, modelFor: parts.models.modelFor, log, dashboard, finds, config });
  undo.add(() => workers.stop());
  return { background, workers, dashboard, push, finds };
}

/** Opens the journal, which stores what an earlier process left in it; null if it is turned off. */
async function openJournalOf(
  { config, log, undo }: Start,
  { db, workers, dashboard, push }: { db: Database } & Work,
): Promise<Journal | null> {
  if (!config.journal) return null;
  const journal = openJournal(
    { folder: config.home, database: await instanceId(db), sync: config.sync },
    (entries) => storeForHooks({ db, wake: workers.wake, config, dashboard, push }, entries),
    log,
  );
  undo.add(() => journal.close());
  return journal;
}

function servicesOf(
  { config, log }: Start,
  parts: Opened & {
    owner: Owner;
    servers: Servers;
    journal: Journal | null;
    memories: Memories;
    copies: Loop | null;
  } & Models &
    Work,
): Services {
  const {
    db,
    owner,
    servers,
    embedder,
    models,
    background,
    workers,
    dashboard,
    push,
    finds,
    journal,
    memories,
    copies,
  } = parts;
  const hookServices: HookServices = {
    config,
    secret: owner.secret,
    db,
    log,
    journal,
    servers,
    sessions: createKnownSessions({
      db,
      holdout: config.holdout,
      servers,
      log,
      inBackground: background.run,
      left: journal?.drained(),
    }),
    voices: createVoices(db),
    permissions: createPermissions(db),
    deliveries: createDeliveries(),
    refusals: createRefusals(),
    callLessons: memories.callLessons,
    guards: memories.guards,
    plans: memories.plans,
    modelFor: models.modelFor,
    dashboard,
    push,
    verdicts: memories.verdicts,
    embedQuery: (claims, text) => embedQuery(embedder, claims.userId, text),
    expectQuery: embedder.expectQuery,
    judgeByModel: createModelJudge(models.fast, log),
    wake: workers.wake,
    inBackground: background.run,
  };
  return {
    ...hookServices,
    config,
    loss: parts.loss,
    jwtSecret: owner.jwtSecret,
    tokens: createTokens({ db, config, jwtSecret: owner.jwtSecret }),
    embedder,
    models,
    keys: memories.keys,
    keepCheck: (claims, check, remember) =>
      keepVerdict(hookServices, {
        id: randomUUID(),
        claims,
        at: new Date().toISOString(),
        check,
        remember,
      }),
    finds,
    wake: workers.wake,
    workerStates: () => [
      ...workers.states(),
      ...(copies === null ? [] : [{ name: 'daily copy', ...copies.state() }]),
    ],
  };
}

/** Listens for what other servers say of the sessions that they read. Returns a function that stops it. */
function listenForSessions({ log }: Start, { db, sessions }: Services): Promise<() => Promise<void>> {
  const look = () =>
    sessions.lookForOthers().catch((error) => {
      log.warn({ error }, 'it is not known which sessions other servers read');
    });
  return db.listen(SESSIONS, sessions.hear, look);
}

/** How often it is looked whether the daily copy is due. */
const LOOK_FOR_COPY_MS = 600_000;

/** Makes a copy of an embedded database each day, and keeps the last three. Null if this server makes none. */
function startDailyCopies(
  { config, log, undo }: Start,
  { db, journal }: { db: Database; journal: Journal | null },
): Loop | null {
  if (!config.backup || db.copyTo === null) return null;
  const work = async () => {
    const folder = await daily({ config, db, journal }, new Date());
    if (folder !== null) log.info({ folder }, 'the daily copy was made');
    return false;
  };
  const loop = startLoop({ name: 'daily copy', intervalMs: LOOK_FOR_COPY_MS, work, log });
  undo.add(() => loop.stop());
  return loop;
}

function startConfiguredEmbedder(config: Config, log: Log): Embedder {
  return startEmbedder({
    home: config.home,
    modelDir: config.modelDir,
    hubUrl: config.modelHub,
    name: config.embeddingModel,
    onEvent: (message) => log.info({ message }, 'embedding'),
  });
}
