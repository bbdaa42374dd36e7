// Starts a real server in a separate process, as `npm start` does.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/base/files/package-root.ts';
import { asking, insisting } from '../support/asking.ts';
import { freePort } from '../support/loopback.ts';
import type { Store } from './store.ts';

export const root = fileURLToPath(packageRoot);

/** Times of an answer in milliseconds: as the client sees it, and inside the server, from its Server-Timing header. */
export type Timing = { client: number; server: number };

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
  /** posts a hook event; rejects unless the answer is 200, and with a TypeError if there is none */
  hook(event: object): Promise<Timing>;
  sql(query: string): Promise<Record<string, unknown>[]>;
  /** resident memory of the server and of the embedding process, in MB */
  memory(): { server: number; embedding: number };
  stop(): Promise<void>;
  /** kill -9, so the server cannot finish or write anything */
  kill(): Promise<void>;
};

/**
 * Starts a server on a free port. Resolves when it is healthy.
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
  const port = await freePort();
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
  const killed = () => child.kill();
  process.once('exit', killed);
  const end = async (signal: NodeJS.Signals) => {
    process.off('exit', killed);
    child.kill(signal);
    await ended;
  };
  const kill = () => end('SIGKILL');
  const health = async () => (await asking(url, null)('GET', '/health')).body;
  const ready = healthy().then((startMs) => connected(startMs));
  ready.catch(() => {}); // a caller that kills the server does not wait for `ready`
  return { ready, kill };

  async function healthy(): Promise<number> {
    while ((await health().catch(() => null))?.status !== 'ok') {
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
    const pid = child.pid as number;
    return {
      ...{ url, key, env, pid, startMs },
      async settled() {
        for (let calm = 0; calm < 3; ) {
          const { embedding } = await health();
          if (embedding.state === 'unavailable') throw new Error('the embedding model could not be loaded');
          calm = embedding.state === 'ready' && !embedding.pending ? calm + 1 : 0;
          await sleep(300);
        }
      },
      async hook(event) {
        const sent = performance.now();
        const { status, headers, body } = await asking(url, key)('POST', '/v1/hooks', event);
        const client = performance.now() - sent;
        if (status !== 200) throw new Error(`hook: ${status} ${JSON.stringify(body)}`);
        return { client, server: Number(/dur=([\d.]+)/.exec(headers.get('server-timing') ?? '')?.[1]) };
      },
      sql: async (query) => (await insisting(url, key)('POST', '/v1/sql', { query })).rows,
      memory: () => residentMemory(pid),
      stop: () => end('SIGTERM'),
      kill,
    };
  }
}

function residentMemory(pid: number): { server: number; embedding: number } {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n');
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const sum = (column: number) =>
    processes.filter((one) => one[column] === pid).reduce((all, one) => all + (one[2] ?? 0) / 1024, 0);
  return { server: sum(0), embedding: sum(1) };
}
