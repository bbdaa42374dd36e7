import { expect, test } from 'vitest';
import { runLore } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

const deadLetters = async (key: string) =>
  (await server.request('GET', '/v1/dead-letters', { key })).body.deadLetters;

const lore = (key: string, ...args: string[]) =>
  runLore(args, { env: { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: key } });

test('a text that cannot be embedded does not hold up others, and is given up after ten tries', async () => {
  const { key, userId } = await server.member();
  await server.rows(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no room for it'; end $$`);
  await server.rows(`create trigger refuse before update on search_documents for each row
    when (new.content = 'poison' and new.embedding is not null) execute function refuse()`);
  const notes = ['one', 'poison', 'two'].map((content) => ({ project: '/home/dev/app', content }));
  await server.request('POST', '/v1/notes', { key, body: notes });
  const documents = () =>
    server.rows(`select content, embedding is not null as embedded, embed_attempts as attempts, embed_error as error
      from search_documents where user_id = '${userId}' order by content`);
  for (let attempt = 1; attempt <= 10; attempt++) {
    await server.settled();
    const [one, poison, two] = await documents();
    expect(poison).toMatchObject({ embedded: false, attempts: attempt, error: 'no room for it' });
    if (attempt > 1) expect([one, two]).toMatchObject([{ embedded: true }, { embedded: true }]);
    if (attempt === 10) break;
    expect(await deadLetters(key)).toEqual([]);
    await server.rows(`update search_documents set embed_after = now() where user_id = '${userId}'`);
  }

  const dead = { queue: 'texts without a vector', about: expect.stringMatching(/^note /), attempts: 10 };
  expect(await deadLetters(key)).toMatchObject([{ ...dead, reason: 'no room for it' }]);
  expect(await deadLetters((await server.member()).key)).toEqual([]);
  // A request of another account does not affect it.
  await server.request('POST', '/v1/dead-letters/retry', { key: (await server.member()).key });
  await server.settled();
  expect(await deadLetters(key)).toHaveLength(1);
  const doctor = await lore(key, 'doctor');
  expect(doctor).toMatchObject({ code: 4 });
  expect(doctor.stdout).toMatch(/^PROBLEM dead letters +1 texts without a vector, given up on \(/m);
  expect(doctor.stdout).toContain('lore retry');

  await server.rows('drop trigger refuse on search_documents');
  expect((await lore(key, 'retry')).stdout).toMatch(/^Tried again: 1\./);
  await server.settled();
  expect(await deadLetters(key)).toEqual([]);
  expect((await documents())[1]).toMatchObject({ embedded: true, attempts: 0, error: null });
});
