import { expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { runLore } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

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
  expect(doctor.stdout).toMatch(
    /^PROBLEM dead letters +1 texts without a vector, given up on after 10 tries/m,
  );
  expect(doctor.stdout).toContain('lore retry');

  await server.rows('drop trigger refuse on search_documents');
  expect((await lore(key, 'retry')).stdout).toBe('Trying 1 again.\n');
  await server.settled();
  expect(await deadLetters(key)).toEqual([]);
  expect((await documents())[1]).toMatchObject({ embedded: true, attempts: 0, error: null });
  expect((await lore(key, 'retry')).stdout).toBe('There is nothing to try again.\n');
});

test('a lesson that could not be distilled is tried again on request', async () => {
  const { key, userId } = await server.member();
  const session = hookSession(server, { key });
  await session.bashFails('npm test', 'Exit code 1\nError: ENOENT: no certificate for the payment gateway');
  await session.bashWorks('node make-cert.js');
  await session.bashWorks('npm test');
  await server.stored();
  // Make it look as if a newer version had written something that this one cannot read.
  await server.rows(`update incidents set status = 'resolved' where user_id = '${userId}'`);
  await server.rows(`delete from learning_requests where user_id = '${userId}'`);
  await server.rows(
    `insert into learning_requests (user_id, project_id, session_id, incident_id, event)
       select user_id, project_id, session_id, id, 'Stop' from incidents where user_id = '${userId}'`,
  );
  for (let attempt = 1; attempt <= 5; attempt++) {
    await server.settled();
    await server.rows(`update learning_requests set run_after = now() where user_id = '${userId}'`);
  }
  expect(await deadLetters(key)).toMatchObject([
    { queue: 'lessons', attempts: 5, reason: expect.stringContaining('resolution') },
  ]);
  const text = JSON.stringify({
    kind: 'same',
    toolUseId: null,
    command: 'npm test',
    edits: [],
    commands: ['node make-cert.js'],
    attempts: [],
    said: null,
    lastMessage: null,
    sessionId: null,
  });
  await server.rows(`update incidents set resolution = '${text}'::jsonb where user_id = '${userId}'`);
  expect(await server.request('POST', '/v1/dead-letters/retry', { key })).toMatchObject({
    body: { retried: 1 },
  });
  await server.settled();
  expect(await deadLetters(key)).toEqual([]);
  const judged = await server.rows(
    `select * from learning_requests where user_id = '${userId}' and event <> 'turn'`,
  );
  expect(judged).toMatchObject([{ status: 'done', attempts: 1, decision: 'stored', error: null }]);
});

test('a user whose work cannot begin holds up nobody behind', async () => {
  const members = await Promise.all([server.member(), server.member(), server.member()]);
  await server.rows(`create function hold() returns trigger language plpgsql as
    $$ begin raise exception 'not now'; end $$`);
  await server.rows(`create trigger hold before update on search_documents for each row
    when (new.content = 'held up' and new.embed_attempts > old.embed_attempts) execute function hold()`);
  for (const { key } of members) {
    await server.request('POST', '/v1/notes', {
      key,
      body: { project: '/home/dev/app', content: 'held up' },
    });
  }
  const [first] = await server.rows(`select lore.users_to_embed('${server.embedder.status().model}') as id`);
  await server.rows(`create or replace function hold() returns trigger language plpgsql as
    $$ begin if new.user_id = '${first.id}' then raise exception 'not now'; end if; return new; end $$`);
  await server.settled();
  expect(
    await server.rows(`select user_id, embedding is not null as embedded from search_documents
      where content = 'held up' order by embedded`),
  ).toMatchObject([{ user_id: first.id, embedded: false }, { embedded: true }, { embedded: true }]);
  await server.rows('drop trigger hold on search_documents');
});

test('an idle session that cannot be ended holds up no other, of its user or of another', async () => {
  const members = [await server.member(), await server.member()];
  for (const { key } of members) {
    for (let n = 0; n < 3; n++) await hookSession(server, { key }).prompt('Look around');
  }
  await server.stored();
  const both = `user_id in ('${members.map(({ userId }) => userId).join("', '")}')`;
  const [broken] = await server.rows(`update sessions set last_activity = now() - interval '2 hours'
    where ${both} returning id`);
  await server.rows(`create function stay() returns trigger language plpgsql as
    $$ begin raise exception 'it stays'; end $$`);
  await server.rows(`create trigger stay before update on sessions for each row
    when (new.status = 'completed' and new.id = '${broken.id}') execute function stay()`);
  await server.settled();
  expect(await server.rows(`select id from sessions where ${both} and status = 'active'`)).toEqual([broken]);
  await server.rows('drop trigger stay on sessions');
});
