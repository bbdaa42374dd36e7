import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test, vi } from 'vitest';
import { SHIPPED_MODEL } from '../../src/embedding/model.ts';
import { preparedHome, runLore, startServerProcess, temporaryFolder } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const KEY = 'the-key-of-whoever-owns-these-servers';
const OTHER = 'someone/other-384';

/** The settings of a server with another model: a folder of the same weights, which does not say what they are. */
function otherModel(): Record<string, string> {
  const folder = join(temporaryFolder(), 'model');
  mkdirSync(folder);
  const { _name_or_path, ...config } = JSON.parse(
    readFileSync(join(inject('modelDir'), 'config.json'), 'utf8'),
  );
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  copyFileSync(join(inject('modelDir'), 'tokenizer.json'), join(folder, 'tokenizer.json'));
  symlinkSync(join(inject('modelDir'), 'onnx'), join(folder, 'onnx'));
  return { LORE_MODEL_DIR: folder, LORE_EMBEDDING_MODEL: OTHER };
}

const server = await startTestServer();

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
type Any = any;

/** Asks again until the answer is as wanted. */
async function until(get: () => Promise<Any>, wanted: (answer: Any) => boolean): Promise<Any> {
  for (;;) {
    const answer = await get();
    if (wanted(answer)) return answer;
    await sleep(50);
  }
}

/** Starts a server as its own process, and returns it with what the test asks of it. */
async function startOwn(env: Record<string, string>) {
  const server = await startServerProcess(env);
  const ask = async (method: string, path: string, body?: unknown): Promise<Any> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  return {
    ask,
    embedding: async () => (await ask('GET', '/health')).embedding,
    model: () => ask('GET', '/v1/index/model'),
    search: () =>
      ask('POST', '/v1/search', { query: 'how many handles may we open to the database', limit: 1 }),
    lore: (...args: string[]) => runLore(args, { env: { ...env, LORE_URL: server.url } }),
    async end(signal: 'SIGKILL' | 'SIGTERM') {
      server.kill(signal);
      await server.finished;
    },
  };
}

const TEXTS = 60;
const POOL = { agent: 'ann', content: 'The pool of connections to PostgreSQL has a maximum of twenty.' };
const notes = Array.from({ length: TEXTS - 1 }, (_, n) => ({
  agent: 'ann',
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
  content: `Shelf ${n} of the library holds ${n * 7} books about the rivers, mountains and towns of region ${n % 13}.`,
}));

test('a server with another model writes no vectors until lore reindex --model has made all new ones', async () => {
  // servers that share a database need one secret
  const own = {
    ...(await preparedHome()),
    LORE_KEY: KEY,
    LORE_SECRET: 'the-one-secret-of-both-servers-here',
  };
  const [env, other] = [own, otherModel()];
  const first = await startOwn(env);
  for (const note of [...notes, POOL]) await first.ask('POST', '/v1/notes', note);
  const before = await until(
    first.model,
    ({ documents, embedded }) => documents >= TEXTS && embedded === documents,
  );
  expect(before).toMatchObject({ own: SHIPPED_MODEL, inUse: SHIPPED_MODEL, next: null, prepared: 0 });
  const { documents } = before;
  expect(await first.search()).toMatchObject({
    degraded: false,
    results: [{ similarity: expect.any(Number) }],
  });

  // an embedded database has one server at a time
  const together = env.DATABASE_URL !== undefined;
  if (!together) await first.end('SIGTERM');
  const otherEnv = { ...env, ...other, ...(together && { LORE_HOME: join(temporaryFolder(), 'home') }) };
  let second = await startOwn(otherEnv);
  const refused = await until(second.embedding, ({ state }) => state !== 'loading');
  expect(refused).toMatchObject({ state: 'unavailable', model: null, pending: false });
  expect(refused.reason).toContain(`this database has the vectors of ${SHIPPED_MODEL}`);
  expect(refused.reason).toContain('lore reindex --model');
  const doctor = await second.lore('doctor');
  expect(doctor.code).toBe(4);
  expect(doctor.stdout).toMatch(/^PROBLEM embedding .*lore reindex --model.*search goes by words alone$/m);
  expect(await second.search()).toMatchObject({ degraded: true });
  expect(await second.model()).toMatchObject({ own: OTHER, inUse: SHIPPED_MODEL, embedded: documents });

  // killed among the new vectors; what was made is not made again
  const begun = await second.lore('reindex', '--model', '--no-wait');
  expect(begun.stdout).toMatch(
    /^The database is being changed from .* to someone\/other-384: \d+ of \d+ vectors/,
  );
  const { prepared } = await until(second.model, (change) => change.prepared > 0);
  expect((await second.embedding()).reason).toContain('is being changed');
  await second.end('SIGKILL');
  if (together) {
    expect(await first.search()).toMatchObject({
      degraded: false,
      results: [{ similarity: expect.any(Number) }],
    });
    const changing = await until(first.embedding, ({ reason }) => reason !== undefined);
    expect(changing).toMatchObject({ state: 'ready', model: SHIPPED_MODEL, pending: true });
    expect(changing.reason).toContain(OTHER);
  }
  second = await startOwn(otherEnv);
  await until(second.model, ({ own }) => own !== null);
  const resumed = await second.model();
  expect(resumed.prepared + resumed.embedded).toBeGreaterThanOrEqual(prepared);
  if (resumed.next !== null) expect(resumed).toMatchObject({ inUse: SHIPPED_MODEL, embedded: documents });

  const changed = await second.lore('reindex', '--model');
  expect(changed).toMatchObject({ code: 0, stdout: `The embedding model of the database is ${OTHER}.\n` });
  // at once, however many of the new vectors are in their place already
  expect(await second.search()).toMatchObject({
    degraded: false,
    results: [{ similarity: expect.any(Number) }],
  });
  await until(second.model, ({ embedded }) => embedded === documents);
  const left = await second.ask('POST', '/v1/sql', { query: 'select count(*)::int as n from next_vectors' });
  expect(left.rows).toEqual([{ n: 0 }]);
  expect(await until(second.embedding, ({ pending }) => !pending)).toMatchObject({
    state: 'ready',
    model: OTHER,
  });
  if (together) {
    const told = await until(first.embedding, ({ state }) => state === 'unavailable');
    expect(told.reason).toContain(`this database has the vectors of ${OTHER}`);
    expect(await first.search()).toMatchObject({ degraded: true });
    await first.end('SIGKILL');
  }
  await second.end('SIGKILL');
});

test('a change ends although a text cannot be embedded, forgets a text that changes, and can be called off', async () => {
  const post = async (content: string) =>
    (await server.request('POST', '/v1/notes', { body: { agent: 'ann', content } })).body;
  const [kept, erased] = [
    await post('The pool has twenty connections.'),
    await post('The mirror is in Zurich.'),
  ];
  await server.settled();
  const change = async (method = 'GET') => (await server.request(method, '/v1/index/model')).body;
  const own = (await change()).inUse;
  expect(await change('POST')).toMatchObject({ own, inUse: own, next: null });

  // as if another server had begun, made all vectors but one, and failed with that one for good
  await server.rows(`update lore.instance set next_model = '${OTHER}'`);
  await server.rows(`insert into next_vectors (user_id, id, model, embedding, run_after)
    select user_id, id, '${OTHER}', case when source_id <> '${kept.id}' then embedding end, 'infinity' from search_documents`);
  await server.request('DELETE', `/v1/notes/${erased.id}`);
  const prepared = () => server.rows('select id from next_vectors');
  expect(await prepared()).toHaveLength(1);
  await server.rows(`update search_documents set content = content || ' Or thirty.'`);
  expect(await prepared()).toHaveLength(0);
  await server.settled();

  await server.rows(
    `insert into next_vectors (user_id, id, model) select user_id, id, '${OTHER}' from search_documents`,
  );
  expect(await change()).toMatchObject({ inUse: own, next: OTHER });
  expect(await change('POST')).toMatchObject({ inUse: own, next: null });
  expect(await prepared()).toHaveLength(0);

  await server.rows(`update lore.instance set embedding_model = '${OTHER}'`);
  await server.rows(`update search_documents set embedding_model = '${OTHER}'`);
  await server.rows(`insert into next_vectors (user_id, id, model, run_after)
    select user_id, id, '${own}', 'infinity' from search_documents`);
  // it may end before this is answered
  expect(await change('POST')).toMatchObject({ own });
  await server.settled();
  expect(await change()).toMatchObject({ inUse: own, next: null, documents: 1, embedded: 1 });
  expect(await prepared()).toHaveLength(0);
});
