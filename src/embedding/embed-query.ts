import type { Embedder } from './embedder.ts';

/** After this time a query is answered without a vector, because a late answer is worse. */
const MAX_QUERY_MS = 1_500;

export type QueryVector = { embedding: Float32Array; model: string } | null;

/** Returns a query's vector; null when the model is not ready or takes longer than 1.5 s. Never rejects. */
export async function embedQuery(embedder: Embedder, text: string): Promise<QueryVector> {
  const { state, model } = embedder.status();
  if (state !== 'ready' || model === null) return null;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), MAX_QUERY_MS);
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
