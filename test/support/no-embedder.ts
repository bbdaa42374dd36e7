import type { Embedder, EmbeddingStatus } from '../../src/search/embedding/embedder.ts';

/** Returns an embedder without a model, for where none can run. Search goes by words there. */
export function noEmbedder(reason: string): Embedder {
  const status: EmbeddingStatus = { model: null, state: 'unavailable', reason };
  return {
    status: () => status,
    ready: Promise.resolve(status),
    embed: async () => {
      throw new Error(`Embedding is unavailable: ${reason}`);
    },
    close: async () => {},
  };
}
