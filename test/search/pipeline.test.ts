import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { healIndex } from '../../src/search/reindex.ts';
import { onPostgres } from '../support/needs.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

type Note = Record<string, unknown> & { content: string };
type Found = {
  id: string;
  content: string;
  relevance: string;
  score: number;
  similarity: number | null;
  validUntil: string | null;
  metadata: { factors: Record<string, number | boolean | null> };
};

async function keep(key: string, ...notes: Note[]): Promise<string[]> {
  const { status, body } = await server.request('POST', '/v1/notes', {
    key,
    body: notes.map((note) => ({ project: 'app', ...note })),
  });
  expect(status).toBe(201);
  await server.settled();
  return body.notes.map((note: { id: string }) => note.id);
}

async function find(key: string, query: string, fields: Record<string, unknown> = {}): Promise<Found[]> {
  const { status, body } = await server.request('POST', '/v1/search', {
    key,
    body: { query, project: 'app', explain: true, ...fields },
  });
  expect(status).toBe(200);
  return body.results;
}
const contents = (found: Found[]) => found.map((result) => result.content);
const day = (n: number) => new Date(Date.UTC(2023, 0, n)).toISOString();

describe('words of code', () => {
  let key = '';
  beforeAll(async () => {
    ({ key } = await server.member());
    await keep(
      key,
      { content: 'parseRetryAfterHeader in src/http/backoff.ts reads seconds and HTTP dates' },
      { content: 'git commit takes --no-verify on the vendored tree only' },
      { content: 'E_CONN_4031 means that the licence server refused the seat' },
      { content: 'set MAX_OLD_SPACE in build/limits.env when the bundler dies' },
    );
  });

  test.each([
    ['retry after', 'parseRetryAfterHeader'],
    ['src/http/backoff.ts', 'parseRetryAfterHeader'],
    ['--no-verify', 'git commit'],
    ['4031', 'E_CONN_4031'],
    ['max old space', 'set MAX_OLD_SPACE'],
  ])('%s finds %s', async (query, beginning) => {
    const [first] = await find(key, query);
    expect(first?.content.startsWith(beginning)).toBe(true);
    expect(first?.metadata.factors.lexical).toBeGreaterThan(0.3);
  });
});

describe('time', () => {
  test('an old history is still ranked by relevance, and the newer of two equal texts comes first', async () => {
    const { key } = await server.member();
    const same = 'The nightly export of invoices to the tax office runs at two';
    const ids = await keep(
      key,
      { content: same, createdAt: day(1) },
      { content: same, createdAt: day(40) },
      { content: 'The coffee machine on the third floor wants descaling', createdAt: day(300) },
    );
    const found = await find(key, 'when do invoices go to the tax office');
    expect(found.map((result) => result.id)).toEqual([ids[1], ids[0]]);
  });

  test('a replaced note is not found unless asked for, and then stands below the newer one', async () => {
    const { key } = await server.member();
    const [old] = await keep(key, {
      content: 'Sessions live in Redis for thirty minutes',
      createdAt: day(1),
    });
    await keep(key, {
      content: 'Logins are kept for eight hours, in Postgres',
      createdAt: day(9),
      supersedes: old,
    });
    const query = 'how long do sessions live in Redis';
    expect(contents(await find(key, query))).toEqual(['Logins are kept for eight hours, in Postgres']);
    const all = await find(key, query, { superseded: true });
    expect(all).toHaveLength(2);
    expect(all.find((result) => result.id === old)?.validUntil).toBe(day(9));
    expect(contents(await find(key, query, { asOf: day(5) }))).toEqual([
      'Sessions live in Redis for thirty minutes',
    ]);
  });
});

describe('context', () => {
  const talk = [
    { agent: 'Ann', content: 'Did the landlord ever answer about the leaking radiator?' },
    { agent: 'Bob', content: 'Yes, he comes on Friday with a plumber.' },
    { agent: 'Ann', content: 'Great. My sister got the job at the museum by the way.' },
    { agent: 'Bob', content: 'Wonderful, when does she start?' },
    { agent: 'Ann', content: 'In the second week of June.' },
  ];

  test('an answer is found by the text that it answers', async () => {
    const { key } = await server.member();
    await keep(key, ...talk.map((turn) => ({ ...turn, createdAt: day(1) })));
    expect(contents(await find(key, 'when will the radiator be repaired')).slice(0, 3)).toContain(
      talk[1]?.content,
    );
    const found = await find(key, 'when does the sister begin to work at the museum');
    expect(contents(found).slice(0, 3)).toContain(talk[4]?.content);
    // the turn that asks comes behind the one that answers it
    const [asks, answers] = [talk[3], talk[4]].map((turn) => found.find((r) => r.content === turn?.content));
    expect(asks?.metadata.factors.telling).toBeCloseTo(0.6, 6);
    expect(answers?.score).toBeGreaterThan(asks?.score ?? 0);
  });

  test.each([
    ['names at the beginning', (turn: (typeof talk)[0]) => ({ content: `${turn.agent}: ${turn.content}` })],
    ['its name', (turn: (typeof talk)[0]) => ({ content: turn.content, conversation: 'c' })],
  ])('a conversation is known by %s', async (_, noteOf) => {
    const { key, userId } = await server.member();
    await keep(key, ...talk.map((turn) => ({ ...noteOf(turn), createdAt: day(1) })));
    const rows = await server.rows(
      `select count(*)::int as n from search_documents where user_id = '${userId}' and context is not null`,
    );
    expect(rows).toEqual([{ n: talk.length - 1 }]);
  });
});

test('a result that shares a link with one of the best results is ranked higher', async () => {
  const { key } = await server.member();
  const breadcrumbs = { modified_files: ['src/pay/refund.ts'] };
  await keep(
    key,
    { content: 'Refunds above 500 euros need a second signature', metadata: { breadcrumbs } },
    { content: 'The rounding helper lost a cent on every third row', metadata: { breadcrumbs } },
    { content: 'Avatars are cropped to a square' },
  );
  const found = await find(key, 'second signature for refunds, rounding, and how avatars are cropped');
  const factor = (text: string) => found.find((r) => r.content.includes(text))?.metadata.factors.links;
  expect(factor('rounding')).toBe(1.1);
  expect(factor('Avatars')).toBe(1);
});

test('beyond 5,000 texts only candidates are scored, and pages are still full and correct', async () => {
  const { key, userId } = await server.member();
  await keep(key, { content: 'The flamingo service caches its tokens in memcached for an hour' });
  // some more, because the size is an estimate; most have no vector, whose index takes longest
  await server.rows(`insert into search_documents (user_id, project_id, kind, source_id, content, confidence,
      valid_from, confirmed_at, embedding, embedding_model, embed_after)
    select d.user_id, d.project_id, 'note', gen_random_uuid(), 'filler number ' || n || ' about service ' || n % 7, 0.5,
      now(), now(), case when n < 300 then (array[sin(n), cos(n), sin(n * 1.7), cos(n * 3.1)]
        || array_fill(0.01::float8, array[380]))::real[]::vector end,
      case when n < 300 then d.embedding_model end, case when n < 300 then now() else 'infinity'::timestamptz end
    from search_documents d, generate_series(1, 6900) n
    where d.user_id = '${userId}' and d.content like '%flamingo%'`);
  const found = await find(key, 'flamingo service tokens', { limit: 50 });
  expect(found[0]?.content).toContain('flamingo');
  expect(found).toHaveLength(50);
  expect(found[0]?.metadata.factors).toMatchObject({ exact: false });
  expect(await find(key, 'flamingo', { kinds: ['learning'] })).toEqual([]);
});

test('records that the index lost are restored when the server starts', async () => {
  const { key, userId } = await server.member();
  await keep(key, { content: 'Pelicans carry the mail on Sundays' });
  await server.rows(`delete from search_documents where user_id = '${userId}'`);
  expect(await find(key, 'pelicans')).toEqual([]);
  await healIndex(server.db, createLog('error'));
  expect(contents(await find(key, 'pelicans'))).toEqual(['Pelicans carry the mail on Sundays']);
});

test('a server with another model searches by words, until the database is changed to its model', async () => {
  const { key } = await server.member();
  await keep(key, { content: 'Ospreys keep the second key of the vault' });
  await server.rows(`update lore.instance set embedding_model = 'someone/other'`);
  await server.rows(`update search_documents set embedding_model = 'someone/other'`);
  await vi.waitFor(
    async () => {
      const { embedding } = (await server.request('GET', '/health', { key: null })).body;
      expect(embedding).toMatchObject({ state: 'unavailable', model: null });
      expect(embedding.reason).toContain('lore reindex --model');
    },
    { timeout: 25_000 },
  );
  expect((await find(key, 'ospreys'))[0]).toMatchObject({ similarity: null });

  const change = '/v1/index/rebuild?changeModel=true';
  expect((await server.request('POST', change, { key })).status).toBe(403);
  expect((await server.request('POST', change)).status).toBe(200);
  await server.settled();
  expect((await find(key, 'ospreys'))[0]?.similarity).toEqual(expect.any(Number));
});

// this test is the last, because other requests may fail while connections break
onPostgres.test('a search goes on when PostgreSQL cuts its connections', async () => {
  const { key } = await server.member();
  await keep(key, { content: 'Herons nest on the roof of the data centre' });
  for (let round = 0; round < 5; round++) {
    const searches = Array.from({ length: 8 }, () => find(key, 'herons on the roof'));
    const cut = server
      .rows(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      .catch(() => []);
    for (const found of await Promise.all(searches)) expect(found[0]?.content).toContain('Herons');
    await cut;
  }
});
