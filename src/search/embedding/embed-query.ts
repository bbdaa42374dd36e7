import { within } from '../../base/timing/within.ts';
import type { Embedder } from './embedder.ts';

/** After this time a query is answered without a vector, because a late answer would be worse. */
const MAX_QUERY_MS = 1_500;

export type QueryVector = { embedding: Float32Array; model: string } | null;

/** A text that has no word of a model's vocabulary has the vector of any other such text, so it says nothing. */
const UNKNOWN = '🎉';
const SAME = 0.98;

/**
 * Returns the vector of a user's query; null when the model is not ready, takes longer than 1.5 s or knows no word of the
 * query. Never rejects.
 */
export async function embedQuery(embedder: Embedder, userId: string, text: string): Promise<QueryVector> {
  const { state, model } = embedder.status();
  if (state !== 'ready' || model === null) return null;
  try {
    const asked = embedder.embed([text, UNKNOWN], { userId, priority: 'query' });
    const [embedding, unknown] = (await within(asked, MAX_QUERY_MS)) ?? [];
    if (!embedding || !unknown) return null;
    const cosine = embedding.reduce((sum, value, i) => sum + value * (unknown[i] ?? 0), 0);
    return cosine < SAME ? { embedding, model } : null;
  } catch {
    return null;
  }
}
