import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, inject, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { startEmbedder } from '../../../src/search/embedding/embedder.ts';
import { httpEmbedder } from '../../../src/search/embedding/http-embedder.ts';
import { temporaryFolder } from '../../support/left-behind.ts';

// A server on loopback that speaks OpenAI's protocol for embeddings, with Lore's own model behind it.

const own = startEmbedder({ home: temporaryFolder(), modelDir: inject('modelDir') });
afterAll(() => own.close());

let shape = (vector: Float32Array): number[] => [...vector];
const asked: { authorization: string | undefined; model: string }[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { input, model } = JSON.parse(Buffer.concat(chunks).toString());
  asked.push({ authorization: request.headers.authorization, model });
  const vectors = await own.embed(input, { userId: 'x' });
  const data = vectors.map((vector, index) => ({ index, embedding: shape(vector) }));
  // the order is not promised
  response.end(JSON.stringify({ data: data.reverse() }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => void server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
const embedder = (config: object = {}) =>
  httpEmbedder({ embeddingUrl: url, embeddingKey: undefined, ...config }, createLog('silent'));
const TEXTS = ['How is the database restarted?', 'Restart it with make db.', 'The sofa is green.'];
const embed = (one: ReturnType<typeof embedder>) => one.embed(TEXTS, { userId: 'x' });

test('gets the same vectors as the model has here, of length one, in the order of the texts', async () => {
  shape = (vector) => [...vector].map((value) => value * 3);
  const [made, here] = [
    await embed(embedder({ embeddingKey: 'a-key' })),
    await own.embed(TEXTS, { userId: 'x' }),
  ];
  for (const [i, vector] of made.entries())
    for (const [n, value] of vector.entries()) expect(value).toBeCloseTo(here[i]?.[n] as number, 5);
  expect(asked.at(-1)).toEqual({ authorization: 'Bearer a-key', model: 'Xenova/all-MiniLM-L6-v2' });
});

test('refuses a model that finds other texts near', async () => {
  // as gte-small does, it finds any two texts near
  shape = (vector) => [...vector].map((value) => value + 0.1);
  const other = embedder();
  await expect(embed(other)).rejects.toThrow(
    /is not Xenova\/all-MiniLM-L6-v2: a pair of texts is 0\.\d\d near/,
  );
  expect(other.status()).toMatchObject({ state: 'unavailable', model: null });
});

test('refuses vectors of another length, and asks again when the server was away', async () => {
  const late = embedder();
  shape = (vector) => [...vector].slice(0, 256);
  await expect(embed(late)).rejects.toThrow('one vector of 384 numbers');
  shape = (vector) => [...vector];
  expect(await embed(late)).toHaveLength(3);
});

test('without an address there are no vectors', async () => {
  const none = embedder({ embeddingUrl: undefined });
  expect(none.status()).toMatchObject({
    state: 'unavailable',
    reason: expect.stringContaining('LORE_EMBEDDING_URL'),
  });
  await expect(embed(none)).rejects.toThrow('LORE_EMBEDDING_URL is not set');
});
