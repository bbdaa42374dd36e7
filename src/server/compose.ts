import { getRequestListener } from '@hono/node-server';
import { ensureOwner } from '../accounts/accounts.ts';
import { isLive } from '../accounts/keys.ts';
import { createKnownKeys } from '../accounts/known-keys.ts';
import type { Config } from '../base/config.ts';
import { lockFolder } from '../base/files/lock-folder.ts';
import { createLog, type Log } from '../base/log.ts';
import { startLoop } from '../base/timing/loop.ts';
import { asUser, type Claims, whenThere } from '../db/as-user.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { openReady } from '../db/rights.ts';
import { joinServers } from '../db/servers.ts';
import { askSystem, instanceId } from '../db/system.ts';
import { type Journal, openJournal } from '../hooks/journal.ts';
import { store as storeForHooks } from '../hooks/store.ts';
import { listensEverywhere } from '../http/addresses.ts';
import { certificateIn } from '../http/certificate.ts';
import { hostsOf } from '../http/known-host.ts';
import { createModels } from '../llm/choose.ts';
import { createRealtime } from '../realtime/endpoint.ts';
import { createPush } from '../realtime/push/push.ts';
import { endThread } from '../redaction/large.ts';
import { embedderOf } from '../search/database-model.ts';
import { type Embedder, startEmbedder } from '../search/embedding/embedder.ts';
import { createFinds } from '../search/finds.ts';
import { healIndex } from '../search/reindex.ts';
import { createDashboard } from '../sessions/dashboard.ts';
import { createApp } from './api/app.ts';
import { daily } from './backup/backup.ts';
import { ownerKey, prepareHome, serverSecret } from './home.ts';
import { hookListener } from './hook-listener.ts';
import { checkPort, listen, stopListening } from './listen.ts';
import { hearChanges, type Services, servicesOver } from './services.ts';
import { startBackground, startWorkers } from './workers.ts';

export type RunningServer = Awaited<ReturnType<typeof start>>;

type Options = {
  openDatabase?: () => Promise<Database>;
  /** an embedder that other servers use too: the caller ends it */
  embedder?: Embedder;
};

/** Where https listens: for others in the network. */
const EVERYWHERE = '0.0.0.0';
/** How often it is looked whether the daily copy is due. */
const LOOK_FOR_COPY_MS = 600_000;

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
  const { tlsPort } = config;
  await checkPort(config);
  if (tlsPort !== undefined) await checkPort({ host: EVERYWHERE, port: tlsPort });
  const removeHome = prepareHome(config.home);
  /** what ends the parts that were started, the last one first */
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        // the database may be away; the lock must be released all the same
        log.warn({ error }, 'a part of the server did not stop as it should');
      }
    }
  };
  try {
    return await start(config, options, { log, stop, ends: (step) => undo.push(step) });
  } catch (error) {
    await stop();
    removeHome();
    throw error;
  }
}

/** Starts the parts, each with `ends` for what ends it. */
async function start(
  config: Config,
  options: Options,
  { log, stop, ends }: { log: Log; stop(): Promise<void>; ends(step: () => unknown): void },
) {
  const lock = lockFolder(config.home, { url: `http://${config.host}:${config.port}` });
  ends(lock.release);
  const onRestart = (error: Error) => log.warn({ error }, 'the embedded database is started anew');
  const away = (reason: string) => log.warn({ reason }, 'the database is away for now: the server waits');
  const open = options.openDatabase ?? (() => openDatabase(config, { sync: config.sync, onRestart }));
  const db = await whenThere(() => openReady(open, config.migrateUrl ?? config.databaseUrl), away);
  ends(() => db.close());

  const { key, ...from } = ownerKey(config);
  const secret = serverSecret(config);
  const ownerId = await whenThere(() => ensureOwner(db, { key, ...from }), away);
  const owner: Claims = { userId: ownerId, role: 'owner' };
  const { servers, leave } = await whenThere(() => joinServers({ db, log, secret }), away);
  ends(leave);

  const onEvent = (message: string) => log.info({ message }, 'embedding');
  const { home, modelDir } = config;
  const own = options.embedder ?? startEmbedder({ home, modelDir, onEvent });
  if (!options.embedder) ends(() => own.close());
  const embedder = await embedderOf(db, own);
  const models = createModels(config, db, ownerId);

  // for nights that pg_cron begins
  await askSystem(db)`select lore.keep_raw_for(${config.retentionDays}::int)`;
  const background = startBackground(log);
  const inBackground = background.run;
  const finds = createFinds(db);
  // a request waits for no work that nobody waits for
  const behind = { ...db, drizzle: db.behind };
  const dashboard = createDashboard({ db: behind, inBackground });
  const push = createPush({ db: behind, log, config, inBackground });
  ends(endThread);
  ends(background.done);
  ends(dashboard.stop);
  ends(push.stop);
  // what a person decides anywhere is taken back from their devices
  ends(await db.listen('lore_verdicts', push.look));
  const { modelFor } = models;
  const workers = startWorkers({ db: behind, embedder, modelFor, log, dashboard, finds, config, ownerId });
  ends(workers.stop);

  let journal: Journal | null = null;
  if (config.journal) {
    journal = openJournal(
      { folder: config.home, database: await instanceId(db), sync: config.sync },
      (entries) => storeForHooks({ db, wake: workers.wake, config, dashboard, push }, entries),
      log,
    );
    ends(journal.close);
  }
  const copy = async () => {
    const folder = await daily({ config, db, journal }, new Date());
    if (folder !== null) log.info({ folder }, 'the daily copy was made');
    return false;
  };
  const isCopied = config.backup && db.copyTo !== null;
  const copies = isCopied
    ? startLoop({ name: 'daily copy', intervalMs: LOOK_FOR_COPY_MS, work: copy, log })
    : null;
  if (copies) ends(copies.stop);

  const services = servicesOver({
    ...{ db, log, servers, journal, dashboard, push, inBackground, embedder, models, finds },
    keys: createKnownKeys({ db, log, inBackground }),
    config: { ...config, secret },
    wake: workers.wake,
    failing: () => [...workers.failing(), ...(copies?.fails() ? ['daily copy'] : [])],
  });
  const heard = await hearChanges(services, ends);
  // what the owner's calls are answered stays the same if the database goes away later
  await services.settings.of(owner);

  const app = getRequestListener(createApp(services).fetch, { hostname: config.host });
  const listener = hookListener(services, app);
  const { server, port } = await listen(listener, config);
  ends(() => stopListening(server));
  const realtime = await startRealtime(config, services);
  ends(realtime.stop);
  // it ends with the database: a stop would wait for its turn there before it stops listening
  await db.listen('lore_keys', realtime.recheck, () => realtime.recheck());
  server.on('upgrade', realtime.upgrade);
  if (config.tlsPort !== undefined) {
    const at = { host: EVERYWHERE, port: config.tlsPort };
    const { server: secure } = await listen(listener, at, certificateIn(config.home));
    ends(() => stopListening(secure));
    secure.on('upgrade', realtime.upgrade);
  }

  // the index is mended behind the answers
  inBackground('heal the index', () => healIndex(behind, log).then(() => workers.wake('embed')));
  return {
    // whoever listens on all interfaces is found on this one too
    url: `http://${listensEverywhere(config.host) ? '127.0.0.1' : config.host}:${port}`,
    key,
    embedder,
    /** resolves when every event that was answered is in the database */
    stored: async () => journal?.drained(),
    /** resolves when all queued background work is done */
    async settled() {
      await journal?.drained();
      await background.done();
      await workers.settled();
      dashboard.flush();
      await heard();
      await background.done();
    },
    /** accepts no more requests, finishes those that were accepted, closes the database */
    stop,
  };
}

/** Lets live clients connect, with tokens of accounts and keys that are there. */
function startRealtime(config: Config, { db, log, tokens }: Services) {
  return createRealtime({
    db,
    log,
    isOurs: hostsOf(config),
    verify: tokens.verify,
    async settle(grant) {
      const { authId, email, keyId } = grant;
      if (authId !== null) {
        const account = await tokens.accountOf({ authId, email });
        return account && { ...grant, userId: account.userId };
      }
      const claims: Claims = { userId: grant.userId as string, role: 'member' };
      return (await asUser(db, claims, (tx) => isLive(tx, keyId), { readOnly: true })) ? grant : null;
    },
  });
}
