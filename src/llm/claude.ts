import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join, resolve, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { makeFolder } from '../base/files/make-folder.ts';
import {
  callOnce,
  type Fault,
  faultOfStatus,
  type JsonRequest,
  type ModelOutcome,
  ModelUnavailable,
  type Prepared,
  type Provider,
} from './ask.ts';

// The person's own Claude Code login: `claude -p`, run in the background as the person who runs the server. A call costs
// half a second of processor time and 200 MB, so there is one at a time.

/** After a failure that the next call would meet too, nothing is asked for this long. */
const REST_MS = 10 * 60_000;
const LASTING_FAULTS: ReadonlySet<Fault> = new Set(['no login', 'limited', 'refused', 'unknown model']);

/**
 * Variables that are not handed on. The first are of the session in which somebody may have started the server: with
 * them the client would take itself for a part of it. The others are Lore's own secrets.
 */
const NOT_HANDED_ON =
  /^(CLAUDECODE|CLAUDE_CODE_(ENTRYPOINT|SESSION_ID|SSE_PORT|EXECPATH|CHILD_SESSION|MESSAGING_\w+)|CLAUDE_(PROJECT_DIR|ENV_FILE|PLUGIN_\w+)|AI_AGENT|LORE_\w+|DATABASE_URL|SUPABASE_\w+|GEMINI_\w+)$/;

export type ClaudeConfig = { home: string; model: string; timeoutMs: number };

/** Returns the person's own Claude Code as a provider. */
export function createClaude(config: ClaudeConfig): Provider {
  let queue: Promise<unknown> = Promise.resolve();
  let rest: { until: number; failure: ModelUnavailable } | undefined;

  async function ask<T>(request: JsonRequest<T>): Promise<ModelOutcome<T>> {
    if (rest && Date.now() < rest.until) return nothing(rest.failure.fault, rest.failure.message);
    if (claudeBinary() === null) return nothing('no binary', 'there is no claude on the PATH of the server');
    if (request.signal?.aborted) return nothing('failed', 'nobody waits for the answer any longer');
    const outcome = await callOnce('Claude Code', config.timeoutMs, request, async (given, cost) => {
      const result = resultIn(await run(config, given));
      const { usage, result: said, structured_output: answer } = result;
      cost.inputTokens =
        (usage?.input_tokens ?? 0) +
        (usage?.cache_creation_input_tokens ?? 0) +
        (usage?.cache_read_input_tokens ?? 0);
      cost.outputTokens = usage?.output_tokens ?? 0;
      if (result.is_error)
        throw new ModelUnavailable(
          NO_LOGIN.test(said) ? 'no login' : faultOfStatus(result.api_error_status ?? 0),
          said,
        );
      // a client of before `--json-schema` says it in words
      return answer ?? said;
    });
    if ('failure' in outcome && LASTING_FAULTS.has(outcome.failure.fault))
      rest = { until: Date.now() + REST_MS, failure: outcome.failure };
    return outcome;
  }

  return {
    name: 'claude',
    model: `claude:${config.model}`,
    call(request) {
      const asked = queue.then(() => ask(request));
      queue = asked.catch(() => {});
      return asked;
    },
  };
}

const nothing = (fault: Fault, message: string) => ({
  failure: new ModelUnavailable(fault, `Claude Code was not asked: ${message}`, { asked: false }),
  inputTokens: 0,
  outputTokens: 0,
});

/** Returns the path of the person's `claude`; null if the server's PATH has none. */
export function claudeBinary(path = process.env.PATH ?? ''): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, 'claude');
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // not in this folder
    }
  }
  return null;
}

/**
 * Runs the client once: no tools, no hooks, no settings, nothing kept, and the answer held to a schema. Returns what it
 * prints. Its exit code says less than its output, so it is not looked at.
 */
async function run({ home, model }: ClaudeConfig, request: Prepared): Promise<string> {
  const cwd = claudeFolder(home);
  makeFolder(cwd);
  const args = [
    ['-p', request.prompt],
    ['--output-format', 'json'],
    ['--model', model],
    ['--effort', 'low'],
    ['--tools', ''],
    ['--strict-mcp-config'],
    ['--setting-sources', ''],
    ['--settings', '{"disableAllHooks":true}'],
    ['--disable-slash-commands'],
    ['--no-session-persistence'],
    ['--system-prompt', request.instructions],
    ['--json-schema', JSON.stringify(request.schema)],
  ].flat();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_HANDED_ON.test(name)));
  // a group of its own, so that what it starts ends with it
  const child = spawn('claude', args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => kill(child);
  request.signal.addEventListener('abort', end);
  try {
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code, by] = await once(child, 'close');
    const [out, err] = await printed;
    if (out.trim() !== '') return out;
    throw new ModelUnavailable('failed', `it ended with ${by ?? code}: ${err.trim() || 'no word'}`);
  } finally {
    request.signal.removeEventListener('abort', end);
  }
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}

/** What the client prints at its end. `subtype` is “success” even when it is not, so only `is_error` is read. */
const Result = z.looseObject({
  is_error: z.boolean(),
  result: z.string().default(''),
  structured_output: z.unknown().optional(),
  api_error_status: z.number().nullish(),
  usage: z
    .looseObject({
      input_tokens: z.number().default(0),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
      output_tokens: z.number().default(0),
    })
    .nullish(),
});

/** How the client says that nobody is logged in; it has no code for it. */
const NO_LOGIN = /not logged in|\/login|oauth token (has )?expired/i;

function resultIn(printed: string): z.infer<typeof Result> {
  try {
    return Result.parse(JSON.parse(printed));
  } catch {
    // a client that does not know a flag, or has no login, says so in plain words
    throw new ModelUnavailable(NO_LOGIN.test(printed) ? 'no login' : 'failed', printed.trim());
  }
}

/** Returns the empty folder in which Lore runs the person's Claude Code for itself. */
const claudeFolder = (home: string): string => join(home, 'claude');

/**
 * Whether a folder is the one in which Lore's own sessions of Claude Code run. Their hooks are turned off; a client
 * whose hooks cannot be turned off must not make Lore listen to itself.
 */
export function isOwnSession(home: string, cwd: string | null | undefined): boolean {
  if (!cwd?.includes(`${sep}claude`)) return false;
  // the client names a folder by its path without links
  return [resolve(home), realpathSync(home)].some((folder) =>
    (cwd + sep).startsWith(claudeFolder(folder) + sep),
  );
}
