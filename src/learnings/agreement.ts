import type { Embedder } from '../embedding/embedder.ts';
import { contentWords, jaccard, namesOther } from './contradiction.ts';
import { SAME_LESSON } from './judge.ts';

// Whether two lessons that do not contradict each other say the same. A candidate is compared with the stored lessons,
// and each night the stored ones with each other, by the same rule.

/**
 * Returns a function that tells how similar two of these lessons are (0–1): the cosine of their embeddings, or the
 * overlap of their words while no embedding model is ready.
 */
export async function similarityAmong(
  embedder: Embedder,
  userId: string,
  lessons: string[],
): Promise<(a: string, b: string) => number> {
  if (embedder.status().state !== 'ready') return (a, b) => jaccard(contentWords(a), contentWords(b));
  const texts = [...new Set(lessons)];
  const made = await embedder.embed(texts, { userId });
  const vectors = new Map(texts.map((text, i) => [text, made[i]]));
  return (a, b) => dot(vectors.get(a), vectors.get(b));
}

const dot = (a: Float32Array | undefined, b: Float32Array | undefined) =>
  a && b ? a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0) : 0;

/**
 * Returns why two lessons say the same, or null. Examine first whether they contradict each other.
 *
 * @param similarity of the two, see {@link similarityAmong}
 */
export function agreement(a: string, b: string, similarity: number): string | null {
  if (namesOther(a, b) || similarity <= SAME_LESSON) return null;
  return `similarity ${similarity.toFixed(3)}`;
}
