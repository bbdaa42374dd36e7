import { mkdtempSync } from 'node:fs';
import { cp, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, inject, test, vi } from 'vitest';
import { startEmbedder } from '../../../src/search/embedding/embedder.ts';
import { temporaryFolder } from '../../support/left-behind.ts';
import { onLinux } from '../../support/needs.ts';
import { embeddingProcess } from '../../support/process.ts';

const SHIPPED = 'Xenova/all-MiniLM-L6-v2#tfjs-uint8';

const root = temporaryFolder();
const modelDir = inject('modelDir');
const newHome = () => mkdtempSync(join(root, 'home-'));
const shared = startEmbedder({ home: newHome(), modelDir });
afterAll(() => shared.close());

const similarity = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);

const largestDifference = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, value, n) => Math.max(most, Math.abs(value - (b[n] ?? 0))), 0);

const mine = { userId: 'ann' };

async function embedOne(text: string): Promise<Float32Array> {
  const [vector] = await shared.embed([text], mine);
  return vector as Float32Array;
}

describe('vectors', () => {
  test.each([
    [
      'how to fix expired JWT tokens',
      'authentication fails with a timeout after the session ends',
      'center a div with flexbox',
    ],
    [
      'deadlock detected in postgres',
      'two transactions lock the same rows in opposite order',
      'the logo has the wrong colour',
    ],
  ])('%s: the related text ranks above the unrelated one', async (query, related, unrelated) => {
    const [q, r, u] = (await shared.embed([query, related, unrelated], mine)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    expect(similarity(q, r)).toBeGreaterThan(similarity(q, u) + 0.1);
  });

  test('have 384 dimensions and length 1, also for texts without words', async () => {
    for (const vector of await shared.embed(['plain words', '', ' \n\t', '\ud800', '漢字 😀', '\0'], mine)) {
      expect(vector).toHaveLength(384);
      expect(similarity(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  test('do not depend on the texts embedded in the same call', async () => {
    const text = fc.array(fc.constantFrom('error', 'TypeError:', 'retry', 'src/db/open.ts', '42', '…'), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (words) => {
        const texts = words.map((some) => some.join(' '));
        const together = await shared.embed(texts, mine);
        for (const [n, vector] of together.entries()) {
          expect(largestDifference(vector, await embedOne(texts[n] as string))).toBeLessThan(1e-5);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('of a query come before those of a batch sent earlier', async () => {
    const order: string[] = [];
    const batch = shared
      .embed(
        Array.from({ length: 50 }, (_, n) => `a long batch, text ${n}`),
        mine,
      )
      .then(() => order.push('batch'));
    const query = shared
      .embed(['a question'], { ...mine, priority: 'query' })
      .then(() => order.push('query'));
    await Promise.all([batch, query]);
    expect(order).toEqual(['query', 'batch']);
  });
});

describe.concurrent('a model folder', () => {
  /** Returns what an embedder says of a folder, and the vectors that it makes of texts. */
  async function load(folder: string, texts: string[] = []) {
    const embedder = startEmbedder({ home: newHome(), modelDir: folder });
    const status = await embedder.ready;
    const vectors = texts.length > 0 ? await embedder.embed(texts, mine) : [];
    await embedder.close();
    return { status, vectors };
  }

  test('with another model and its own vocabulary has an id of its own', async () => {
    // as XLM-R has it, small: a unigram vocabulary with pieces of several scripts
    const pieces = ['<s>', '<pad>', '</s>', '<unk>', '▁', '▁ключ', '▁замок', '▁鍵', '▁Schlüssel', 'ы'];
    const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
    const spaces = { type: 'Metaspace', replacement: '▁', add_prefix_space: true };
    const tokenizer = {
      added_tokens: pieces.slice(0, 4).map((content, id) => ({ id, content, special: true })),
      normalizer: null,
      pre_tokenizer: spaces,
      post_processor: {
        type: 'TemplateProcessing',
        single: [special('<s>'), { Sequence: { id: 'A', type_id: 0 } }, special('</s>')],
        pair: [],
      },
      decoder: spaces,
      model: { type: 'Unigram', unk_id: 3, vocab: pieces.map((piece, n) => [piece, n < 4 ? 0 : -n]) },
    };
    const folder = join(root, 'someone/multilingual-384');
    await cp(modelDir, folder, { recursive: true });
    await writeFile(join(folder, 'config.json'), '{"model_type": "bert", "hidden_size": 384}');
    await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
    const { status, vectors } = await load(folder, ['ключы', 'ключы', '鍵']);
    expect(status).toEqual({ state: 'ready', model: 'someone/multilingual-384' });
    const [a, same, other] = vectors as [Float32Array, Float32Array, Float32Array];
    expect(same).toEqual(a);
    expect(similarity(a, other)).toBeLessThan(0.99);
  });

  test.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    ['is not there', (folder) => rm(folder, { recursive: true }), /ENOENT/],
    ['is cut off', (folder) => truncate(join(folder, 'onnx/model_quantized.onnx'), 10_000_000), /./],
    ['is broken', (folder) => writeFile(join(folder, 'tokenizer.json'), '{"model": {'), /tokenizer.json/],
    [
      'has another form',
      (folder) => writeFile(join(folder, 'config.json'), '{"hidden_size": 768}'),
      /384 dimensions/,
    ],
  ])('that %s gives no vectors, and the status says why', async (_, breakIt, why) => {
    const folder = newHome();
    await cp(modelDir, folder, { recursive: true });
    await breakIt(folder);
    const { status } = await load(folder);
    expect(status).toMatchObject({ state: 'unavailable', model: null, reason: expect.stringMatching(why) });
  });
});

describe.concurrent('the embedding process', () => {
  test('is not waited for by somebody who has given up', async () => {
    const embedder = startEmbedder({ home: newHome(), modelDir });
    await embedder.ready;
    const stopping = new AbortController();
    const texts = Array.from({ length: 500 }, (_, n) => `given up ${n}`);
    const lost = embedder.embed(texts, { ...mine, signal: stopping.signal });
    stopping.abort(new Error('the server stops'));
    await expect(lost).rejects.toThrow('the server stops');
    await expect(embedder.embed(['late'], { ...mine, signal: stopping.signal })).rejects.toThrow('stops');
    expect(await embedder.embed(['others'], mine)).toHaveLength(1);
    await embedder.close();
  });

  // Only Linux lists the children of a process without another package.
  onLinux.test('is started again after a pause when it dies, and says so', async () => {
    const home = newHome();
    const embedder = startEmbedder({ home, modelDir });
    await embedder.ready;
    // Five hundred different texts, and the process is known before: it cannot have answered when it is killed.
    const texts = Array.from({ length: 500 }, (_, n) => `lost ${n}`);
    const first = embeddingProcess(home) as number;
    const lost = embedder.embed(texts, mine);
    process.kill(first, 'SIGKILL');
    await expect(lost).rejects.toThrow(/unavailable.*SIGKILL.*it is started again in [0-2] s/);
    await vi.waitFor(() => expect(embedder.status()).toMatchObject({ state: 'ready' }), { timeout: 20_000 });
    expect(embedder.status()).toMatchObject({ state: 'ready', model: SHIPPED });
    expect(await embedder.embed(['once more'], mine)).toHaveLength(1);
    await embedder.close();
  });

  onLinux.test('is started again when it found no model, and finds one that came later', async () => {
    const [home, late] = [newHome(), join(root, 'late-model')];
    const embedder = startEmbedder({ home, modelDir: late });
    expect(await embedder.ready).toMatchObject({ state: 'unavailable' });
    await cp(modelDir, late, { recursive: true });
    await vi.waitFor(() => expect(embedder.status()).toMatchObject({ state: 'ready' }), { timeout: 20_000 });
    await embedder.close();
  });

  onLinux.test('is gone after close, which rejects what waits and may be repeated', async () => {
    const home = newHome();
    const embedder = startEmbedder({ home, modelDir });
    await vi.waitFor(() => expect(embeddingProcess(home)).toBeDefined(), { timeout: 25_000 });
    const waiting = embedder.embed(Array(500).fill('never'), mine);
    await Promise.all([expect(waiting).rejects.toThrow('closed'), embedder.close()]);
    expect(embeddingProcess(home)).toBeUndefined();
    await embedder.close();
    await expect(embedder.embed(['late'], mine)).rejects.toThrow('closed');
  });
});
