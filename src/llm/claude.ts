import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { makeFolder } from '../files/make-folder.ts';
import { redactText } from '../redaction/redact.ts';
import { clip } from '../text/clip.ts';
import {
  answerIn,
  type Fault,
  faultOfStatus,
  formFault,
  type JsonRequest,
  type ModelOutcome,
  ModelUnavailable,
  type Provider,
  schemaOf,
} from './ask.ts';
import { claudeFolder } from './claude-folder.ts';

// The person's own Claude Code login: `claude -p`, run in the background as the person who runs the server. A call costs
// half a second of processor time and 200 MB, so there is one at a time, when the machine has nothing better to do.

/** Calls for one session. Its turns after that are read by rules. */
const MAX_CALLS_A_SESSION = 2;
/** How many sessions' calls are remembered. */
const MAX_SESSIONS = 1000;
/** A call waits at most this long for its turn and for a quiet machine, so that lessons do not wait for ever. */
const MAX_WAIT_MS = 45_000;
const LOOK_AGAIN_MS = 3_000;
/** After a failure that the next call would meet too, nothing is asked for this long. */
const REST_MS = 10 * 60_000;
const LASTING_FAULTS: ReadonlySet<Fault> = new Set(['no login', 'limited', 'refused', 'unknown model']);
/** The most that is read of what the client prints, in characters. */
const MAX_OUTPUT = 2_000_000;

/**
 * Variables that are not handed on. The first are of the session in which somebody may have started the server: with
 * them the client would take itself for a part of it. The others are Lore's own secrets.
 */
const NOT_HANDED_ON =
  /^(CLAUDECODE|CLAUDE_CODE_(ENTRYPOINT|SESSION_ID|SSE_PORT|EXECPATH|CHILD_SESSION|MESSAGING_\w+)|CLAUDE_(PROJECT_DIR|ENV_FILE|PLUGIN_\w+)|AI_AGENT|LORE_\w+|DATABASE_URL|SUPABASE_\w+|GEMINI_\w+)$/;

export type ClaudeConfig = {
  home: string;
  model: string;
  timeoutMs: number;
  /** it is asked only while the load of the machine, for each processor, is below this */
  maxLoad: number;
};

/** Returns the person's own Claude Code as a provider. */
export function createClaude(config: ClaudeConfig): Provider {
  const calls = new LRUCache<string, number>({ max: MAX_SESSIONS });
  let queue: Promise<unknown> = Promise.resolve();
  let rest: { until: number; failure: ModelUnavailable } | undefined;

  async function call<T>(request: JsonRequest<T>): Promise<ModelOutcome<T>> {
    const before = queue;
    const { signal } = request;
    let done = () => {};
    queue = new Promise<void>((resolve) => {
      done = resolve;
    });
    const giveUpAt = Date.now() + MAX_WAIT_MS;
    try {
      await before;
      if (rest && Date.now() < rest.until) return nothing(rest.failure.fault, rest.failure.message);
      if (claudeBinary() === null)
        return nothing('no binary', 'there is no claude on the PATH of the server');
      if (!mayAskFor(request.sessionId)) {
        return nothing('session', `the login was asked ${MAX_CALLS_A_SESSION} times for this session`);
      }
      while (!signal?.aborted && loadPerProcessor() >= config.maxLoad) {
        if (Date.now() >= giveUpAt) return nothing('busy', 'the machine was too busy to ask Claude Code');
        await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
      }
      if (signal?.aborted) return nothing('busy', 'nobody waits for the answer any longer');
      const outcome = await run(config, request);
      rest = undefined;
      if ('failure' in outcome && LASTING_FAULTS.has(outcome.failure.fault)) {
        rest = { until: Date.now() + REST_MS, failure: outcome.failure };
      }
      return outcome;
    } finally {
      done();
    }
  }

  /** Counts a call for a session, and returns whether it may be made. */
  function mayAskFor(sessionId: string | undefined): boolean {
    if (sessionId === undefined) return true;
    const made = calls.get(sessionId) ?? 0;
    if (made >= MAX_CALLS_A_SESSION) return false;
    calls.set(sessionId, made + 1);
    return true;
  }

  return {
    name: 'claude',
    model: `claude:${config.model}`,
    call,
  };
}

const loadPerProcessor = () => (loadavg()[0] ?? 0) / availableParallelism();

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
 * What the client prints at its end. `subtype` is “success” even when it is not, so only `is_error` is read.
 */
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

/** Runs the client once: no tools, no hooks, no settings, nothing kept, and the answer held to a schema. */
async function run<T>(config: ClaudeConfig, request: JsonRequest<T>): Promise<ModelOutcome<T>> {
  const timeout = Math.min(config.timeoutMs, request.timeoutMs ?? config.timeoutMs);
  const cost = { inputTokens: 0, outputTokens: 0 };
  try {
    const cwd = claudeFolder(config.home);
    makeFolder(cwd);
    const args = [
      ['-p', redactText(request.prompt)],
      ['--output-format', 'json'],
      ['--model', config.model],
      ['--effort', 'low'],
      ['--tools', ''],
      ['--strict-mcp-config'],
      ['--setting-sources', ''],
      ['--settings', '{"disableAllHooks":true}'],
      ['--disable-slash-commands'],
      ['--no-session-persistence'],
      ['--system-prompt', request.instructions],
      ['--json-schema', JSON.stringify(schemaOf(request.form))],
    ].flat();
    const printed = await runClaude(args, cwd, timeout, request.signal);
    const result = resultIn(printed);
    const { usage } = result;
    cost.inputTokens =
      (usage?.input_tokens ?? 0) +
      (usage?.cache_creation_input_tokens ?? 0) +
      (usage?.cache_read_input_tokens ?? 0);
    cost.outputTokens = usage?.output_tokens ?? 0;
    if (result.is_error) return { failure: errorOf(result), ...cost };
    const { structured_output: given } = result;
    // a client of before `--json-schema` says it in words
    return {
      answer: given == null ? answerIn(request.form, result.result) : request.form.parse(given),
      ...cost,
    };
  } catch (error) {
    return { failure: failureOf(error), ...cost };
  }
}

class Failed extends Error {
  readonly fault: Fault;
  constructor(fault: Fault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Returns what the client prints. Its exit code says less than its output, so it is not looked at. */
function runClaude(
  args: string[],
  cwd: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_HANDED_ON.test(name)));
    // a group of its own, so that what it starts ends with it
    const child = spawn('claude', args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err, late] = ['', '', false];
    const end = () => kill(child);
    signal?.addEventListener('abort', end);
    const timer = setTimeout(() => {
      late = true;
      kill(child);
    }, timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (out.length < MAX_OUTPUT) out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (err.length < 2_000) err += text;
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      reject(
        new Failed(
          (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no binary' : 'failed',
          error.message,
        ),
      );
    });
    child.once('close', (code, by) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (late) reject(new Failed('late', `none within ${timeoutMs} ms`));
      else if (out.trim() !== '') resolve(out);
      else reject(new Failed('failed', `it ended with ${by ?? code}: ${err.trim() || 'no word'}`));
    });
  });
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}

function resultIn(printed: string): z.infer<typeof Result> {
  try {
    return Result.parse(JSON.parse(printed));
  } catch {
    // a client that does not know a flag, or has no login, says so in plain words
    throw new Failed(NO_LOGIN.test(printed) ? 'no login' : 'failed', printed.trim());
  }
}

/** How the client says that nobody is logged in; it has no code for it. */
const NO_LOGIN = /not logged in|\/login|oauth token (has )?expired/i;

function errorOf({ result, api_error_status: status }: z.infer<typeof Result>): ModelUnavailable {
  return failureOf(
    new Failed(NO_LOGIN.test(result) ? 'no login' : faultOfStatus(status ?? undefined), result),
  );
}

function failureOf(error: unknown): ModelUnavailable {
  const form = formFault(error);
  const fault = form !== null ? 'form' : error instanceof Failed ? error.fault : 'failed';
  const detail = form ?? (error instanceof Error ? error.message : String(error));
  const said = clip(redactText(detail).replace(/\s+/g, ' '), 300);
  return new ModelUnavailable(fault, `Claude Code gave no usable answer: ${said}`);
}
