import { Hono } from 'hono';
import { METHOD_NAME_ALL } from 'hono/router';
import { type Config, readConfig } from '../../base/config.ts';
import { badFields } from '../../base/errors/problem.ts';
import { createLog } from '../../base/log.ts';
import type { Env } from '../../http/env.ts';
import { notFound, onError } from '../../http/errors.ts';
import { requestIds } from '../../http/middleware.ts';
import { createApp } from '../api/app.ts';
import { openServices, type Services } from './services.ts';
import { checkWaker, work } from './work.ts';

// Lore as Edge Functions of Supabase, in real Deno. edge-functions/<name>/index.ts serves one of them; all are in one bundle
// (`npm run build:functions`), which holds all packages and data.

/** Which function: `api` is the whole API, `security-check` one route of it, `work` and `nightly` what goes on behind. */
export type FunctionName = 'api' | 'security-check' | 'work' | 'nightly';

type Handler = (request: Request) => Promise<Response>;

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
): Handler {
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
