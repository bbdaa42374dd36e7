import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { approveAll, state } from '../learnings/mend.ts';
import { embeddingProcess } from '../support/process.ts';
import { search as ask } from '../support/search.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// an embedding process of its own, because a test stops it
const server = await startTestServer({ LORE_MODEL_DIR: inject('modelDir') });
const wordsOnly = await startTestServer({ LORE_MODEL_DIR: '/nowhere/no-model' });

type Found = { id: string; content: string; relevance: string; score: number; similarity: number | null };
const search = (on: TestServer, key: string, query: string, fields: Record<string, unknown> = {}) =>
  ask<Found & Record<string, unknown>>(on, key, { query, ...fields });
const lines = (found: { results: Found[] }) => found.results.map((r) => r.content.split('\n')[0]);

const POOL = 'Raise pool to 20 in config.json when the check exhausts its database connections';
const JWT = 'Refresh the JWT in auth/session.ts five minutes before it expires';
const LOGO = 'Export the logo as brand.svg with a transparent background';
const CACHE = 'Delete .cache/webpack after an upgrade of the compiler in app/build.js';
const ALL = [POOL, JWT, LOGO, CACHE];

describe('search', () => {
  let key = '';
  let userId = '';
  const ids: Record<string, string> = {};
  const set = (lesson: string, change: string) =>
    server.rows(`update learnings set ${change} where user_id = '${userId}' and lesson = '${lesson}'`);
  beforeAll(async () => {
    ({ key, userId } = await server.member());
    for (const lesson of ALL)
      ids[lesson] = (await state(server, key, lesson, { agent: `writer of ${lesson}` })).learning.id;
    await server.settled();
    // what an agent states is on trial, and found by nobody
    expect((await search(server, key, POOL)).results).toEqual([]);
    await approveAll(server, key);
  });

  test('finds a record by its id or the first 8 characters of it, and nobody else’s', async () => {
    const id = ids[JWT] as string;
    for (const query of [id, id.slice(0, 8), id.slice(0, 13).toUpperCase()]) {
      const found = await search(server, key, query);
      expect(found).toMatchObject({
        nothingClose: false,
        results: [{ id, kind: 'learning', relevance: 'high' }],
      });
      expect(found.results).toHaveLength(1);
    }
    const { key: other } = await server.member();
    expect((await search(server, other, id)).results).toEqual([]);
  });

  test('says when nothing is close', async () => {
    expect(await search(server, key, 'xyzzy quantum')).toMatchObject({ nothingClose: true });
    expect(await search(server, key, 'the pool of database connections is exhausted')).toMatchObject({
      nothingClose: false,
    });
  });

  test('what has neither a word nor the meaning of the query is no result', async () => {
    const other = (await server.member()).key;
    const notes = ['We chose NATS for the queue.', '끝나지 않는 회의', '🚀 launch', LOGO];
    const body = notes.map((content) => ({ project: 'app', content }));
    await server.request('POST', '/v1/notes', { key: other, body });
    await server.settled();
    for (const query of ['끝말잇기', 'कखगघ', '🎉🎉', 'pnpm', 'best pizza in town', 'asdf qwer zxcv'])
      expect(lines(await search(server, other, query)), query).toEqual([]);
    expect(lines(await search(server, other, '회의'))).toEqual(['끝나지 않는 회의']);
    expect(lines(await search(server, other, 'NATS'))).toEqual(['We chose NATS for the queue.']);
  });

  test('finds texts by meaning that share no word with the question, the best first', async () => {
    const found = await search(server, key, 'brand artwork');
    expect(found).toMatchObject({ status: 200, degraded: false });
    const [first, ...rest] = found.results;
    expect(first).toEqual({
      id: ids[LOGO],
      kind: 'learning',
      project: '/home/dev/app',
      title: LOGO,
      content: expect.stringContaining(LOGO),
      relevance: expect.stringMatching(/high|medium|low/),
      score: expect.any(Number),
      similarity: expect.any(Number),
      confidence: expect.closeTo(0.8, 5),
      ageDays: expect.any(Number),
      validFrom: expect.any(String),
      validUntil: null,
      metadata: expect.objectContaining({ project: '/home/dev/app', evaluatedBy: 'agent' }),
    });
    for (const [i, other] of rest.entries()) {
      expect(other.score).toBeLessThanOrEqual((i === 0 ? first : rest[i - 1])?.score ?? 0);
    }
  });

  test('project: a name, or its last part; an unknown one has nothing', async () => {
    await state(server, key, 'Restart the gateway with `make gateway` when its socket is gone', {
      project: 'github.com/acme/shop',
    });
    await server.settled();
    const asked = 'the socket of the gateway is gone';
    for (const project of ['github.com/acme/shop', 'shop']) {
      const { results } = await search(server, key, asked, { project });
      expect(results).toMatchObject([{ metadata: { project: 'github.com/acme/shop' } }]);
    }
    const { results } = await search(server, key, asked, { project: 'app' });
    expect(lines({ results } as never).join()).not.toContain('gateway');
    expect(await search(server, key, asked, { project: 'nowhere' })).toMatchObject({
      results: [],
      degraded: false,
    });
    await server.rows(
      `delete from learnings where user_id = '${userId}' and lesson like 'Restart the gateway%'`,
    );
  });

  test('filters', async () => {
    await set(JWT, `confidence = 0.3, last_confirmed_at = now() - interval '10 days'`);
    await server.rows(`update search_documents set channel = 'ops' where source_id = '${ids[LOGO]}'`);
    const others = (...without: string[]) => ALL.filter((one) => !without.includes(one));
    for (const [filter, found] of [
      [{ limit: 2 }, 2],
      [{ kinds: ['learning', 'note'] }, ALL],
      [{ kinds: ['note'] }, []],
      [{ minConfidence: 0.5 }, others(JWT)],
      [{ minConfidence: 0.3 }, ALL],
      [{ maxAgeDays: 9 }, others(JWT)],
      [{ maxAgeDays: 11 }, ALL],
      [{ excludeAgent: `writer of ${POOL}` }, others(POOL)],
      [{ channel: 'ops' }, [LOGO]],
      [{ channel: 'dev' }, []],
    ] as const) {
      const texts = lines(await search(server, key, 'pool jwt logo webpack', filter));
      if (typeof found === 'number') expect(texts).toHaveLength(found);
      else expect(texts.sort()).toEqual([...found].sort());
    }
    await set(JWT, 'confidence = 0.8, last_confirmed_at = now()');
  });

  test('minRelevance', async () => {
    const asked = 'the JWT expires in auth/session.ts, and the logo';
    const all = (await search(server, key, asked)).results;
    expect(new Set(all.map((r) => r.relevance)).size).toBeGreaterThan(1);
    for (const [minRelevance, kept] of [
      ['high', ['high']],
      ['medium', ['high', 'medium']],
      ['low', ['high', 'medium', 'low']],
    ] as const) {
      const wanted = all.filter((r) => (kept as readonly string[]).includes(r.relevance));
      expect(lines(await search(server, key, asked, { minRelevance }))).toEqual(lines({ results: wanted }));
    }
  });

  test('tokenBudget', async () => {
    const all = (await search(server, key, 'pool jwt logo webpack')).results;
    const sizes = all.map((r) => estimateTokens(r.content));
    const budget = (sizes[0] ?? 0) + (sizes[1] ?? 0);
    const some = await search(server, key, 'pool jwt logo webpack', { tokenBudget: budget });
    expect(lines(some)).toEqual(lines({ results: all.slice(0, 2) }));
    expect((await search(server, key, 'pool jwt logo webpack', { tokenBudget: 1 })).results).toEqual([]);
  });

  test('explain', async () => {
    const { results } = await search(server, key, 'JWT expires', { explain: true });
    expect(results.length).toBeGreaterThan(0);
    const { metadata } = results[0] as unknown as { metadata: Record<string, unknown> };
    const { factors, project } = metadata as { factors: Record<string, number>; project: string };
    expect(project).toBe('/home/dev/app');
    expect(factors).toEqual({
      relevance: expect.any(Number),
      lexical: expect.any(Number),
      confidence: expect.any(Number),
      recency: expect.closeTo(1, 3),
      telling: 1,
      links: 1,
      variety: 1,
      amended: null,
      inScope: ALL.length,
      exact: true,
    });
    // the score is the product of the factors that are shown
    const { relevance = 0, confidence = 0, recency = 0, lexical = 0 } = factors;
    const product = relevance * confidence * recency;
    expect(results[0]?.score).toBeCloseTo(product, 9);
    expect(relevance).toBeCloseTo(0.6 * (results[0]?.similarity ?? 0) + 0.4 * lexical, 9);
  });

  test.each([`'; drop table learnings; --`, '& | ! ( ) : *', '"unbalanced', 'ſ 𝕵𝖂𝕿 🙂', 'the of and'])(
    'takes any text as words: %s',
    async (query) => {
      expect(await search(server, key, query)).toMatchObject({ status: 200, degraded: false });
    },
  );
});

describe('without a model', () => {
  test('health says so, and why', async () => {
    const { status, body } = await wordsOnly.request('GET', '/health', { key: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'degraded',
      embedding: {
        model: null,
        state: 'unavailable',
        reason: expect.stringContaining('/nowhere/no-model'),
      },
    });
  });
});

describe('the embedding worker', () => {
  type Document = {
    content: string;
    embedding: string | null;
    embedding_model: string | null;
    embed_attempts: number;
    embed_error: string | null;
  };
  const documents = (userId: string) =>
    server.rows<Document>(`select content, embedding::text, embedding_model, embed_attempts, embed_error
      from search_documents where user_id = '${userId}' order by content`);
  const health = async (key: string) => (await server.request('GET', '/v1/index', { key })).body;

  test('replaces the vector if the text changed', async () => {
    const { key, userId } = await server.member();
    await state(server, key, POOL);
    await server.settled();
    const [before] = await documents(userId);
    await server.rows(`update learnings set lesson = '${JWT}' where user_id = '${userId}'`);
    expect(await documents(userId)).toMatchObject([{ embedding_model: null }]);
    await server.settled();
    const [after] = await documents(userId);
    expect(after?.embedding).not.toBe(before?.embedding);
    expect(after?.content).toContain(JWT);
  });

  test('a rebuild restores what is missing or stale in the index', async () => {
    const { key, userId } = await server.member();
    for (const lesson of ALL) await state(server, key, lesson);
    await server.settled();
    const before = await documents(userId);
    await server.rows(`delete from search_documents where user_id = '${userId}' and content like '${POOL}%'`);
    await server.rows(
      `update search_documents set content = 'stale' where user_id = '${userId}' and content like '${JWT}%'`,
    );
    await server.rows(`insert into search_documents (user_id, kind, source_id, content, confidence, valid_from, confirmed_at)
      values ('${userId}', 'learning', gen_random_uuid(), 'an orphan', 1, now(), now())`);
    const answer = await server.request('POST', '/v1/index/rebuild', { key });
    expect(answer).toMatchObject({ status: 200, body: { sources: 4, rebuilding: true } });
    await server.settled();
    const plain = (rows: Document[]) => rows.map((row) => row.content);
    const after = await documents(userId);
    expect(plain(after)).toEqual(plain(before));
    expect(await health(key)).toMatchObject({ missing: 0, orphaned: 0, pending: 0, rebuilding: false });
    for (const [i, row] of after.entries()) {
      const [x, y] = [row.embedding, before[i]?.embedding].map(
        (text) => JSON.parse(text ?? '[]') as number[],
      );
      expect(x?.reduce((sum, value, n) => sum + value * (y?.[n] ?? 0), 0)).toBeCloseTo(1, 4);
    }
  });

  // this test is the last of the file, because a second death would be followed by a pause
  test('tries again after the embedding process died during its work', async () => {
    const { key, userId } = await server.member();
    const embedder = embeddingProcess(server.home) as number;
    // a stopped process takes the batch but does not answer
    process.kill(embedder, 'SIGSTOP');
    await server.rows(`insert into search_documents (user_id, kind, source_id, content, confidence, valid_from, confirmed_at)
      values ('${userId}', 'learning', gen_random_uuid(), 'a document', 1, now(), now())`);
    await server.request('POST', '/v1/index/rebuild', { key: (await server.member()).key });
    await expect.poll(() => documents(userId)).toMatchObject([{ embed_attempts: 1 }]);
    process.kill(embedder, 'SIGKILL');
    await expect
      .poll(() => documents(userId))
      .toMatchObject([{ embedding: null, embed_error: expect.stringContaining('ended') }]);
    expect(await health(key)).toMatchObject({ failing: 1 });
    await vi.waitFor(() => expect(server.embedder.status().state).toBe('ready'), { timeout: 20_000 });
    await server.rows(`update search_documents set embed_after = now() where user_id = '${userId}'`);
    await server.settled();
    expect(await documents(userId)).toMatchObject([
      { embed_attempts: 0, embed_error: null, embedding: expect.any(String) },
    ]);
  });
});
