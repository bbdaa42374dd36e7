import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase, query } from '../../src/db/open.ts';
import { behindPooler, startPooler } from '../support/pgbouncer.ts';
import {
  emptyDatabase,
  type Process,
  preparedHome,
  runLore,
  startServerProcess,
  temporaryFolder,
} from '../support/process.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SECRET = 'the-secret-that-both-servers-share';
const KEY = 'the-key-of-the-owner-of-both-servers';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
async function ask(url: string, key: string, method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const call = (session: string, id: string) => ({
  hook_event_name: 'PostToolUse',
  session_id: session,
  transcript_path: '/nonexistent/transcript.jsonl',
  cwd: '/home/dev/pooled',
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command: `echo ${id}` },
  tool_response: { stdout: id, stderr: '', interrupted: false, isImage: false },
});

behindPooler.describe('through a transaction pooler', () => {
  let direct: string;
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  let env: Record<string, string>;
  let servers: (Process & { url: string })[];

  beforeAll(async () => {
    direct = (await emptyDatabase()) as string;
    pooler = await startPooler(direct);
    env = { LORE_PORT: '0', DATABASE_URL: pooler.url, LORE_KEY: KEY, LORE_SECRET: SECRET };
    const start = () => startServerProcess({ ...env, LORE_HOME: temporaryFolder() });
    servers = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    for (const server of servers ?? []) server.kill('SIGTERM');
    await Promise.all((servers ?? []).map(({ finished }) => finished));
    await pooler?.stop();
  });
  const [first, second] = [() => servers[0]?.url as string, () => servers[1]?.url as string];

  test('two servers that start at once migrate an empty database once, and leave no lock', async () => {
    const db = await openDatabase({ home: '', databaseUrl: direct });
    const [lock] = await query(
      db.drizzle,
      sql`select count(*)::int as locks from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and d.datname = current_database()`,
    );
    const [applied] = await query(
      db.drizzle,
      sql`select count(*) = count(distinct hash) and count(*) > 0 as once from drizzle.__drizzle_migrations`,
    );
    await db.close();
    expect({ ...lock, ...applied }).toEqual({ locks: 0, once: true });
  });

  test('it is said in the log, in /health and by lore doctor what does not work', async () => {
    for (const server of servers) expect(server.stderr()).toContain('leads through a transaction pooler');
    const { database } = (await ask(first(), KEY, 'GET', '/health')).body;
    expect(database).toMatchObject({ engine: 'postgres', ok: true });
    expect(database.pooler).toMatch(
      /no statement stays prepared and no notification arrives.*LORE_LISTEN_URL/,
    );
    const said = await runLore(['doctor'], {
      env: { ...env, LORE_URL: first(), LORE_HOME: temporaryFolder() },
    });
    expect(said.stdout).toMatch(/^ok +database +postgres, through a transaction pooler: .*LORE_LISTEN_URL/m);
  });

  test('of 400 events at both servers none is lost, and none is answered with an error', async () => {
    const sessions = Array.from({ length: 8 }, () => randomUUID());
    const ids = Array.from({ length: 400 }, (_, n) => `toolu_pooled_${n}`);
    const send = (id: string, n: number) =>
      ask(n % 2 ? first() : second(), KEY, 'POST', '/v1/hooks', call(sessions[n % 8] as string, id));
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    // not all at once: on a busy machine Node gives up on a connection whose first bytes it cannot read within 5 s
    for (let from = 0; from < ids.length; from += 100) {
      answers.push(...(await Promise.all(ids.slice(from, from + 100).map((id, n) => send(id, from + n)))));
    }
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const db = await openDatabase({ home: '', databaseUrl: direct });
    const stored = async () => {
      const rows = await query<{ id: string }>(
        db.drizzle,
        sql`select tool_use_id as id from events where tool_use_id like 'toolu_pooled_%'`,
      );
      return rows.map(({ id }) => id).sort();
    };
    await expect.poll(stored, { timeout: 60_000, interval: 200 }).toEqual(ids.toSorted());
    await db.close();
    for (const url of [first(), second()])
      expect((await ask(url, KEY, 'GET', '/v1/journal')).body).toMatchObject({ stuck: null, refused: [] });
    for (const server of servers) expect(server.stderr()).not.toMatch(/prepared statement/);
  });

  test('keys and verdicts of one server hold at the other', async () => {
    const { key } = (await ask(first(), KEY, 'POST', '/v1/users', { name: 'Ann' })).body;
    const check = async (url: string) =>
      (await ask(url, key, 'POST', '/v1/commands/check', { command: 'git push --force', cwd: '/home/dev/a' }))
        .body;
    const judged = await check(second());
    expect(judged.decision).not.toBe('allow');
    const overrule = () =>
      ask(first(), key, 'POST', '/v1/commands/overrule', { code: judged.code, decision: 'allow' });
    // the second server stores the check behind its answer
    await expect.poll(async () => (await overrule()).status, { timeout: 10_000 }).toBe(200);
    await expect.poll(async () => (await check(second())).decision, { timeout: 10_000 }).toBe('allow');

    const lost = (await ask(first(), key, 'POST', '/v1/keys', { name: 'lost', scope: 'device' })).body;
    const status = async () => (await ask(second(), lost.key, 'GET', '/v1/me')).status;
    expect(await status()).toBe(200);
    expect((await ask(first(), key, 'DELETE', `/v1/keys/${lost.id}`)).status).toBe(204);
    await expect.poll(status, { timeout: 10_000 }).toBe(401);
  });

  test('LORE_LISTEN_URL brings notifications, and must not lead through the pooler as well', async () => {
    const home = await preparedHome();
    const pooled = await startPooler(home.DATABASE_URL as string);
    const own = { ...home, DATABASE_URL: pooled.url, LORE_KEY: KEY };
    const listening = await startServerProcess({ ...own, LORE_LISTEN_URL: home.DATABASE_URL as string });
    const { database } = (await ask(listening.url, KEY, 'GET', '/health')).body;
    expect(database.pooler).toMatch(/notifications come over LORE_LISTEN_URL$/);
    listening.kill('SIGTERM');
    await listening.finished;
    const refused = await runLore(['start'], { env: { ...own, LORE_LISTEN_URL: pooled.url } });
    await pooled.stop();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(/LORE_LISTEN_URL.* did not arrive.*session mode/s);
  });
});

behindPooler.test('a way to the database is known for what it is, whatever the pool’s size', async () => {
  const { DATABASE_URL: direct = '' } = await preparedHome();
  const wayOf = async (url: string) => {
    const db = await openDatabase({ home: '', databaseUrl: url });
    await db.close();
    return db.way;
  };
  expect(await wayOf(direct)).toEqual({ pooled: false, hears: true });
  const through = async (options: Parameters<typeof startPooler>[1]) => {
    const { url, stop } = await startPooler(direct, options);
    return wayOf(url).finally(stop);
  };
  for (const size of [1, 2, 20]) expect(await through({ size })).toEqual({ pooled: true, hears: false });
  expect(await through({ mode: 'session', size: 20 })).toEqual({ pooled: false, hears: true });
});
