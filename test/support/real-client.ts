import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, vi } from 'vitest';
import { insisting } from './asking.ts';
import { jsonLines } from './json-lines.ts';
import { temporaryFolder } from './left-behind.ts';
import { needs } from './needs.ts';
import { freePort, type Process, runLore, startServerProcess } from './process.ts';
import { testDatabase } from './server.ts';

// Runs the real client against a scripted model. LORE_REAL_CLIENT names a harness `run.sh PROJECT SCRIPT.json PROMPT`
// that leaves requests.jsonl (what the model was sent) in $OUT; CLAUDE_BIN names the client.
export const harness = process.env.LORE_REAL_CLIENT;
export const inClient = needs('the genuine client (LORE_REAL_CLIENT)', harness);
export const claude = process.env.CLAUDE_BIN ?? join(tmpdir(), 'real-client/node_modules/.bin/claude');

const run = promisify(execFile);

export const until = (condition: () => Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 20_000, interval: 100 });

/** A call of the client's shell. */
export const bash = (command: string) => ({ tool: 'Bash', input: { command, description: 'run it' } });

/** A call of one of the plugin's tools, under the name that the client gives it. Its id is as unique as a real model's. */
export const pluginTool = (name: string, input: object) => ({
  tools: [{ tool: `mcp__plugin_lore_lore__${name}`, input, id: `toolu_${randomUUID()}` }],
});

/** Runs a command of the client itself for the person whose home this is. */
export const claudeCommand = (home: string, ...args: string[]) =>
  run(claude, args, {
    env: { PATH: process.env.PATH, HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  });

/** Installs a plugin from a folder of hooks, as a person does. */
export const installPlugin = (home: string, name: string, hooks: string, key: string, url: string) =>
  claudeCommand(
    ...[home, 'plugin', 'install', name, '--marketplace', hooks],
    ...['--config', `key=${key}`, '--config', `url=${url}`],
  );
export type Request = { kind: string; body: { messages: any[]; [name: string]: any } };

/** The result of the last call that a model was told in a request. */
export const told = (request: Request | undefined): string =>
  (request?.body.messages ?? [])
    .map((one) => JSON.stringify(one))
    .findLast((one) => one.includes('"tool_result"')) ?? '';

type Options = { env?: NodeJS.ProcessEnv; more?: string[]; agents?: Record<string, object[]> };

/**
 * Runs one session of the client, whose model does these turns.
 *
 * @param options.agents turns of the models of subagents, by name
 */
export async function playClient(dir: string, turns: object[], prompt: string, options: Options = {}) {
  const { env = {}, more = [], agents = {} } = options;
  const out = temporaryFolder();
  const script = join(out, 'script.json');
  writeFileSync(script, JSON.stringify({ turns, agents }));
  await run(harness as string, [dir, script, prompt, '--', ...more], {
    env: { ...process.env, CLAUDE_BIN: claude, OUT: out, ISOLATE: '0', ...env },
  });
  const all = jsonLines<Request>(join(out, 'requests.jsonl'));
  const requests = all.filter(({ kind }) => kind === 'main');
  return {
    /** what the model was sent, and what it and those of its subagents were sent, in order */
    requests,
    all: all.filter(({ kind }) => kind === 'main' || kind.startsWith('agent:')),
    sent: (n: number) => JSON.stringify(requests[n]?.body.messages),
    /** what the model was told about each of its first calls, one a turn */
    answers: (calls: number) => Array.from({ length: calls }, (_, i) => told(requests[i + 1])),
    result: JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')),
  };
}

/** One server, and sessions of the client with the hooks that `lore init` writes into their projects. */
export function realClient() {
  const folder = harness ? temporaryFolder() : '';
  const home = join(folder, 'home');
  const env: Record<string, string> = {};
  let server: Process | undefined;

  async function lore(args: string[], extra: Record<string, string> = {}) {
    const { code, stdout, stderr } = await runLore(args, { env: { ...env, ...extra } });
    expect([args, code, stderr]).toEqual([args, 0, expect.anything()]);
    return stdout;
  }

  const api = (method: string, path: string, body?: object) =>
    insisting(env.LORE_URL as string, readFileSync(join(home, 'key'), 'utf8').trim())(method, path, body);

  /** starts the server on a free port, with a database of its own */
  async function setUp() {
    const port = String(await freePort());
    const { url } = await testDatabase(folder);
    Object.assign(env, {
      ...(url && { DATABASE_URL: url }),
      LORE_HOME: home,
      LORE_PORT: port,
      LORE_URL: `http://127.0.0.1:${port}`,
      LORE_MODEL_DIR: inject('modelDir'),
      LORE_MASK: 'on',
      CLAUDE_CONFIG_DIR: join(folder, 'client-home', '.claude'),
      LORE_STEP_LEASE_SECONDS: '8',
    });
    await startServer();
  }
  const startServer = async () => {
    server = await startServerProcess(env);
    await until(async () => (await api('GET', '/health')).embedding.state === 'ready');
  };
  const stopServer = async () => {
    server?.kill('SIGTERM');
    await server?.finished;
  };

  /** Makes a project of these files, with the hooks that `lore init` writes. Returns its folder. */
  async function projectWith(name: string, files: Record<string, string>): Promise<string> {
    const dir = join(folder, name);
    mkdirSync(dir);
    for (const [file, content] of Object.entries(files)) writeFileSync(join(dir, file), content);
    await lore(['init', dir]);
    return dir;
  }

  /** Runs a session in one home for all, as on a laptop, so that it finds the earlier transcripts beside its own. */
  const session = (dir: string, turns: object[], prompt: string, { env: own, ...options }: Options = {}) =>
    playClient(dir, turns, prompt, { ...options, env: { CC_HOME: join(folder, 'client-home'), ...own } });

  return {
    ...{ folder, home, env, lore, api, setUp, startServer, stopServer, projectWith, session },
    tearDown: stopServer,
    sql: async (query: string): Promise<any[]> => (await api('POST', '/v1/sql', { query })).rows,
  };
}
