import { randomBytes } from 'node:crypto';
import { Hono, type MiddlewareHandler } from 'hono';

import { cacheKey } from '../../src/commands/cache-key.ts';
import { createModelJudge } from '../../src/commands/judge-model.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { decide } from '../../src/commands/precedence.ts';
import { CheckRequest, judgeCommand, readNothing, toChecked } from '../../src/commands/verdict.ts';
import { readConfig } from '../../src/config.ts';
import { plainErrors } from '../../src/errors/plain-errors.ts';
import { Problem } from '../../src/errors/problem.ts';
import type { Env } from '../../src/http/env.ts';
import { notFound, onError } from '../../src/http/errors.ts';
import { requestIds, sizeLimit, strictJson } from '../../src/http/middleware.ts';
import type { Log } from '../../src/log.ts';
import { redactText, redactValue } from '../../src/redaction/redact.ts';
import { readLine } from '../../src/shell/line.ts';
import type { Surroundings } from '../../src/shell/zones.ts';
import { createCallerOf } from './caller.ts';
import { createAsk } from './model.ts';
import { createMaySpend } from './spending.ts';

/** Room for a command of a million characters, escaped as JSON, and its folders. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Returns the function as an app for any runtime.
 *
 * It reads no files: those on its own machine do not belong to the caller, and those of the caller are not there. So
 * the rule files of a project or a person do not apply, and a command that runs a file is unknown to the rules.
 *
 * @param env all settings that it may know
 * @throws Error when `env` holds no key for access tokens, or a malformed setting
 */
export function securityCheck(env: Record<string, string | undefined>): Hono<Env> {
  const callerOf = createCallerOf(env);
  const config = readConfig({ ...env, LORE_HOME: '/' });
  const judgeByModel = createModelJudge(createAsk(config.model), log);
  const maySpend = createMaySpend(env);
  // without the server's secret the codes are of no use: they only have to tell nothing
  const secret = config.secret ?? randomBytes(32).toString('base64url');

  const authenticated: MiddlewareHandler<Env> = async (c, next) => {
    c.set('caller', await callerOf(c.req.header('authorization')));
    await next();
  };

  const app = new Hono<Env>();
  app.onError(onError(log));
  app.notFound(notFound);
  app.use(requestIds(log));
  // any path, because Supabase calls it below a path of its own
  app.post('*', authenticated, sizeLimit(MAX_BYTES), strictJson, async (c) => {
    const { command, place } = parse(await c.req.json().catch(() => null));
    const { verdict, text } = judgeCommand(readLine(command), place, builtinPolicy);
    const key = cacheKey(secret, command, verdict.invocations, place, null);
    const settled = decide({ rules: verdict }, config);
    if (settled) return c.json(toChecked(settled, key));
    const shown = { command: text, cwd: redactText(place.cwd), parts: verdict.parts };
    const about = { ...shown, length: command.length, place };
    const asked =
      config.model.gemini.apiKey !== undefined && (await maySpend(c.req.header('authorization') ?? ''));
    const opinion = asked ? await judgeByModel(c.get('caller'), about) : null;
    return c.json(toChecked(decide({ rules: verdict, opinion }, config), key));
  });
  return app;
}

/**
 * Returns the command to judge and where it would run.
 *
 * @throws Problem (400) that names each wrong field
 */
function parse(body: unknown): { command: string; place: Surroundings } {
  const { success, data, error } = CheckRequest.safeParse(body);
  if (success) return { command: data.command, place: placeOf(data.cwd, data.root) };
  const errors = error.issues.map(({ path, message }) => ({ field: path.join('.') || '(body)', message }));
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new Problem({ status: 400, title: 'Bad request', detail, errors });
}

const folder = (path: string) => path.replace(/\/+$/, '') || '/';

/**
 * Returns where the command would run. The caller's home folder is guessed from `cwd`, since the function's own is
 * another.
 */
function placeOf(cwd: string, root = cwd): Surroundings {
  const home = /^\/(root|(home|Users)\/[^/]+)(?=\/|$)/.exec(cwd)?.[0] ?? '/home/user';
  return { cwd: folder(cwd), root: folder(root), home, tmp: '/tmp', read: readNothing };
}

const say = (level: string) => (about: object, message?: string) =>
  console.error(JSON.stringify(redactValue({ level, ...(plainErrors(about) as object), message })));
const log = { debug() {}, info() {}, warn: say('warn'), error: say('error') } as Log;
