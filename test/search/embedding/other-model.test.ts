import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { type EmbedderOptions, startEmbedder } from '../../../src/search/embedding/embedder.ts';

const root = await mkdtemp(join(tmpdir(), 'lore-other-model-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const NAME = 'someone/multilingual-384';
// As XLM-R has it, small: a unigram vocabulary with pieces of several scripts.
const pieces = ['<s>', '<pad>', '</s>', '<unk>', '▁', '▁ключ', '▁замок', '▁鍵', '▁Schlüssel', 'ы'];
const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
const tokenizer = {
  added_tokens: pieces.slice(0, 4).map((content, id) => ({ id, content, special: true })),
  normalizer: null,
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
  post_processor: {
    type: 'TemplateProcessing',
    single: [special('<s>'), { Sequence: { id: 'A', type_id: 0 } }, special('</s>')],
    pair: [],
  },
  decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
  model: { type: 'Unigram', unk_id: 3, vocab: pieces.map((piece, n) => [piece, n < 4 ? 0 : -n]) },
};

/** Loads a model, embeds texts if it can, and closes the embedder. */
async function load(options: EmbedderOptions, texts: string[] = []) {
  const embedder = startEmbedder(options);
  const status = await embedder.ready;
  const vectors =
    status.state === 'ready' && texts.length > 0 ? await embedder.embed(texts, { userId: 'ann' }) : [];
  await embedder.close();
  return { status, vectors };
}

test('another model of the hub is taken by its name, with its own vocabulary, and nothing in its place', async () => {
  const asked: string[] = [];
  const hub = createServer(async ({ url = '' }, response) => {
    asked.push(url);
    const file = url.replace(`/${NAME}/resolve/main/`, '');
    if (file === 'config.json') response.end(JSON.stringify({ model_type: 'bert', hidden_size: 384 }));
    else if (file === 'tokenizer.json') response.end(JSON.stringify(tokenizer));
    else response.end(await readFile(join(inject('modelDir'), file)));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => hub.once('listening', resolve));
  const hubUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  const texts = ['ключы', 'ключы', '鍵'];
  const home = join(root, 'home');
  const { status, vectors } = await load({ home, hubUrl, name: NAME }, texts);
  hub.close();
  expect(status).toMatchObject({ state: 'ready', source: 'hub', model: NAME });
  const [a, same, other] = vectors as [Float32Array, Float32Array, Float32Array];
  expect(a).toHaveLength(384);
  expect(same).toEqual(a);
  expect(a.reduce((sum, value, n) => sum + value * (other[n] ?? 0), 0)).toBeLessThan(0.99);
  expect(new Set(asked.map((url) => url.slice(0, url.indexOf('/resolve/'))))).toEqual(new Set([`/${NAME}`]));

  const cached = await load({ home, name: NAME }, texts);
  expect(cached.status).toMatchObject({ source: 'cache', model: NAME });
  expect(cached.vectors).toEqual(vectors);
  const nowhere = await load({ home: join(root, 'empty'), name: NAME });
  expect(nowhere.status).toMatchObject({
    state: 'unavailable',
    reason: expect.stringContaining(`${NAME} could not be loaded`),
  });
}, 60_000);
