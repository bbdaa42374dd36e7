import { describe, expect, test } from 'vitest';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

type Found = { id: string; similarity: number | null };

async function keep(key: string, ...notes: { content: string }[]): Promise<string[]> {
  const body = notes.map((note) => ({ project: 'app', ...note }));
  const kept = await server.request('POST', '/v1/notes', { key, body });
  expect(kept.status).toBe(201);
  await server.settled();
  return kept.body.notes.map((note: { id: string }) => note.id);
}

async function find(key: string, query: string): Promise<Found[]> {
  const { status, body } = await server.request('POST', '/v1/search', {
    key,
    body: { query, project: 'app' },
  });
  expect(status).toBe(200);
  return body.results;
}

describe('what was just written', () => {
  const old = (n: number) => ({
    project: 'app',
    content: `The build of module ${n} failed ${n + 3} times before the cache of step ${n % 7} was emptied`,
    createdAt: new Date(Date.UTC(2023, 0, 1 + (n % 300))).toISOString(),
  });

  test('is embedded before 2,000 notes that were imported, and found first by other words', {
    timeout: 90_000,
  }, async () => {
    const { key, userId } = await server.member();
    for (let n = 0; n < 2000; n += 500) {
      const body = Array.from({ length: 500 }, (_, i) => old(n + i));
      expect((await server.request('POST', '/v1/notes', { key, body })).status).toBe(201);
    }
    const content = 'The licence server refuses seats on Mondays, so start the nightly run on Tuesday';
    const { body } = await server.request('POST', '/v1/notes', { key, body: { project: 'app', content } });
    const id = body.id;
    const waiting = `select count(*)::int as n from search_documents where user_id = '${userId}' and embedding is null`;
    await expect
      .poll(() => server.rows(`${waiting} and source_id = '${id}'`), { timeout: 20_000 })
      .toEqual([{ n: 0 }]);
    expect((await server.rows(waiting))[0].n).toBeGreaterThan(500);
    const [first] = await find(key, 'on which weekday do we get no permit for the software?');
    expect(first?.id).toBe(id);
    await server.rows(`delete from search_documents where user_id = '${userId}'`);
  });

  test('keeps about its place while it waits for its vector', async () => {
    const { key, userId } = await server.member();
    const [id] = await keep(
      key,
      { content: 'The licence server refuses seats on Mondays, so start the nightly run on Tuesday' },
      { content: 'On which machine the software runs is written in the inventory' },
      { content: 'Permits for visitors are given out at the gate each weekday' },
      { content: 'We get our software from the mirror, never from the internet' },
      { content: 'A weekday without a release needs no permit of the board' },
    );
    const query = 'why is the licence not given to the run on Mondays?';
    expect((await find(key, query))[0]?.id).toBe(id);
    await server.rows(`update search_documents set embedding = null, embedding_model = null, embed_after = 'infinity'
      where user_id = '${userId}' and source_id = '${id}'`);
    expect((await find(key, query))[0]).toMatchObject({ id, similarity: null });
  });
});
