// A real server, as `npm start` runs it, in a process of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../src/package-root.ts';

export const root = fileURLToPath(packageRoot);

type Health = { status: string; embedding: { state: string; pending: number } };
/** Milliseconds: as the client sees it, and within the server by its Server-Timing header. */
export type Timing = { client: number; server: number };

export type Lore = {
  url: string;
  env: NodeJS.ProcessEnv;
  /** milliseconds from the start of the process until /health said ok */
  startMs: number;
  /** resolves when the model is loaded and nothing waits to be embedded */
  settled(): Promise<void>;
  /** posts a hook event over a connection that is kept open; rejects unless it is answered with 200 */
  hook(event: object): Promise<Timing>;
  /** a request with the owner's key; rejects unless it is answered with 200 or 201 */
  post(path: string, body: object): Promise<{ text: string; timing: Timing }>;
  sql(query: string): Promise<Record<string, unknown>[]>;
  /** resident memory in MB, of the server and of the process that embeds */
  memory(): { server: number; embedding: number };
  stop(): Promise<void>;
};

export async function startLore(home: string): Promise<Lore> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, LORE_HOME: home, LORE_PORT: String(port), LORE_URL: url, DATABASE_URL: '' };
  const started = performance.now();
  const child = spawn(process.execPath, ['bin/lore.js', 'start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  const agent = new Agent({ keepAlive: true });
  const health = () => get(`${url}/health`, agent);
  for (;;) {
    if ((await health())?.status === 'ok') break;
    if (child.exitCode !== null || performance.now() - started > 60_000)
      throw new Error('the server did not start');
    await sleep(5);
  }
  const startMs = performance.now() - started;
  const key = readFileSync(join(home, 'key'), 'utf8').trim();
  const post = (path: string, body: object) => send(`${url}${path}`, agent, key, JSON.stringify(body));

  return {
    url,
    env,
    startMs,
    async settled() {
      for (let calm = 0; calm < 3; ) {
        const embedding = (await health())?.embedding;
        if (embedding?.state === 'unavailable') throw new Error('the embedding model could not be loaded');
        calm = embedding?.state === 'ready' && embedding.pending === 0 ? calm + 1 : 0;
        await sleep(300);
      }
    },
    post,
    hook: async (event) => (await post('/v1/hooks', event)).timing,
    sql: async (query) => JSON.parse((await post('/v1/sql', { query })).text).rows,
    memory: () => residentMemory(child),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      process.off('exit', end);
      child.kill('SIGTERM');
      agent.destroy();
      await ended;
    },
  };
}

/** A port that nothing listens on just now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const get = (url: string, agent: Agent): Promise<Health | null> =>
  new Promise((resolve) => {
    request(url, { agent }, async (response) => resolve(JSON.parse(await textOf(response))))
      .on('error', () => resolve(null))
      .end();
  });

function send(
  url: string,
  agent: Agent,
  key: string,
  body: string,
): Promise<{ text: string; timing: Timing }> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = performance.now();
    request(url, { method: 'POST', agent, headers }, async (response) => {
      const text = await textOf(response);
      const client = performance.now() - sent;
      if (response.statusCode !== 200 && response.statusCode !== 201)
        return reject(new Error(`${url}: ${response.statusCode} ${text}`));
      const server = Number(/dur=([\d.]+)/.exec(String(response.headers['server-timing']))?.[1]);
      resolve({ text, timing: { client, server } });
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
  for (const line of execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')) {
    const [own, parent, kilobytes] = line.trim().split(/\s+/).map(Number);
    if (own === pid) memory.server += (kilobytes ?? 0) / 1024;
    if (parent === pid) memory.embedding += (kilobytes ?? 0) / 1024;
  }
  return memory;
}
