import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, inject } from 'vitest';
import { temporaryFolder } from './left-behind.ts';
import { needs } from './needs.ts';
import { testDatabase } from './server.ts';

// Runs the real client against a scripted model, with the hooks that `lore init` wrote. LORE_REAL_CLIENT names a
// harness `run.sh PROJECT SCRIPT.json PROMPT` that leaves requests.jsonl (what the model was sent) in $OUT.
export const harness = process.env.LORE_REAL_CLIENT;
export const inClient = needs('the genuine client (LORE_REAL_CLIENT)', harness);

const run = promisify(execFile);

export const until = async (condition: () => Promise<boolean>) => {
  for (let i = 0; i < 100; i++) {
    if (await condition()) return;
    await sleep(100);
  }
  throw new Error('waited in vain');
};

/** A call of the client's shell. */
export const bash = (command: string) => ({ tool: 'Bash', input: { command, description: 'run it' } });

/** One server, and sessions of the client with the hooks that `lore init` writes into their projects. */
export function realClient() {
  const folder = harness ? temporaryFolder() : '';
  const home = join(folder, 'home');
  const env: NodeJS.ProcessEnv = {};
  let server: ChildProcess | undefined;

  const lore = async (args: string[], extra: NodeJS.ProcessEnv = {}) =>
    (await run('node', ['bin/lore.js', ...args], { env: { ...env, ...extra } })).stdout;
  // biome-ignore lint/suspicious/noExplicitAny: if it is not what a test expects, the test fails
  async function sql(query: string): Promise<any[]> {
    const authorization = `Bearer ${readFileSync(join(home, 'key'), 'utf8').trim()}`;
    const answer = await fetch(`${env.LORE_URL}/v1/sql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { rows: unknown[] }).rows;
  }

  /** starts the server on a free port, with a database of its own */
  async function setUp() {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const port = String((probe.address() as { port: number }).port);
    probe.close();
    const database = await testDatabase();
    Object.assign(env, process.env, {
      LORE_HOME: home,
      LORE_PORT: port,
      LORE_URL: `http://127.0.0.1:${port}`,
      LORE_MODEL_DIR: inject('modelDir'),
      LORE_MASK: 'on',
      CLAUDE_CONFIG_DIR: join(folder, 'client-home', '.claude'),
      LORE_STEP_LEASE_SECONDS: '8',
      ...(database.url && { DATABASE_URL: database.url }),
    });
    await startServer();
  }

  async function tearDown() {
    await stopServer();
    rmSync(folder, { recursive: true, force: true });
  }

  async function startServer() {
    server = spawn('node', ['bin/lore.js', 'start'], { env, stdio: 'ignore' });
    for (let i = 0; i < 1_500; i++) {
      const health = (await fetch(`${env.LORE_URL}/health`).then(
        (r) => r.json(),
        () => null,
      )) as { embedding?: { state: string } } | null;
      if (health?.embedding?.state === 'ready') return;
      await sleep(100);
    }
    throw new Error('the server did not start');
  }

  async function stopServer() {
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server?.kill('SIGTERM');
    await ended;
  }

  /** Makes a project of these files, with the hooks that `lore init` writes. Returns its folder. */
  async function projectWith(name: string, files: Record<string, string>): Promise<string> {
    const dir = join(folder, name);
    mkdirSync(dir);
    for (const [file, content] of Object.entries(files)) writeFileSync(join(dir, file), content);
    await lore(['init', dir]);
    return dir;
  }

  let runs = 0;
  /** Runs one session of the client. Returns what its model was sent, and the folder of its transcript. */
  async function session(
    dir: string,
    turns: object[],
    prompt: string,
    {
      extra = {},
      more = [],
      agents = {},
    }: { extra?: NodeJS.ProcessEnv; more?: string[]; agents?: Record<string, object[]> } = {},
  ) {
    const out = join(folder, `out-${runs++}`);
    mkdirSync(out);
    writeFileSync(join(out, 'script.json'), JSON.stringify({ turns, agents }));
    await run(harness as string, [dir, join(out, 'script.json'), prompt, '--', ...more], {
      // all sessions share one home, as on a laptop, so the next session finds the earlier transcripts beside its own
      env: { ...process.env, OUT: out, ISOLATE: '0', CC_HOME: join(folder, 'client-home'), ...extra },
    });
    const all = readFileSync(join(out, 'requests.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const requests = all.filter((request) => request.kind === 'main');
    return {
      requests,
      /** what the model of a subagent was sent first */
      sentTo: (agent: string) =>
        JSON.stringify(all.find((request) => request.kind === `agent:${agent}`)?.body.messages),
      sent: (n: number) => JSON.stringify(requests[n]?.body.messages),
      result: JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')),
    };
  }

  return { folder, home, env, lore, sql, setUp, tearDown, startServer, stopServer, projectWith, session };
}
