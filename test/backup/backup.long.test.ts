import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { daily, rowsOf, writeBackup } from '../../src/backup/backup.ts';
import { type Database, openDatabase, query } from '../../src/db/open.ts';
import { hookSession } from '../support/hook-session.ts';
import { liveClient, subscribed } from '../support/live.ts';
import { embedded, withPostgresPrograms } from '../support/needs.ts';
import { preparedHome, runLore, startHere, temporaryFolder } from '../support/process.ts';
import { startTestServer, testDatabase } from '../support/server.ts';

const server = await startTestServer();
const lore = (args: string[], more: NodeJS.ProcessEnv = {}) =>
  runLore(args, { env: { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key, ...more } });

embedded.test(
  'a backup of a running server is restored with every row, and what was there is kept',
  async () => {
    const session = hookSession(server);
    await session.start();
    await session.prompt('Remember: never push to main.');
    await session.bashWorks('git status');
    await session.stop('Understood.');
    await server.settled();

    const folder = join(temporaryFolder(), 'copy');
    // what is acknowledged while the backup begins is in it, or comes after it
    const [made] = await Promise.all([lore(['backup', folder, '--json']), session.prompt('go on')]);
    expect(made).toMatchObject({ code: 0 });
    const { rows, engine } = JSON.parse(made.stdout);
    expect(engine).toBe('pglite');
    expect(rows['public.learnings']).toBeGreaterThan(0);
    expect(await rowsOf(folder)).toEqual(rows);

    // another data folder, with a database of its own
    const prepared = await preparedHome();
    const home = prepared.LORE_HOME;
    const other = await startHere(prepared);
    expect(await lore(['restore', folder, '--yes'], { LORE_HOME: home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is served by'),
    });
    other.kill('SIGTERM');
    await other.finished;
    const restored = await lore(['restore', folder, '--yes'], { LORE_HOME: home });
    expect(restored).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('What was there before lies in'),
    });
    expect(readFileSync(join(home, 'key'), 'utf8')).toBe(readFileSync(join(server.home, 'key'), 'utf8'));
    expect(readdirSync(home).filter((name) => name.startsWith('pgdata.before-'))).toHaveLength(1);
    expect(await rowsOf(home)).toEqual(rows);
  },
  120_000,
);

embedded.test('a backup is made while the page is open', async () => {
  const client = await liveClient(server, server.key);
  await subscribed(
    client
      .channel('open')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'learnings' }, () => {}),
  );
  expect(await lore(['backup', join(temporaryFolder(), 'copy')])).toMatchObject({ code: 0 });
});

embedded.test('a backup that was damaged, is none, or is of a newer version is not taken', async () => {
  const folder = join(temporaryFolder(), 'copy');
  expect(await lore(['backup', folder])).toMatchObject({ code: 0 });
  const manifest = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  const restoreOf = (change: object) => {
    writeFileSync(join(folder, 'backup.json'), JSON.stringify({ ...manifest, ...change }));
    return lore(['restore', folder, '--yes'], { LORE_HOME: join(temporaryFolder(), 'home') });
  };
  expect(await restoreOf({ version: '99.0.0' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('update Lore'),
  });
  const rows = { ...manifest.rows, 'public.users': manifest.rows['public.users'] + 1 };
  expect(await restoreOf({ rows })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is damaged'),
  });
  rmSync(join(folder, 'backup.json'));
  expect(
    await lore(['restore', folder, '--yes'], { LORE_HOME: join(temporaryFolder(), 'home') }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('backup.json'),
  });
});

test('a folder that cannot be one for a backup is refused, and left as it is', async () => {
  const full = temporaryFolder();
  writeFileSync(join(full, 'mine.txt'), 'x');
  for (const [folder, detail] of [
    [full, 'exists already'],
    ['relative/path', 'no absolute path'],
    [join(full, 'not', 'there'), 'does not exist'],
    [join(server.home, 'pgdata', 'copy'), 'lies in the database'],
  ] as const)
    expect(await server.request('POST', '/v1/backup', { body: { folder } }), folder).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail) },
    });
  expect(readdirSync(full)).toEqual(['mine.txt']);
});

test('only the owner in person writes one: no member, no hooks key, nothing below an agent', async () => {
  const member = await server.member();
  expect(
    await server.request('POST', '/v1/backup', { key: member.key, body: { folder: '/tmp/copy' } }),
  ).toMatchObject({
    status: 403,
  });
  const { body } = await server.request('POST', '/v1/keys', { body: { name: 'hooks', scope: 'hooks' } });
  expect(
    await server.request('POST', '/v1/backup', { key: body.key, body: { folder: '/tmp/copy' } }),
  ).toMatchObject({
    status: 403,
  });
  for (const command of ['backup', 'restore'])
    expect(await lore([command, '/tmp/x'], { CLAUDECODE: '1' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Only a person'),
    });
});

embedded.test('a copy is made each day, and the last three are kept', async () => {
  const home = temporaryFolder();
  const db = await openDatabase({ home, databaseUrl: undefined });
  const services = { config: { home, databaseUrl: undefined }, db, journal: null };
  const day = 24 * 3_600_000;
  const start = Date.now();
  const made: (string | null)[] = [];
  for (let n = 0; n < 5; n++) {
    const folder = await daily(services, new Date(start + n * day));
    made.push(folder);
    // the next one is due a day after this one was made
    const at = new Date(start + n * day);
    utimesSync(join(folder as string, 'backup.json'), at, at);
    expect(await daily(services, new Date(start + n * day + day - 1))).toBeNull();
  }
  expect(readdirSync(join(home, 'backups')).map((name) => join(home, 'backups', name))).toEqual(
    made.slice(-3),
  );
  await db.close();
});

embedded.test('of a backup that fails nothing is left', async () => {
  const parent = temporaryFolder();
  const services = {
    config: { home: server.home, databaseUrl: undefined },
    journal: null,
    db: {
      ...(await openDatabase({ home: temporaryFolder(), databaseUrl: undefined })),
      copyTo: async (target: string) => {
        mkdirSync(target);
        throw new Error('the disk is gone');
      },
    },
  };
  await expect(writeBackup(services, join(parent, 'copy'))).rejects.toMatchObject({
    detail: expect.stringContaining('the disk is gone'),
  });
  expect(readdirSync(parent)).toEqual([]);
  await services.db.close();
});

withPostgresPrograms.test('a dump of PostgreSQL is restored row by row', async () => {
  const session = hookSession(server);
  await session.start();
  await session.prompt('Remember: never push to main.');
  await session.bashWorks('git status');
  await session.stop('Understood.');
  await server.request('POST', '/v1/notes', {
    body: { project: 'app', content: 'Größe 😀 of the emulator' },
  });
  await server.settled();
  const folder = join(temporaryFolder(), 'copy');
  const { status, body } = await server.request('POST', '/v1/backup', { body: { folder } });
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  expect(body).toMatchObject({ engine: 'postgres', rows: null });
  expect(readdirSync(folder)).toContain('database.dump');

  const all = async (db: Database) => {
    const tables = await query<{ name: string }>(
      db.drizzle,
      sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
          where schemaname in ('public', 'lore', 'drizzle') and tablename !~ '^realtime_' order by 1`,
    );
    const rows: Record<string, unknown> = {};
    for (const { name } of tables)
      rows[name] = await query(
        db.drizzle,
        sql.raw(
          `select count(*)::int as n, md5(string_agg(t::text, E'\n' order by t::text)) as sum from ${name} t`,
        ),
      );
    return rows;
  };
  const before = await all(server.db);
  const other = await testDatabase();
  const { home, url = '' } = other;
  const restored = await runLore(['restore', folder, '--yes'], {
    env: { LORE_HOME: home, DATABASE_URL: url, LORE_URL: 'http://127.0.0.1:9' },
  });
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  const db = await other.open();
  try {
    expect(await all(db)).toEqual(before);
  } finally {
    await db.close();
  }
  // and a server goes on with it
  const again = await startHere({ LORE_HOME: home, DATABASE_URL: url });
  const headers = { authorization: `Bearer ${server.key}` };
  expect((await fetch(`${again.url}/v1/me`, { headers })).status).toBe(200);
  again.kill('SIGTERM');
  await again.finished;
});
