// Starts a real server in a separate process, as `npm start` does.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/base/files/package-root.ts';
import { freePort } from '../support/loopback.ts';
import type { Store } from './store.ts';

export const root = fileURLToPath(packageRoot);

type Health = { status: string; embedding: { state: string; pending: boolean } };
/** Times of an answer in milliseconds: as the client sees it, and inside the server, from its Server-Timing header. */
export type Timing = { client: number; server: number };
type Answer = { text: string; timing: Timing };

export type Lore = {
  url: string;
  /** the owner's */
  key: string;
  env: NodeJS.ProcessEnv;
  pid: number;
  /** milliseconds from the start of the process until /health answered ok */
  startMs: number;
  /** resolves when the model is loaded and nothing waits to be embedded */
  settled(): Promise<void>;
  /** posts a hook event over a kept-alive connection; rejects unless the answer is 200 */
  hook(event: object): Promise<Timing>;
  /** sends a request with the owner's key; rejects unless the answer is 200 or 201 */
  post(path: string, body: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
  sql(query: string): Promise<Record<string, unknown>[]>;
  /** resident memory of the server and of the embedding process, in MB */
  memory(): { server: number; embedding: number };
  stop(): Promise<void>;
  /** kill -9, so the server cannot finish or write anything */
  kill(): Promise<void>;
};

/**
 * Starts a server on a free port, or on LORE_PORT if `env` has it. Resolves when it is healthy.
 *
 * @param args of Node
 */
export const startLore = async (store: Store, env?: NodeJS.ProcessEnv, args?: string[]): Promise<Lore> =>
  (await launchLore(store, env, args)).ready;

/**
 * Starts a server that can be killed before it is healthy. `ready` rejects if the process ends before it is healthy, or
 * needs more than a minute.
 */
export async function launchLore(
  store: Store,
  settings: NodeJS.ProcessEnv = {},
  args: string[] = [],
): Promise<{ ready: Promise<Lore>; kill(): Promise<void> }> {
  const port = Number(settings.LORE_PORT ?? (await freePort()));
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    ...settings,
    LORE_HOME: store.home,
    LORE_PORT: String(port),
    // an agent may run this
    LORE_CHECK_SENDER: 'off',
    CLAUDE_CONFIG_DIR: dirname(store.home),
    LORE_URL: url,
    DATABASE_URL: store.databaseUrl ?? '',
  };
  const started = performance.now();
  const child = spawn(process.execPath, [...args, 'bin/lore.js', 'start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const agent = new Agent({ keepAlive: true });
  const killed = () => child.kill();
  process.once('exit', killed);
  const end = async (signal: NodeJS.Signals) => {
    process.off('exit', killed);
    child.kill(signal);
    agent.destroy();
    await ended;
  };
  const kill = () => end('SIGKILL');
  const ready = healthy().then((startMs) => connected(startMs));
  ready.catch(() => {}); // a caller that kills the server does not wait for `ready`
  return { ready, kill };

  async function healthy(): Promise<number> {
    while (!(await health(url, agent).catch(() => null))) {
      if (child.exitCode !== null || child.signalCode !== null || performance.now() - started > 60_000) {
        await kill();
        throw new Error('the server did not start');
      }
      await sleep(5);
    }
    return performance.now() - started;
  }

  function connected(startMs: number): Lore {
    const key = readFileSync(join(store.home, 'key'), 'utf8').trim();
    const post = (path: string, body: object) => ask(`${url}${path}`, agent, key, JSON.stringify(body));
    return {
      url,
      key,
      env,
      pid: child.pid as number,
      startMs,
      async settled() {
        for (let calm = 0; calm < 3; ) {
          const embedding = (await health(url, agent))?.embedding;
          if (embedding?.state === 'unavailable') throw new Error('the embedding model could not be loaded');
          calm = embedding?.state === 'ready' && !embedding.pending ? calm + 1 : 0;
          await sleep(300);
        }
      },
      post,
      get: (path) => ask(`${url}${path}`, agent, key),
      hook: async (event) => (await post('/v1/hooks', event)).timing,
      sql: async (query) => JSON.parse((await post('/v1/sql', { query })).text).rows,
      memory: () => residentMemory(child),
      stop: () => end('SIGTERM'),
      kill,
    };
  }
}

/** Returns the answer of /health; null while the server is degraded. */
async function health(url: string, agent: Agent): Promise<Health | null> {
  const health: Health = JSON.parse((await ask(`${url}/health`, agent)).text);
  return health.status === 'ok' ? health : null;
}

/** Sends a GET, or a POST if there is a body. */
function ask(url: string, agent: Agent, key?: string, body?: string): Promise<Answer> {
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
  };
  return new Promise((resolve, reject) => {
    const sent = performance.now();
    const method = body === undefined ? 'GET' : 'POST';
    request(url, { method, agent, headers }, async (response) => {
      try {
        const text = await textOf(response);
        const client = performance.now() - sent;
        if (response.statusCode !== 200 && response.statusCode !== 201)
          throw new Error(`${url}: ${response.statusCode} ${text}`);
        const server = Number(/dur=([\d.]+)/.exec(String(response.headers['server-timing']))?.[1]);
        resolve({ text, timing: { client, server } });
      } catch (error) {
        reject(error);
      }
    })
      .on('error', reject)
      .end(body);
  });
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function residentMemory({ pid }: ChildProcess): { server: number; embedding: number } {
  const memory = { server: 0, embedding: 0 };
  for (const process of processes()) {
    if (process.pid === pid) memory.server += process.kilobytes / 1024;
    if (process.parent === pid) memory.embedding += process.kilobytes / 1024;
  }
  return memory;
}

function processes(): { pid: number; parent: number; kilobytes: number }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = 0, parent = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
    return { pid, parent, kilobytes };
  });
}
