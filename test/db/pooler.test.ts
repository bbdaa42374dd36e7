import { expect } from 'vitest';
import { insisting } from '../support/asking.ts';
import { behindPooler, startPooler } from '../support/pgbouncer.ts';
import { preparedHome, runLore, startServerProcess } from '../support/process.ts';

const KEY = 'the-key-of-the-owner-of-this-server';

behindPooler.test('a server works through a transaction pooler, and hears by LORE_LISTEN_URL', async () => {
  const home = await preparedHome();
  const pooler = await startPooler(home.DATABASE_URL as string);
  const env = { ...home, DATABASE_URL: `${pooler.url}?prepare=false`, LORE_KEY: KEY };
  const deaf = await runLore(['start'], { env });
  expect(deaf).toMatchObject({ code: 1, stderr: expect.stringContaining('Set LORE_LISTEN_URL') });

  const server = await startServerProcess({ ...env, LORE_LISTEN_URL: home.DATABASE_URL as string });
  const ask = insisting(server.url, KEY);
  const notes = Array.from({ length: 100 }, (_, n) => ({
    agent: 'coder',
    content: `note ${n} of the otter`,
  }));
  await Promise.all(notes.map((note) => ask('POST', '/v1/notes', note)));
  const found = async () => (await ask('GET', '/v1/index')).sources;
  expect(await found()).toBe(100);
  expect((await ask('POST', '/v1/search', { query: 'otter', limit: 5 })).results).toHaveLength(5);
  expect(server.stderr()).not.toMatch(/prepared statement/);
  server.kill('SIGTERM');
  await server.finished;
  await pooler.stop();
});
