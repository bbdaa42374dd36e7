import type { Config } from '../../base/config.ts';
import type { Log } from '../../base/log.ts';
import type { Embedder, EmbeddingStatus } from './embedder.ts';

// An embedder that asks a server for vectors, for where no model can run: any endpoint that speaks OpenAI's protocol for
// embeddings. It must serve the model that the database's vectors are of.

const MODEL = 'Xenova/all-MiniLM-L6-v2';
const DIMENSIONS = 384;
const TIMEOUT_MS = 20_000;
/** The model reads 256 word pieces of a text. */
const MAX_CHARACTERS = 8_192;

/**
 * A pair of texts, and how near all-MiniLM-L6-v2 finds them. Another model, even of as many numbers, finds others near:
 * gte-small has 0.7 and more for any two texts, so all limits of Lore would be wrong for it.
 */
const PROBE = {
  texts: ['The cat sleeps on the sofa.', 'Interest rates rose by half a percent.'],
  cosine: 0.02,
};
/** Weights of fewer bits change a cosine by less. */
const TOLERANCE = 0.05;

/** Returns an embedder that asks the server at LORE_EMBEDDING_URL; without it there are no vectors. */
export function httpEmbedder(config: Pick<Config, 'embeddingUrl' | 'embeddingKey'>, log: Log): Embedder {
  const { embeddingUrl: url, embeddingKey: key } = config;
  let status: EmbeddingStatus =
    url === undefined
      ? { model: null, state: 'unavailable', reason: 'LORE_EMBEDDING_URL is not set: search goes by words' }
      : { model: MODEL, state: 'ready' };
  let probed = false;

  async function ask(texts: string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${url?.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      signal: signal ? AbortSignal.any([late, signal]) : late,
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model: MODEL, input: texts.map((text) => text.slice(0, MAX_CHARACTERS)) }),
    });
    if (!response.ok) throw new Error(`LORE_EMBEDDING_URL answered ${response.status}`);
    const { data } = (await response.json()) as { data?: { index?: number; embedding: number[] }[] };
    const vectors = (data ?? [])
      .sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
      .map(({ embedding }) => embedding);
    if (vectors.length !== texts.length || vectors.some((one) => one.length !== DIMENSIONS))
      throw new Error(`LORE_EMBEDDING_URL did not answer one vector of ${DIMENSIONS} numbers for each text`);
    return vectors.map((vector) => {
      const length = Math.hypot(...vector) || 1;
      return Float32Array.from(vector, (value) => value / length);
    });
  }

  /** Asks whether the server has the model that it should have. */
  async function probe(): Promise<void> {
    const [a, b] = (await ask(PROBE.texts)) as [Float32Array, Float32Array];
    const found = a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
    probed = true;
    if (Math.abs(found - PROBE.cosine) <= TOLERANCE) return;
    const reason = `the model at LORE_EMBEDDING_URL is not ${MODEL}: a pair of texts is ${found.toFixed(2)} near, and should be ${PROBE.cosine}`;
    status = { model: null, state: 'unavailable', reason };
    log.error({ reason }, 'embedding');
  }

  return {
    status: () => status,
    ready: Promise.resolve(status),
    async embed(texts, { signal }) {
      if (status.state === 'ready' && !probed) await probe();
      if (status.state !== 'ready') throw new Error(`Embedding is unavailable: ${status.reason}`);
      return texts.length === 0 ? [] : ask(texts, signal);
    },
    close: async () => {},
  };
}
