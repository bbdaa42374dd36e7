import type { Embedder } from './embedder.ts';

/** A query is answered without a vector rather than late. */
const TIME_LIMIT_MS = 1_500;

export type QueryVector = { embedding: Float32Array; model: string } | null;

/** Returns a query's vector; null while the model is not there, or when it takes longer than 1.5 s. Never rejects. */
export async function embedQuery(embedder: Embedder, text: string): Promise<QueryVector> {
  const { state, model } = embedder.status();
  if (state !== 'ready' || model === null) return null;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), TIME_LIMIT_MS);
  });
  try {
    const vectors = await Promise.race([embedder.embed([text], { priority: 'query' }), late]);
    const embedding = vectors?.[0];
    return embedding ? { embedding, model } : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
