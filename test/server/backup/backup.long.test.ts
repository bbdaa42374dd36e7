import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../../src/db/open.ts';
import { daily } from '../../../src/server/backup/backup.ts';
import { hookSession } from '../../support/hook-session.ts';
import { embedded, onPostgres } from '../../support/needs.ts';
import { preparedHome, runLore, startHere, temporaryFolder } from '../../support/process.ts';
import { emptyHome, startTestServer } from '../../support/server.ts';

vi.setConfig({ testTimeout: 120_000 });
const server = await startTestServer();
const lore = (args: string[], more: NodeJS.ProcessEnv = {}) =>
  runLore(args, { env: { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key, ...more } });
const copyIn = () => join(temporaryFolder(), 'copy');

embedded.test(
  'a backup of a running server is restored with every row, and what was there is kept',
  async () => {
    const session = hookSession(server);
    await session.start();
    await session.prompt('Remember: never push to main.');
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
  const services = { config: { home }, db, journal: null };
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

onPostgres.test('on PostgreSQL it says what to use instead', async () => {
  const refused = await server.request('POST', '/v1/backup', { body: { folder: copyIn() } });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('pg_dump') } });
});
