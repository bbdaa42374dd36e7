import type { Core } from './lead-in.ts';
import { FACT, LASTS } from './learned-weights.ts';
import { masked } from './masked.ts';

// Most people say what lasts in plain words that no rule foresees: “our production machines are all Graviton”. So a
// sentence that no rule decides is judged by its words: a logistic regression over its words and pairs of words, learned
// from prompts that were labelled sentence by sentence (eval/sets/said, `npm run train:statements`). It is a table of
// numbers: nothing is loaded, and a sentence takes some microseconds.

/** Features are hashed into this many places, so that the table stays small. Two that share a place share its weight. */
export const PLACES = 1 << 16;

/** Where in its prompt a sentence stands. */
export type Place = {
  /** whether the prompt is the session's first */
  first: boolean;
  /** the sentences before and after it in the prompt; '' if there is none */
  previous: string;
  next: string;
  /** whether the agent's last message asked something */
  asked: boolean;
};

export type Features = Map<number, number>;

/**
 * Returns what is known of a sentence: the place of each feature, and its value.
 *
 * @param core the sentence without the words around it
 * @param text the same, as {@link masked} shows it
 * @param ruled what the rules say of it
 */
export function featuresOf(core: Core, text: string, place: Place, ruled: string): Features {
  const features: Features = new Map();
  const add = (name: string, value: number) => {
    const at = hash(name) % PLACES;
    features.set(at, (features.get(at) ?? 0) + value);
  };
  const words = ['<', ...wordsOf(text), '>'];
  const groups = new Set<string>();
  for (let size = 1; size <= 2; size += 1) {
    for (let i = 0; i + size <= words.length; i += 1) groups.add(words.slice(i, i + size).join(' '));
  }
  // the beginning of a sentence tells most; the endings of words help with words that were never seen
  for (const word of words.slice(1, 4)) groups.add(`^${word}`);
  for (const word of words) if (word.length > 4) groups.add(`$${word.slice(-3)}`);
  // a long sentence shall not weigh more than a short one
  for (const group of groups) add(group, 2 / Math.sqrt(groups.size));
  for (const name of ['refuses', 'told', 'standing', 'asked', 'wrong'] as const)
    if (core[name]) add(`#${name}`, 1);
  add(`#length ${Math.min(6, Math.floor((words.length - 2) / 4))}`, 0.5);
  add(`#ruled ${ruled}`, 1.5);
  if (place.first) add('#first', 1);
  if (place.asked) add('#answers', 0.5);
  add(`#previous ${place.previous === '' ? '' : (wordsOf(masked(place.previous))[0] ?? '?')}`, 0.4);
  add(`#next ${place.next === '' ? '' : (wordsOf(masked(place.next))[0] ?? '?')}`, 0.4);
  if (place.previous.endsWith('?')) add('#after a question', 0.5);
  return features;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}']+|\d+|[?,:;()-]/gu) ?? [];

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 2_166_136_261;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16_777_619);
  return value >>> 0;
}

/** What was learned: a bias, and a byte for each place, which is its weight divided by `scale`. */
type Learned = { bias: number; scale: number; weights: string };

/** Returns the probability that a logistic regression predicts, 0 to 1. */
export function predict(features: Features, bias: number, weights: ArrayLike<number>, scale = 1): number {
  let sum = bias;
  for (const [at, value] of features) sum += (weights[at] as number) * scale * value;
  return 1 / (1 + Math.exp(-sum));
}

const likelihood = ({ bias, scale, weights }: Learned) => {
  const bytes = new Int8Array(Buffer.from(weights, 'base64'));
  return (features: Features) => predict(features, bias, bytes, scale);
};

/** Returns how likely (0–1) it is that a sentence with these features is meant for later work too. */
export const likelyLasting = likelihood(LASTS);

/** Returns how likely (0–1) it is that a lasting sentence with these features tells a fact and not a wish. */
export const likelyFact = likelihood(FACT);
