import { randomUUID } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import { sql } from 'drizzle-orm';
import { createVerifier } from '../accounts/access-tokens.ts';
import { ensureOwner } from '../accounts/accounts.ts';
import { isLive } from '../accounts/keys.ts';
import { createKnownKeys } from '../accounts/known-keys.ts';
import { listensEverywhere } from '../addresses.ts';
import { createApp } from '../api/app.ts';
import { createModelJudge } from '../commands/judge-model.ts';
import { createVerdictMemory } from '../commands/verdict-memory.ts';
import type { Config } from '../config.ts';
import { asUser } from '../db/as-user.ts';
import { migrateDatabase } from '../db/migrate.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { askSystem, instanceId } from '../db/system.ts';
import { embedQuery } from '../embedding/embed-query.ts';
import { type Embedder, type EmbedderOptions, startEmbedder } from '../embedding/embedder.ts';
import { keepVerdict, store as storeForHooks } from '../hooks/handle.ts';
import { openJournal } from '../hooks/journal.ts';
import { createKnownSessions } from '../hooks/known-sessions.ts';
import type { HookServices } from '../hooks/types.ts';
import { createCallMemory } from '../learnings/call-lessons.ts';
import { createGemini } from '../llm/gemini.ts';
import { createLog, type Log } from '../log.ts';
import { createPlanMemory } from '../plans/plan-memory.ts';
import { createRealtime } from '../realtime/endpoint.ts';
import { createApplicabilityJudge } from '../search/applicability.ts';
import { createFinds } from '../search/finds.ts';
import { healIndex } from '../search/reindex.ts';
import { createDashboard } from '../sessions/dashboard.ts';
import { jwtSecret, ownerKey, prepareHome, serverSecret } from './home.ts';
import { hookListener } from './hook-listener.ts';
import { checkPort, listen, stopListening } from './listen.ts';
import { lockFolder } from './lock.ts';
import { warmUp } from './warm-up.ts';
import { startBackground, startWorkers } from './workers.ts';

export type RunningServer = {
  url: string;
  key: string;
  embedder: Embedder;
  /** resolves when every event that was answered is in the database */
  stored(): Promise<void>;
  /** resolves when all queued background work is done */
  settled(): Promise<void>;
  /** accepts no more requests, finishes those that were accepted, closes the database */
  stop(): Promise<void>;
};

/**
 * Starts a server with all its parts: data folder, database, migrations, owner and key, workers, HTTP. Returns it when
 * it answers requests.
 *
 * @throws Problem that says what is wrong with the folder, the database, the key or the port; what was started or
 *   created until then is undone
 */
export async function startServer(
  config: Config,
  options: {
    openDatabase?: () => Promise<Database>;
    /** an embedder that other servers use too: the caller ends it */
    embedder?: Embedder;
    onProgress?: EmbedderOptions['onProgress'];
    /** run the work of hooks once behind the start, so that the first ones are fast: costs about two seconds */
    warmUp?: boolean;
  } = {},
): Promise<RunningServer> {
  const log = createLog(config.logLevel);
  // This comes first, because it changes nothing.
  await checkPort(config);
  const removeHome = prepareHome(config.home, log);
  /** ends each part; in the order in which the parts were started */
  const undo: (() => unknown)[] = [];
  const undoAll = async () => {
    for (const step of undo.reverse()) {
      try {
        await step();
      } catch (error) {
        // the database may be away; the lock must be released all the same
        log.warn({ error }, 'a part of the server did not stop as it should');
      }
    }
  };
  try {
    const lock = lockFolder(config.home, { url: `http://${config.host}:${config.port}` });
    undo.push(() => lock.release());
    const onRestart = (error: Error) => log.warn({ error }, 'the embedded database is started anew');
    const db = await (options.openDatabase?.() ?? openDatabase(config, { sync: config.sync, onRestart }));
    undo.push(() => db.close());
    await migrateDatabase(db, config.databaseUrl, {
      onWait: (holder) =>
        log.warn({ holder }, 'the start waits for a connection that may be migrating the database'),
    });
    const owner = ownerKey(config);
    const { key } = owner;
    const secret = serverSecret(config);
    const signing = jwtSecret(config);
    const ownerId = await ensureOwner(db, owner);

    const embedder = options.embedder ?? startConfiguredEmbedder(config, log, options.onProgress);
    if (!options.embedder) undo.push(() => embedder.close());
    const ask = createGemini(config.gemini, db);
    // for nights that pg_cron begins
    await askSystem(db, sql`select lore.keep_raw_for(${config.retentionDays}::int)`);
    const finds = createFinds(db);
    const background = startBackground(log);
    const dashboard = createDashboard({ db, inBackground: background.run });
    undo.push(() => background.done());
    undo.push(() => dashboard.stop());
    const workers = startWorkers({ db, embedder, ask, log, ownerId, dashboard, finds, config });
    undo.push(() => workers.stop());
    const journal = config.journal
      ? openJournal(
          { folder: config.home, database: await instanceId(db), sync: config.sync },
          (entries) => storeForHooks({ db, wake: workers.wake, config, dashboard }, entries),
          log,
        )
      : null;
    undo.push(() => journal?.close());
    const hear: Database['listen'] = async (...about) => {
      const unlisten = await db.listen(...about);
      undo.push(unlisten);
      return unlisten;
    };
    const verdicts = createVerdictMemory(db, log);
    await hear('lore_verdicts', verdicts.refresh, verdicts.refresh);
    const keys = createKnownKeys({ db, log, inBackground: background.run });
    await hear('lore_keys', keys.forget, () => keys.forget());
    await hear('lore_consolidation', () => workers.wake('consolidate'));
    const callLessons = createCallMemory(db, log);
    await hear('lore_learnings', callLessons.refresh, callLessons.refresh);
    const plans = createPlanMemory(db, log);
    await hear('lore_plans', plans.refresh, plans.refresh);
    await hear('lore_learnings', (about) => {
      const [userId, projectId] = about.split(' ');
      if (userId && projectId) dashboard.touch(userId, [projectId]);
    });

    const hookServices: HookServices = {
      config,
      secret,
      db,
      log,
      journal,
      sessions: createKnownSessions(db, config.holdout, journal?.drained()),
      callLessons,
      plans,
      draftPlan: ask,
      dashboard,
      verdicts,
      embedQuery: (claims, text) => embedQuery(embedder, claims.userId, text),
      expectQuery: embedder.expectQuery,
      judgeByModel: createModelJudge(ask, log),
      wake: workers.wake,
      inBackground: background.run,
    };
    const services: Parameters<typeof createApp>[0] = {
      ...hookServices,
      config,
      jwtSecret: signing,
      embedder,
      keys,
      keepCheck: (claims, check, remember) =>
        keepVerdict(hookServices, {
          id: randomUUID(),
          claims,
          at: new Date().toISOString(),
          check,
          remember,
        }),
      judgeApplicability: createApplicabilityJudge(ask),
      finds,
      wake: workers.wake,
    };
    const app = getRequestListener(createApp(services).fetch, { hostname: config.host });
    const { server, port } = await listen(hookListener(services, app), config);
    undo.push(() => stopListening(server));
    const realtime = await createRealtime({
      db,
      log,
      access: {
        verify: createVerifier({ secret: signing }),
        isLive: ({ userId, keyId }) =>
          asUser(db, { userId: userId as string, role: 'member' }, (tx) => isLive(tx, keyId), {
            readOnly: true,
          }),
      },
    });
    undo.push(() => realtime.stop());
    // it ends with the database: a stop would wait for its turn there before it stops listening
    await db.listen('lore_keys', realtime.recheck, () => realtime.recheck());
    server.on('upgrade', realtime.upgrade);
    let stopping = false;
    undo.push(() => {
      stopping = true;
    });
    background.run('heal the index', () => healIndex(db, log).then(() => workers.wake('embed')));
    if (options.warmUp) {
      const warmAs = { claims: { userId: ownerId, role: 'owner' as const }, key };
      background.run('warm up', async () => {
        const rest = await warmUp(services, warmAs, () => stopping);
        // A stop waits for background work, but not for a model that may still be downloaded.
        embedder.ready.then(() => {
          if (!stopping) background.run('warm up', rest);
        });
      });
    }
    return {
      // whoever listens on all interfaces is found on this one too
      url: `http://${listensEverywhere(config.host) ? '127.0.0.1' : config.host}:${port}`,
      key,
      embedder,
      stored: async () => journal?.drained(),
      async settled() {
        await journal?.drained();
        await background.done();
        await workers.settled();
        dashboard.flush();
        await background.done();
      },
      stop: undoAll,
    };
  } catch (error) {
    await undoAll();
    removeHome();
    throw error;
  }
}

function startConfiguredEmbedder(
  config: Config,
  log: Log,
  onProgress: EmbedderOptions['onProgress'],
): Embedder {
  return startEmbedder({
    home: config.home,
    modelDir: config.modelDir,
    hubUrl: config.modelHub,
    name: config.embeddingModel,
    ...(onProgress && { onProgress }),
    onEvent: (message) => log.info({ message }, 'embedding'),
  });
}
