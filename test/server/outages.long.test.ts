import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { expect, onTestFinished, test, vi } from 'vitest';
import { insisting } from '../support/asking.ts';
import { hookSession } from '../support/hook-session.ts';
import { needs } from '../support/needs.ts';
import { networkTo } from '../support/network.ts';
import { pgbouncer, startPooler } from '../support/pgbouncer.ts';
import { freePort, startServerProcess, temporaryFolder } from '../support/process.ts';
import type { TestServer } from '../support/server.ts';
import { request } from './support.ts';

// PostgreSQL, the pooler and the network before it go away and come back, while hooks are sent. No server ends, none fails to
// start, and nothing acknowledged is lost.

vi.setConfig({ testTimeout: 300_000 });

const bin = process.env.TEST_PG_BIN;
const withOwnPostgres = needs(
  'the programs of PostgreSQL 17 with pgvector (TEST_PG_BIN=…/bin), and pgbouncer',
  bin && pgbouncer,
);
const PATIENT = { timeout: 60_000, interval: 100 };
const KEY = 'the-key-of-the-owner-of-these-servers';
const KEPT = { env: { PATH: process.env.PATH, LC_ALL: 'C' } };
/** PostgreSQL refuses to run as root. */
const AS = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Makes a server of PostgreSQL that the test may stop. */
async function ownPostgres() {
  const folder = temporaryFolder();
  if (AS.uid) chownSync(folder, AS.uid, AS.gid);
  const port = await freePort();
  const data = join(folder, 'data');
  execFileSync(join(bin as string, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'], {
    ...AS,
    ...KEPT,
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const begin = async () => {
    const args = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', folder];
    const child = spawn(join(bin as string, 'postgres'), args, { ...AS, ...KEPT, stdio: 'ignore' });
    await expect.poll(() => sql(url, 'select 1').catch(() => []), PATIENT).toHaveLength(1);
    return async (signal: NodeJS.Signals) => {
      const ended = once(child, 'close');
      child.kill(signal);
      await ended;
    };
  };
  let end = await begin();
  onTestFinished(() => end('SIGQUIT'));
  return {
    url,
    stop: (signal: NodeJS.Signals) => end(signal),
    async start() {
      end = await begin();
    },
  };
}

/** Runs a statement over a connection of its own. */
async function sql(url: string, statement: string) {
  const client = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 2 });
  try {
    return await client.unsafe(statement);
  } finally {
    await client.end({ timeout: 1 });
  }
}

withOwnPostgres.describe('while the database goes away and comes back', () => {
  test.each([
    { servers: 1, pooled: false },
    { servers: 1, pooled: true },
    { servers: 2, pooled: true },
  ])('$servers server(s), behind a pooler: $pooled', async ({ servers: count, pooled }) => {
    const database = await ownPostgres();
    let pooler = pooled ? await startPooler(database.url, { size: 20 }) : null;
    onTestFinished(async () => pooler?.stop());
    const net = await networkTo(pooler?.url ?? database.url);
    onTestFinished(net.close);
    const env = {
      LORE_PORT: '0',
      LORE_KEY: KEY,
      LORE_SECRET: randomUUID(),
      LORE_MODEL_DIR: '',
      DATABASE_URL: `${net.url}${pooled ? '?prepare=false' : ''}`,
      ...(pooled && { LORE_LISTEN_URL: database.url, LORE_MIGRATE_URL: database.url }),
    };
    const start = async () => {
      const server = await startServerProcess({ ...env, LORE_HOME: temporaryFolder() });
      onTestFinished(async () => {
        server.kill('SIGTERM');
        expect(await server.finished).toMatchObject({ code: 0, signal: null });
      });
      return server;
    };
    const servers = [await start()];
    while (servers.length < count) servers.push(await start());

    const acknowledged: string[] = [];
    let sending = true;
    const streams = servers.map(async ({ url }, of) => {
      for (let i = 0; sending; i++) {
        const id = `toolu_${of}_${i}`;
        const event = {
          ...{
            session_id: `away-${of}`,
            cwd: '/home/dev/away',
            hook_event_name: 'PostToolUse',
            tool_name: 'Bash',
          },
          ...{ tool_use_id: id, tool_input: { command: `echo ${id}` }, tool_response: { stdout: id } },
        };
        // a server that has ended answers nothing, and that fails the test
        const answer = await request(url, KEY, 'POST', '/v1/hooks', event);
        expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
        acknowledged.push(id);
        await sleep(10);
      }
    });
    const stored = async () => {
      const rows = await sql(
        database.url,
        `select tool_use_id as id from events where tool_use_id like 'toolu_%'`,
      );
      return rows.map(({ id }) => String(id));
    };
    /** Resolves when what is sent from now on is stored. */
    const recovered = async () => {
      const last = acknowledged.length + 20;
      await expect.poll(() => acknowledged.length, PATIENT).toBeGreaterThan(last);
      const wanted = acknowledged.slice(0, last);
      const lacking = async () => {
        const there = new Set(await stored());
        return wanted.filter((id) => !there.has(id)).length;
      };
      await expect.poll(lacking, PATIENT).toBe(0);
    };

    const load = Promise.all(streams);
    const work = async () => {
      await recovered();
      for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
        await database.stop(signal);
        await sleep(4_000);
        // one that starts meanwhile waits
        const late = start();
        await sleep(2_000);
        await database.start();
        expect((await request((await late).url, KEY, 'GET', '/v1/me')).status).toBe(200);
        await recovered();
      }
      if (pooler) {
        await pooler.stop();
        await sleep(1_000);
        pooler = await startPooler(database.url, { size: 20, port: pooler.port });
        await recovered();
      }
      for (const ms of [0, 3_000]) {
        net.state.cut = true;
        net.drop();
        await sleep(ms);
        net.state.cut = false;
        await recovered();
      }
    };
    await Promise.race([load, work()]);
    sending = false;
    await load;
    await expect.poll(async () => (await stored()).length, PATIENT).toBe(acknowledged.length);
    expect((await stored()).sort()).toEqual(acknowledged.sort());

    // what a person said, and one server obeys, the other obeys too
    const [one, other] = servers.map(({ url }) => {
      const hook = insisting(url, KEY);
      const given = { hook: (event: unknown) => hook('POST', '/v1/hooks', event) } as TestServer;
      return hookSession(given, { cwd: '/home/dev/agree', sessionId: 'agree' });
    });
    if (!one || !other) return;
    await one.start();
    await one.prompt('Never run npm test in this project.');
    await one.stop('All right.');
    await expect.poll(() => one.decisionOn('npm test'), PATIENT).toBe('ask');
    await expect.poll(() => other.decisionOn('npm test'), PATIENT).toBe('ask');
  });
});
