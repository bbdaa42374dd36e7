import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { beforeAll, expect, test, vi } from 'vitest';
import { openDatabase, query } from '../../src/db/open.ts';
import { fastFolder } from '../support/fast-folder.ts';
import { onPostgres } from '../support/needs.ts';
import {
  emptyDatabase,
  type Process,
  runLore,
  startLore,
  startServerProcess,
  temporaryFolder,
} from '../support/process.ts';
import { emptyHome, testDatabase } from '../support/server.ts';
import { admin } from '../support/supabase.ts';

// An embedded store is moved into PostgreSQL by the real command, and killed on the way.

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const KEY = 'the-key-of-the-owner-of-this-store';

const asking =
  (server: { url: string }, key: string) => async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
    const result = (await answer.json()) as any;
    expect(answer.ok, `${path}: ${JSON.stringify(result)}`).toBe(true);
    return result;
  };

async function stop(server: Process) {
  server.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
}

/** A data folder with an embedded store that holds something of many kinds. */
const store = { home: '', member: '' };

async function fillStore(): Promise<void> {
  store.home = emptyHome();
  const server = await startServerProcess({
    LORE_HOME: store.home,
    LORE_PORT: '0',
    LORE_KEY: KEY,
    LORE_MODEL: 'none',
  });
  const ask = asking(server, KEY);
  store.member = (await ask('POST', '/v1/users', { name: 'Ann' })).key;
  const session = { session_id: randomUUID(), cwd: '/home/dev/app', transcript_path: '/nonexistent/t.jsonl' };
  const hook = (hook_event_name: string, fields: object) =>
    ask('POST', '/v1/hooks', { ...session, hook_event_name, ...fields });
  await hook('SessionStart', {
    source: 'startup',
    lore: { root: '/home/dev/app', deliveryId: randomUUID() },
  });
  await hook('UserPromptSubmit', {
    prompt: 'Remember: never push to main. Größe 😀 \\N \t "x"',
    prompt_id: randomUUID(),
  });
  for (let i = 0; i < 200; i++) {
    const call = { tool_name: 'Bash', tool_input: { command: `echo ${i}` }, tool_use_id: `toolu_${i}` };
    await hook('PostToolUse', {
      ...call,
      tool_response: { stdout: `${i}\n`.repeat(200), stderr: '', interrupted: false },
    });
  }
  await hook('PreToolUse', {
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf /' },
    tool_use_id: 'toolu_rm',
  });
  await ask('POST', '/v1/notes', { project: 'app', content: 'The kettle boils over when the lid is shut.' });
  await ask('PUT', '/v1/facts', { type: 'kettle', key: 'colour', value: 'red' });
  await ask('PUT', '/v1/facts', { type: 'kettle', key: 'colour', value: 'blue' });
  await ask('POST', '/v1/plans', {
    project: 'app',
    goal: 'Tea',
    steps: [{ description: 'Boil water' }, { description: 'Pour', dependencies: [1] }],
  });
  await hook('SessionEnd', { reason: 'other' });
  // the note has its vector
  await vi.waitFor(async () => expect((await ask('GET', '/v1/index')).pending).toBe(0), { timeout: 90_000 });
  await stop(server);
}

/** Returns all rows of all tables, as text in an order of their own. */
async function everything(config: { home: string; url?: string }): Promise<Record<string, string[]>> {
  const db = await openDatabase({ home: config.home, databaseUrl: config.url });
  try {
    await db.drizzle.execute(sql`set timezone to 'UTC'`);
    const tables = await query<{ name: string; columns: string }>(
      db.drizzle,
      sql`select format('%I.%I', n.nspname, c.relname) as name,
            string_agg(quote_ident(a.attname), ', ' order by a.attname) as columns
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
            join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          where n.nspname in ('public', 'lore') and c.relkind = 'r' and c.relpersistence = 'p'
          group by 1 order by 1`,
    );
    const rows: Record<string, string[]> = {};
    for (const { name, columns } of tables) {
      const found = await query<{ line: string }>(
        db.drizzle,
        sql.raw(`select row(${columns})::text as line from ${name}`),
      );
      if (found.length > 0) rows[name] = found.map(({ line }) => line).sort();
    }
    return rows;
  } finally {
    await db.close();
  }
}

/** Returns one hash of all files in a folder, with their names. */
const filesOf = (folder: string) =>
  execFileSync('sh', ['-c', 'find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum'], {
    cwd: folder,
  }).toString();

const copyOfStore = () => {
  const home = join(temporaryFolder(fastFolder), 'home');
  cpSync(store.home, home, { recursive: true });
  return home;
};

const target = async () => (await testDatabase()).url as string;
const move = (url: string) => ['migrate-to', url, '--yes'];
const run = (home: string, url: string, more: string[] = []) =>
  runLore([...move(url), ...more], { env: { LORE_HOME: home, LORE_URL: 'http://127.0.0.1:9' } });

onPostgres.describe('lore migrate-to', () => {
  let expected: Record<string, string[]>;
  beforeAll(async () => {
    await fillStore();
    expected = await everything({ home: copyOfStore() });
  });

  test('moves every row, keys and verdicts too; the store stays as it is, and a server goes on with the target', async () => {
    for (const table of [
      'profiles',
      'api_keys',
      'events',
      'notes',
      'facts',
      'command_checks',
      'search_documents',
    ])
      expect(expected[`public.${table}`]?.length, table).toBeGreaterThan(0);
    expect(expected['lore.instance']).toHaveLength(1);
    const home = copyOfStore();
    const before = filesOf(join(home, 'pgdata'));
    const url = (await emptyDatabase()) as string;

    const moved = await run(home, url, ['--json']);
    expect(moved.code, moved.stderr).toBe(0);
    const said = JSON.parse(moved.stdout);
    expect(said).toMatchObject({ already: false, store: join(home, 'pgdata') });
    expect(said.rows).toBe(Object.values(expected).flat().length);
    expect(await everything({ home, url })).toEqual(expected);
    expect(filesOf(join(home, 'pgdata'))).toBe(before);
    expect(existsSync(join(home, 'pgdata.moving'))).toBe(false);

    // nothing is left of what the move needed
    await admin(url, async (client) => {
      expect(await client`select tgname from pg_trigger where tgenabled <> 'O'`).toEqual([]);
      const lax = await client`select conname from pg_constraint where contype = 'f' and condeferrable`;
      expect(lax).toEqual([]);
    });

    // again: it is there already
    expect(await run(home, url)).toMatchObject({ code: 0, stdout: expect.stringContaining('Moved already') });

    const server = await startServerProcess({
      LORE_HOME: home,
      LORE_PORT: '0',
      DATABASE_URL: url,
      LORE_MODEL: 'none',
    });
    const ask = asking(server, KEY);
    expect(await ask('GET', '/v1/me')).toMatchObject({ role: 'owner' });
    expect(await asking(server, store.member)('GET', '/v1/me')).toMatchObject({ name: 'Ann' });
    const found = async () =>
      (await ask('POST', '/v1/search', { query: 'water heater spills' })).results.map(
        ({ content }: { content: string }) => content,
      );
    // by its vector, which was moved: no word of it is asked for
    await expect.poll(found, { timeout: 90_000 }).toContain('The kettle boils over when the lid is shut.');
    // identity columns go on behind the last number
    await ask('POST', '/v1/notes', { project: 'app', content: 'The tea is green.' });
    await ask('PUT', '/v1/facts', { type: 'kettle', key: 'colour', value: 'green' });
    await stop(server);

    // now it was used there
    const used = await run(home, url);
    expect(used.code).toBe(1);
    expect(used.stderr).toMatch(/(?:public|lore)\.\w+ has \d+ rows here and \d+ in the target/);
  });

  test('what was acknowledged and not stored yet goes into the new database', async () => {
    const home = copyOfStore();
    const url = await target();
    const settings = { LORE_HOME: home, LORE_PORT: '0', LORE_KEY: KEY, LORE_MODEL: 'none' };
    const killed = await startServerProcess(settings);
    const session = { session_id: randomUUID(), cwd: '/home/dev/app', prompt_id: randomUUID() };
    const prompt = { ...session, hook_event_name: 'UserPromptSubmit', prompt: 'the last words' };
    await asking(killed, KEY)('POST', '/v1/hooks', prompt);
    killed.kill('SIGKILL');
    await killed.finished;
    const moved = await run(home, url);
    expect(moved.code, moved.stderr).toBe(0);
    const server = await startServerProcess({ ...settings, DATABASE_URL: url });
    const { events } = await asking(server, KEY)('GET', `/v1/sessions/${session.session_id}`);
    expect(events.map(({ event }: { event: string }) => event)).toEqual(['UserPromptSubmit']);
    await stop(server);
  });

  test('is refused while a server runs, for an agent, without a store, and where other data is', async () => {
    const home = copyOfStore();
    const url = await target();
    const server = await startServerProcess({ LORE_HOME: home, LORE_PORT: '0', LORE_MODEL: 'none' });
    expect(await run(home, url)).toMatchObject({ code: 1, stderr: expect.stringContaining('is served by') });
    await stop(server);

    const agent = await runLore(['migrate-to', url, '--yes'], { env: { LORE_HOME: home, CLAUDECODE: '1' } });
    expect(agent).toMatchObject({ code: 1, stderr: expect.stringContaining('Only a person') });
    expect(await runLore(['migrate-to', '--yes'], { env: { LORE_HOME: home } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DATABASE_URL'),
    });
    const nothing = join(copyOfStore(), 'nothing');
    expect(await run(nothing, url)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no whole embedded database'),
    });

    await admin(
      url,
      (client) =>
        client`insert into profiles (user_id, name, role) values (gen_random_uuid(), 'Bob', 'member')`,
    );
    const before = await everything({ home, url });
    expect(await run(home, url)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not empty.*public\.profiles/s),
    });
    expect(await everything({ home, url })).toEqual(before);
  });

  test('says which role it needs', async () => {
    const url = await target();
    const role = `lore_test_move_${Math.random().toString(36).slice(2, 10)}`;
    await admin(url, (client) => client.unsafe(`create role ${role} login; grant lore_server to ${role}`));
    const refused = await run(copyOfStore(), Object.assign(new URL(url), { username: role }).href);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/does not own.*LORE_MIGRATE_URL/s),
    });
    await admin(url, (client) => client.unsafe(`drop owned by ${role}; drop role ${role}`));
  });

  test('is killed at any point: the target has nothing of the store or all of it, and the next run ends the same', async () => {
    const home = copyOfStore();
    const files = filesOf(join(home, 'pgdata'));
    const begun = performance.now();
    expect(await run(home, await target())).toMatchObject({ code: 0 });
    const takes = performance.now() - begun;
    const seen = new Set<string>();
    const kills = 4;
    for (let n = 0; n < kills; n++) {
      const url = await target();
      const process = startLore(move(url), {
        env: { LORE_HOME: home, LORE_URL: 'http://127.0.0.1:9' },
      });
      await Promise.race([sleep((takes * (n + Math.random())) / kills), process.finished]);
      process.kill('SIGKILL');
      await process.finished;
      const client = postgres(url, { max: 1, onnotice: () => {} });
      // PostgreSQL takes a moment to notice that the other side is gone
      await expect
        .poll(
          async () =>
            (
              await client`select count(*)::int as n from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid()`
            )[0]?.n,
          { timeout: 30_000 },
        )
        .toBe(0);
      await client.end();
      const there = await everything({ home, url });
      const whole = JSON.stringify(there) === JSON.stringify(expected);
      seen.add(whole ? 'whole' : Object.keys(there).join());
      const again = await run(home, url);
      expect(again.code, again.stderr).toBe(0);
      expect(again.stdout.startsWith(whole ? 'Moved already' : 'Moved: ')).toBe(true);
      expect(await everything({ home, url })).toEqual(expected);
    }
    for (const state of seen) expect(['whole', 'lore.instance']).toContain(state);
    expect(filesOf(join(home, 'pgdata'))).toBe(files);
  });
});
