import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { countRows, openDatabase, query } from '../../../src/db/open.ts';
import { daily } from '../../../src/server/backup/backup.ts';
import { startedSession } from '../../support/hook-session.ts';
import { embedded, withPostgresPrograms } from '../../support/needs.ts';
import { preparedHome, runLore, startHere, temporaryFolder } from '../../support/process.ts';
import { emptyHome, startTestServer } from '../../support/server.ts';

const server = await startTestServer();
const lore = (args: string[], more: NodeJS.ProcessEnv = {}) =>
  runLore(args, { env: { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key, ...more } });
const copyIn = () => join(temporaryFolder(), 'copy');

embedded.test(
  'a backup of a running server is restored with every row, and what was there is kept',
  async () => {
    const session = await startedSession(server, {}, 'Remember: never push to main.');
    await server.settled();
    const folder = copyIn();
    // what is acknowledged while the backup begins is in it, or comes after it
    const [made] = await Promise.all([lore(['backup', folder, '--json']), session.prompt('go on')]);
    expect(made).toMatchObject({ code: 0 });
    expect(JSON.parse(made.stdout).rows['public.events']).toBeGreaterThan(0);

    const prepared = await preparedHome();
    const home = prepared.LORE_HOME;
    const other = await startHere(prepared);
    expect(await lore(['restore', folder, '--yes'], { LORE_HOME: home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is served by'),
    });
    other.kill('SIGTERM');
    await other.finished;
    // it counts the rows itself
    expect(await lore(['restore', folder, '--yes'], { LORE_HOME: home })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('What was there before lies in'),
    });
    expect(readFileSync(join(home, 'key'), 'utf8')).toBe(readFileSync(join(server.home, 'key'), 'utf8'));
    expect(readdirSync(home).filter((name) => name.startsWith('pgdata.before-'))).toHaveLength(1);
  },
);

embedded.test('a backup that was damaged, is none, or is of a newer version is not taken', async () => {
  const folder = copyIn();
  expect(await lore(['backup', folder])).toMatchObject({ code: 0 });
  const file = join(folder, 'backup.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const refused = async (said: string) =>
    expect(
      await lore(['restore', folder, '--yes'], { LORE_HOME: join(temporaryFolder(), 'home') }),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
  writeFileSync(file, JSON.stringify({ ...manifest, version: '99.0.0' }));
  await refused('update Lore');
  writeFileSync(file, JSON.stringify({ ...manifest, rows: { ...manifest.rows, 'public.users': 9 } }));
  await refused('is damaged');
  rmSync(file);
  await refused('backup.json');
});

embedded.test('a folder that cannot be one for a backup is refused, and left as it is', async () => {
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

test('nothing below an agent writes or restores one', async () => {
  for (const command of ['backup', 'restore'])
    expect(await lore([command, '/tmp/x'], { CLAUDECODE: '1' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Only a person'),
    });
});

embedded.test('a copy is made each day, and the last three are kept', async () => {
  const home = emptyHome();
  const db = await openDatabase({ home, databaseUrl: undefined });
  const services = { config: { home, databaseUrl: undefined, migrateUrl: undefined }, db, journal: null };
  const day = 24 * 3_600_000;
  const start = Date.now();
  const made: (string | null)[] = [];
  for (let n = 0; n < 4; n++) {
    const at = new Date(start + n * day);
    made.push(await daily(services, at));
    utimesSync(join(made.at(-1) as string, 'backup.json'), at, at);
    expect(await daily(services, new Date(at.getTime() + day - 1))).toBeNull();
  }
  expect(readdirSync(join(home, 'backups')).map((name) => join(home, 'backups', name))).toEqual(
    made.slice(-3),
  );
  await db.close();
});

withPostgresPrograms.test(
  'a dump of PostgreSQL is restored whole, into another database and over itself',
  async () => {
    const [one, other] = [await preparedHome(), await preparedHome()];
    const running = await startHere(one);
    const of = { LORE_HOME: one.LORE_HOME, LORE_URL: running.url, LORE_KEY: undefined };
    await lore(['notes', 'add', '-p', '/app', 'Größe 😀 of the emulator'], of);
    const folder = copyIn();
    expect(await lore(['backup', folder], of)).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(folder).sort()).toEqual(['backup.json', 'database.dump', 'key', 'secret']);
    const rowsIn = async ({ DATABASE_URL }: typeof one) => {
      const db = await openDatabase({ home: '', databaseUrl: DATABASE_URL });
      const rows: Record<string, unknown> = await countRows((text) => query(db.drizzle, sql.raw(text)));
      const published = await query(db.drizzle, sql`select tablename from pg_publication_tables order by 1`);
      await db.close();
      return Object.assign(rows, { published });
    };
    const before = await rowsIn(one);
    running.kill('SIGTERM');
    await running.finished;
    expect(before['public.notes']).toBe(1);
    for (let times = 0; times < 2; times++) {
      expect(await lore(['restore', folder, '--yes'], other)).toMatchObject({ code: 0, stderr: '' });
      expect(await rowsIn(other)).toEqual(before);
    }
    const keys = [one, other].map(({ LORE_HOME }) => readFileSync(join(LORE_HOME, 'key'), 'utf8'));
    expect(keys[1]).toBe(keys[0]);
    const elsewhere = { LORE_HOME: join(temporaryFolder(), 'home') };
    const refused = await lore(['restore', folder, '--yes'], elsewhere);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('needs DATABASE_URL') });
  },
);
