import { within } from '../../base/timing/within.ts';
import type { Embedder } from './embedder.ts';

/** After this time a query is answered without a vector, because a late answer would be worse. */
const MAX_QUERY_MS = 1_500;

export type QueryVector = { embedding: Float32Array; model: string } | null;

/** Returns the vector of a user's query; null when the model is not ready or takes longer than 1.5 s. Never rejects. */
export async function embedQuery(embedder: Embedder, userId: string, text: string): Promise<QueryVector> {
  const { state, model } = embedder.status();
  if (state !== 'ready' || model === null) return null;
  try {
    const vectors = await within(embedder.embed([text], { userId, priority: 'query' }), MAX_QUERY_MS);
    const embedding = vectors?.[0];
    return embedding ? { embedding, model } : null;
  } catch {
    return null;
  }
}
