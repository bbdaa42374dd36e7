import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { METHOD_NAME_ALL } from 'hono/router';
import { LRUCache } from 'lru-cache';
import { authenticate, ensureOwner } from '../../accounts/accounts.ts';
import { hashKey, touchKey } from '../../accounts/keys.ts';
import { type KnownKeys, keyIn } from '../../accounts/known-keys.ts';
import { type Config, readConfig } from '../../base/config.ts';
import { badFields, Problem } from '../../base/errors/problem.ts';
import { createLog, type Log } from '../../base/log.ts';
import { asUser } from '../../db/as-user.ts';
import { openDatabase } from '../../db/open.ts';
import { reasonOf } from '../../db/queue.ts';
import { checkRights } from '../../db/rights.ts';
import { joinAsFunction } from '../../db/servers.ts';
import { askSystem, forEachUser } from '../../db/system.ts';
import type { Asked, HookServices } from '../../hooks/types.ts';
import type { Env } from '../../http/env.ts';
import { notFound, onError } from '../../http/errors.ts';
import { requestIds } from '../../http/middleware.ts';
import { createModels } from '../../llm/choose.ts';
import { createPush } from '../../realtime/push/push.ts';
import { embedderOf } from '../../search/database-model.ts';
import { httpEmbedder } from '../../search/embedding/http-embedder.ts';
import { createFinds, type Finds } from '../../search/finds.ts';
import { createDashboard, refreshDashboard } from '../../sessions/dashboard.ts';
import { isShellTool } from '../../shell/shell-tools.ts';
import { createApp } from '../api/app.ts';
import { servicesOver } from '../services.ts';
import { startBackground, type Worker, type WorkServices, waitingWork, worksOf } from '../workers.ts';

// Lore as Edge Functions of Supabase, in real Deno. edge-functions/<name>/index.ts serves one of them; all are in one bundle
// (`npm run build:functions`), which holds all packages and data.

/** Which function: `api` is the whole API, `security-check` one route of it, `work` and `nightly` what goes on behind. */
export type FunctionName = 'api' | 'security-check' | 'work' | 'nightly';

/** Where no person has a data folder: nothing is there. */
const NO_HOME = '/no-data-folder-of-lore';

/** The platform gives these to every function, under names of its own. */
const platform = (env: Record<string, string | undefined>) => ({
  DATABASE_URL: env.DATABASE_URL || env.SUPABASE_DB_URL,
  LORE_URL: env.LORE_URL || (env.SUPABASE_URL && `${env.SUPABASE_URL.replace(/\/+$/, '')}/functions/v1/api`),
  // the platform reserves the name that a server knows it by
  SUPABASE_JWT_SECRET: env.SUPABASE_JWT_SECRET || env.JWT_SECRET,
});

/**
 * Returns a function's handler. It connects to the database with its first request.
 *
 * @param waitUntil keeps the process alive until a promise is settled
 * @throws Problem (400) that names the variables that are wrong or missing
 */
export function functionOf(
  name: FunctionName,
  env: Record<string, string | undefined>,
  waitUntil: (work: Promise<unknown>) => void,
): (request: Request) => Promise<Response> {
  const config = configOf(name, env);
  const log = createLog(config.logLevel);
  /** What is made with the first request; if that fails, a database that is away is tried again with the next. */
  let made: Promise<{ services: Services; api?: Hono<Env> }> | undefined;
  const make = async () => {
    const services = await openServices(config, log, waitUntil);
    return isWorker(name) ? { services } : { services, api: createApp(services) };
  };
  const app = new Hono<Env>();
  app.onError(onError(log));
  app.notFound(notFound);
  app.use(requestIds(log));
  app.on(isWorker(name) ? 'POST' : METHOD_NAME_ALL, '*', async (c) => {
    if (isWorker(name)) checkWaker(config.wakeSecret as string, c.req.header('authorization'));
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    const { services, api } = await made;
    if (api) return api.fetch(asRequested(name, c.req.raw));
    return c.json(await work(services, name === 'nightly' ? ['consolidate'] : []));
  });
  return async (request) => app.fetch(request);
}

const isWorker = (name: FunctionName): boolean => name === 'work' || name === 'nightly';

/** Returns a request as the app knows it: under the path that follows the function's name. */
function asRequested(name: FunctionName, request: Request): Request {
  const url = new URL(request.url);
  url.pathname =
    name === 'security-check'
      ? '/v1/commands/check'
      : url.pathname.replace(/^\/(?:functions\/v1\/)?api(?=\/|$)/, '') || '/';
  const asked = new Request(url, request);
  // the name of the platform's own machine, which tells nothing of who asks
  asked.headers.delete('host');
  return asked;
}

type Settings = Config & { secret: string };

function configOf(name: FunctionName, env: Record<string, string | undefined>): Settings {
  const given = { ...env, ...platform(env), LORE_HOME: NO_HOME, LORE_JOURNAL: 'off', LORE_BACKUP: 'off' };
  const config = readConfig(given);
  const lacking = [
    ...(config.databaseUrl === undefined ? ['DATABASE_URL'] : []),
    ...(config.secret === undefined ? ['LORE_SECRET'] : []),
    ...(isWorker(name) && config.wakeSecret === undefined ? ['LORE_WAKE_SECRET'] : []),
  ];
  const message = `must be set for the function ${name}`;
  if (lacking.length > 0)
    throw badFields(
      lacking.map((field) => ({ field, message })),
      'Bad configuration',
    );
  return config as Settings;
}

declare const Deno: {
  env: { toObject(): Record<string, string> };
  serve(handler: (request: Request) => Response | Promise<Response>): unknown;
};
/** Supabase's runtime has it, plain Deno does not and lives on. */
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

/** Serves one of the functions. */
export function serve(name: FunctionName): void {
  const waitUntil = (work: Promise<unknown>) => {
    if (typeof EdgeRuntime !== 'undefined') EdgeRuntime.waitUntil(work);
  };
  Deno.serve(functionOf(name, Deno.env.toObject(), waitUntil));
}

// The services of an Edge Function. One process (an isolate) may answer many requests, or one; others answer beside it, and
// none hears what the others do. So what a server keeps in memory is read from the database again for each answer, and
// nothing is promised to be done later but what `waitUntil` lets end.

/** No account: the files and the login of the person who runs a server are not here. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** An isolate answers one request at a time, as a rule, and each may have many beside it. */
const CONNECTIONS = { usual: 2, urgent: 2 };

type Services = Parameters<typeof createApp>[0] & WorkServices;

/**
 * Opens the database and returns what requests need.
 *
 * @param waitUntil keeps this process alive until a promise is settled
 * @throws Problem (503) if the database cannot be reached, or lacks what a server needs; (409) if servers with another
 *   secret use it
 */
async function openServices(
  config: Config & { secret: string },
  log: Log,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Services> {
  const db = await openDatabase(config, { onDemand: true, connections: CONNECTIONS });
  await checkRights(db);
  const servers = await joinAsFunction({ db, log, secret: config.secret });
  if (config.key !== undefined)
    await ensureOwner(db, { key: config.key, source: 'LORE_KEY', inFolder: null });
  const background = startBackground(log);
  const inBackground: HookServices['inBackground'] = (name, work) => {
    background.run(name, work);
    waitUntil(background.done());
  };
  const parts = { db, log, inBackground };
  const models = createModels(config, db, NOBODY);
  const embedder = await embedderOf(db, httpEmbedder(config, log));
  const made = createFinds(db);
  const finds: Finds = {
    ...made,
    found(userId, notes) {
      made.found(userId, notes);
      inBackground('store finds', made.store);
    },
  };
  const services: Services = servicesOver({
    ...parts,
    config,
    servers,
    journal: null,
    dashboard: createDashboard(parts, 0),
    push: createPush({ ...parts, config }),
    embedder,
    models,
    keys: keysOf(parts),
    finds,
    // whoever works looks for work by itself
    wake: () => {},
    failing: () => [],
    distant: true,
    ownerId: NOBODY,
    withoutPage: true,
    readAhead: (asked: Asked) => readAhead(services, asked),
  });
  return services;
}

/** Where requests come often, `last_used_at` of their key is exact to a minute. */
const TOUCH_MS = 60_000;

/** Returns what looks each key up in the database. What limits wrong keys is the platform's. */
function keysOf({ db, inBackground }: Pick<HookServices, 'db' | 'inBackground'>): KnownKeys {
  const touched = new LRUCache<string, true>({ max: 1_000, ttl: TOUCH_MS });
  return {
    accountAtOnce: () => null,
    async accountOf(key) {
      const account = await authenticate(db, hashKey(key));
      if (account && !touched.get(account.keyId)) {
        touched.set(account.keyId, true);
        inBackground('touch key', () => asUser(db, account, (tx) => touchKey(tx, account.keyId)));
      }
      return account;
    },
    forget: () => {},
  };
}

/** Reads from the database what the answer to an event takes from memory. */
async function readAhead(services: HookServices, { claims, event, at }: Asked): Promise<void> {
  const { sessions, settings, verdicts, callLessons, guards, plans } = services;
  settings.forget(claims.userId);
  // other functions answer the session too, so it is read anew
  const session = sessions.of(claims, event, at);
  const ofProject = session.then(({ projectId }) => {
    const memories = event.hook_event_name === 'PreToolUse' ? [callLessons, guards] : [];
    for (const one of [...memories, plans]) one.refresh(`${claims.userId} ${projectId}`);
    return Promise.all([
      ...memories.map((one) => one.newest(claims, projectId)),
      plans.newest(claims, projectId),
    ]);
  });
  const checks = event.hook_event_name === 'PreToolUse' && isShellTool(event.tool_name);
  await Promise.all([ofProject, settings.of(claims), checks ? verdicts.refresh(claims.userId) : null]);
}

// What the workers of a server do, in a request: as much as there is time for. The rest stays in the queues, where the next
// request finds it. Rows are leased, so two requests at a time do nothing twice.

/** How long a request works. The platform ends one that uses two seconds of the processor. */
const WORK_MS = 10_000;
/** Work may make other work: a session is read for lessons, then cut into episodes. */
const MAX_ROUNDS = 10;

/** What nothing in the queues tells of. */
const UNASKED: Worker[] = ['end idle sessions', 'consolidate'];

type Done = {
  /** the workers that did something or looked whether there is something to do, in the order of their first turn */
  ran: Worker[];
  /** why some of it failed; it is tried again later */
  failed: { worker: Worker; reason: string }[];
  /** whether there is more to do at once */
  more: boolean;
};

/**
 * Does what waits until nothing waits or the time is up.
 *
 * @param first what is done before all else
 */
async function work(services: Services, first: Worker[] = []): Promise<Done> {
  const signal = AbortSignal.timeout(WORK_MS);
  // for nights that pg_cron begins
  await askSystem(services.db)`select lore.keep_raw_for(${services.config.retentionDays}::int)`;
  const wanted = new Set<Worker>();
  const works = worksOf(services, (worker) => wanted.add(worker as Worker));
  const names = [...new Set([...first, ...(Object.keys(works) as Worker[])])];
  const ran = new Set<Worker>();
  const failed: Done['failed'] = [];
  for (const name of UNASKED) wanted.add(name);
  for (let round = 0; round < MAX_ROUNDS && !signal.aborted; round++) {
    for (const name of await waitingWork(services)) wanted.add(name);
    if (wanted.size === 0) break;
    for (const name of names) {
      if (signal.aborted || !wanted.delete(name)) continue;
      ran.add(name);
      try {
        let more = true;
        while (more && !signal.aborted) more = await works[name](signal);
        if (more) wanted.add(name);
      } catch (error) {
        if (signal.aborted) break;
        services.log.error({ worker: name, error }, 'a worker failed; it is tried again later');
        failed.push({ worker: name, reason: reasonOf(error) });
      }
    }
  }
  await showWork(services, signal);
  return { ran: [...ran], failed, more: wanted.size > 0 };
}

/** A row of the dashboard that a process could not bring up to date any more is found for this long. */
const SHOWN_MINUTES = 10;

/** Brings the rows of the dashboard up to date: no server hears that a lesson was made. */
function showWork({ db, log }: Services, signal: AbortSignal): Promise<boolean> {
  const users = sql`select lore.users_at_work(make_interval(mins => ${SHOWN_MINUTES}::int)) as id`;
  return forEachUser(db, users, { log, name: 'dashboard', signal }, async (userId) => {
    await asUser(db, { userId, role: 'member' }, refreshDashboard);
    return false;
  });
}

/**
 * Lets only those pass who know the secret: its hash is compared, so how long it takes does not tell how much of it is right.
 *
 * @throws Problem (401)
 */
function checkWaker(secret: string, authorization: string | undefined): void {
  const given = keyIn(authorization);
  if (given !== null && hashKey(given) === hashKey(secret)) return;
  const detail = 'Only the database may start this. Send “Authorization: Bearer <LORE_WAKE_SECRET>”.';
  throw new Problem({ status: 401, title: 'Not authenticated', detail });
}
