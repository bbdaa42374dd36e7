import { setImmediate } from 'node:timers/promises';
import type { Embedder } from '../embedding/embedder.ts';
import { contentWords, jaccard, namesDiffer, sameDirection, withoutEach } from './contradiction.ts';
import { SAME_LESSON } from './judge.ts';

// Whether two lessons that do not contradict each other say the same. A candidate is compared with the stored lessons,
// and each night the stored ones with each other, by the same rule.
//
// Cosine alone cannot tell: the same advice in other words has mostly 0.75 to 0.97, and the same sentence
// about another service has up to 0.93. So words are taken out of the two sentences. If the sentences are
// about different things, they become much more alike without the words for these things. If only their
// wording differs, they hardly do.

/** The cosine from which two lessons may say the same. */
const MAY_AGREE = 0.75;
/** How much more alike two lessons may become when a word of each is taken out (measured, see docs/consolidation.md). */
const OTHER_SUBJECT = 0.062;
/** Without a model: the share of common words that two lessons need to say the same. */
const SAME_WORDS = SAME_LESSON;
/** A lesson with more words of its own is not the same in other words. */
const MAX_OWN_WORDS = 10;

export type Comparison = {
  /** cosine of the embeddings, or the overlap of the words while no embedding model is ready; 0–1 */
  similarity: number;
  /** why they say the same; null: they do not. Examine first whether they contradict each other. */
  agreed: string | null;
};

/**
 * Returns whether two lessons may say the same, by their words alone: they name the same things, and both
 * advise something or both advise against it. Thanks to this the night need not ask the model about most pairs.
 */
export const mayAgree = (a: string, b: string): boolean => !namesDiffer(a, b) && sameDirection(a, b);

/** Compares pairs of lessons. The embedding model is asked, so call it outside any transaction. */
export async function compareLessons(
  embedder: Embedder,
  userId: string,
  pairs: [a: string, b: string][],
): Promise<Comparison[]> {
  if (pairs.length === 0) return [];
  if (embedder.status().state !== 'ready') return pairs.map(([a, b]) => byWords(a, b));
  const vectors = new Map<string, Float32Array>();
  const embed = async (texts: string[]) => {
    const fresh = [...new Set(texts)].filter((text) => !vectors.has(text));
    const made = fresh.length > 0 ? await embedder.embed(fresh, { userId }) : [];
    for (const [i, text] of fresh.entries()) vectors.set(text, made[i] as Float32Array);
  };
  const cosine = (a: string, b: string) => dot(vectors.get(a), vectors.get(b));
  await embed(pairs.flat());
  const near = await eachInTurn(pairs, ([a, b]) => {
    const similarity = cosine(a, b);
    if (similarity < MAY_AGREE || !mayAgree(a, b)) return { similarity, parts: null };
    const parts = [withoutEach(a, b), withoutEach(b, a)] as const;
    return { similarity, parts: parts.some(({ length }) => length > MAX_OWN_WORDS) ? null : parts };
  });
  await embed(near.flatMap(({ parts }) => parts?.flat() ?? []));
  return eachInTurn(near, ({ similarity, parts }) => {
    const jumps = parts?.[0].flatMap((a) => parts[1].map((b) => cosine(a, b) - similarity));
    const agreed = jumps?.every((jump) => jump < OTHER_SUBJECT)
      ? `similarity ${similarity.toFixed(3)}`
      : null;
    return { similarity, agreed };
  });
}

/** After this many pairs, waiting requests are answered first. It is about two milliseconds of work. */
const PAIRS_A_TURN = 8;

/** Does some work for each item, and lets requests be answered in between. Returns the results. */
export async function eachInTurn<T, R>(items: T[], work: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(work(item));
    if (results.length % PAIRS_A_TURN === 0) await setImmediate();
  }
  return results;
}

function byWords(a: string, b: string): Comparison {
  const similarity = jaccard(contentWords(a), contentWords(b));
  const same = similarity > SAME_WORDS && mayAgree(a, b);
  return { similarity, agreed: same ? `${Math.round(similarity * 100)} % common words` : null };
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  let sum = 0;
  if (a && b) for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
