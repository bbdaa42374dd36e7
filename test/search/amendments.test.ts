import { describe, expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

type Found = {
  id: string;
  content: string;
  relevance: string;
  score: number;
  metadata: { factors: { amended: number | null }; amendments: { id: string; undoneAt: string | null }[] };
};

const day = (n: number) => new Date(Date.UTC(2024, 0, n)).toISOString();

/** Keeps decisions, each a day after the one before, and returns their ids. */
async function decide(key: string, texts: string[], options: { from?: number; project?: string } = {}) {
  const { from = 1, project = 'app' } = options;
  const body = texts.map((content, n) => ({
    project,
    content,
    messageType: 'decision',
    createdAt: day(from + n),
  }));
  const answer = await server.request('POST', '/v1/notes', { key, body });
  expect(answer.status).toBe(201);
  await server.settled();
  return answer.body.notes.map((note: { id: string }) => note.id) as string[];
}

async function find(key: string, query: string, fields: object = {}): Promise<Found[]> {
  const body = { query, project: 'app', explain: true, ...fields };
  const answer = await server.request('POST', '/v1/search', { key, body });
  expect(answer.status).toBe(200);
  return answer.body.results;
}
const ids = (found: Found[]) => found.map(({ id }) => id);
const links = async (key: string, query = '') =>
  (await server.request('GET', `/v1/amendments${query}`, { key })).body.amendments;

const RATE = 'The gateway allows each API key 300 requests a minute for reads and 60 for writes';
const NEW_RATE = 'Amendment: the gateway allows each API key 600 requests a minute for reads';
const RATE_QUESTION = 'how many requests a minute for reads and writes does the gateway allow each API key';
const OTHERS = [
  'Pagination is by opaque cursor, never by offset',
  'Webhooks are signed with HMAC-SHA256 over the raw body',
  'Logs are JSON on standard output with the request id in every line',
];

describe('a decision that amends another', () => {
  test('stands directly above it, and tells why', async () => {
    const { key } = await server.member();
    const [rate] = await decide(key, [RATE, ...OTHERS]);
    const [newer] = await decide(key, [NEW_RATE], { from: 90 });
    const found = await find(key, RATE_QUESTION);
    expect(ids(found).slice(0, 2)).toEqual([newer, rate]);
    expect(found[0]?.metadata.factors.amended).toBeGreaterThan(0);
    expect(found[0]?.relevance).toBe(found[1]?.relevance);
    const [link] = await links(key);
    expect(link).toMatchObject({
      kind: 'note',
      project: 'app',
      newer: { id: newer, content: NEW_RATE },
      older: { id: rate, content: RATE },
      evidence: { words: 'Amendment', similarity: expect.any(Number), model: expect.any(String) },
      undoneAt: null,
    });
    expect(found[0]?.metadata.amendments).toEqual([link]);
    expect(found[1]?.metadata.amendments).toEqual([link]);
    expect(found[2]?.metadata.amendments).toEqual([]);
    expect(await links(key, `?record=${rate}`)).toHaveLength(1);
    expect(await links(key, '?project=elsewhere')).toEqual([]);
    // as things stood before it
    expect(ids(await find(key, RATE_QUESTION, { asOf: day(60) }))[0]).toBe(rate);
  });
});

describe('nothing is amended', () => {
  test.each([
    [
      'by a newer decision of another matter',
      'Rate limits are returned in the headers X-RateLimit-Limit and X-RateLimit-Remaining',
    ],
    ['by a newer decision that says nothing of a change', 'Each API key gets 600 requests a minute'],
    ['by a rule that begins as any may', 'From now on each API key gets 600 requests a minute'],
    ['by a change of another matter', 'Pull requests are no longer merged by the author but by the reviewer'],
  ])('%s', async (_, text) => {
    const { key } = await server.member();
    const [rate] = await decide(key, [RATE, ...OTHERS]);
    await decide(key, [text], { from: 90 });
    expect(await links(key)).toEqual([]);
    const found = await find(key, RATE_QUESTION);
    expect(found[0]?.id).toBe(rate);
    expect(found.every(({ metadata }) => metadata.factors.amended === null)).toBe(true);
  });
});

describe('a link', () => {
  test('that a person undoes is followed no longer, also after a rebuild, until it is restored', async () => {
    const { key } = await server.member();
    const [rate] = await decide(key, [RATE, ...OTHERS]);
    const [newer] = await decide(key, [NEW_RATE], { from: 90 });
    const [link] = await links(key);
    const change = (what: string, id = link.id) =>
      server.request('POST', `/v1/amendments/${id}/${what}`, { key });
    expect(await change('undo')).toMatchObject({ status: 200, body: { undoneAt: expect.any(String) } });
    expect(ids(await find(key, RATE))[0]).toBe(rate);
    expect(await change('restore', link.id.slice(0, 8))).toMatchObject({
      status: 200,
      body: { undoneAt: null },
    });
    expect(ids(await find(key, RATE)).slice(0, 2)).toEqual([newer, rate]);
    expect((await change('undo', `lore:${link.id.slice(0, 8)}`)).status).toBe(200);
    expect((await change('undo', '00000000-0000')).status).toBe(404);
  });
});
