import { readJsonc } from '../base/text/jsonc.ts';
import { numberedIn } from '../base/text/numbered.ts';
import patterns from './intent.jsonc' with { type: 'text' };

// How much a prompt wants, by its words alone: nothing done, one thing, or work of several steps. If it is not clear, it
// counts as one thing. A wrong answer costs one line in the agent's context, or one line less. docs/plans.md says more.

/** `quick`: a question, a greeting, or the same command again */
export type Intent = 'quick' | 'focused' | 'complex';
export type Ceremony = { intent: Intent; complexity: 'low' | 'medium' | 'high' };

/** Only the beginning of a very long prompt is read, in characters. */
const MAX_READ = 20_000;
const { pasted: printed, ...words } = readJsonc(patterns) as Record<string, string> & { pasted: string };
const PASTED = new RegExp(printed, 'gm');
const WORDS = new Map(Object.entries(words).map(([name, pattern]) => [name, new RegExp(pattern, 'i')]));
const pattern = (name: string) => WORDS.get(name) as RegExp;
const is = (name: string, text: string): boolean => pattern(name).test(text);

/**
 * Returns how much a prompt wants.
 *
 * @example classify('what does --frozen-lockfile do?').intent // 'quick'
 */
export function classify(prompt: string): Ceremony {
  const read = prompt.slice(0, MAX_READ);
  const own = read.replace(PASTED, '').trim();
  const pasted = own.length < read.trim().length;
  const sentences = own.split(/(?<=[.!?])\s+|\n+/).filter((one) => /\p{L}/u.test(one));
  if (!pasted && sentences.length > 0 && isQuick(own, sentences))
    return { intent: 'quick', complexity: 'low' };
  const weight = weigh(own, pasted);
  if (weight >= 3) return { intent: 'complex', complexity: weight >= 5 ? 'high' : 'medium' };
  return { intent: 'focused', complexity: weight >= 2 ? 'medium' : 'low' };
}

function isQuick(own: string, sentences: string[]): boolean {
  if (sentences.some(asks) && is('noChange', own)) return true;
  return sentences.every((sentence) => {
    if (is('greets', sentence)) return true;
    if (is('again', bareOf(sentence).replace(/[.!\s]+$/, ''))) return true;
    return asks(sentence) && !clausesOf(sentence).some(isOrder);
  });
}

const bareOf = (text: string): string => text.trim().replace(pattern('polite'), '');
const asks = (sentence: string): boolean => is('asks', bareOf(sentence)) || sentence.trimEnd().endsWith('?');
const isOrder = (clause: string): boolean => is('orders', clause);

/** Returns the parts of a text that may each ask for something, without words of politeness. */
const clausesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?;:])\s+|\n+|,\s+|\s+(?:and|then)\s+(?=[a-z]+\b)|\s+-\s+/i)
    .map((clause) => bareOf(clause.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '')))
    .filter((clause) => clause !== '');

function weigh(own: string, pasted: boolean): number {
  const clauses = clausesOf(own);
  const words = own.split(/\s+/).length;
  const items = Math.max(numberedIn(own)?.items.length ?? 0, own.match(/^\s*[-*•]\s+\S+ \S/gm)?.length ?? 0);
  if (items < 2 && !clauses.some(isOrder) && !is('wanted', own)) return 0;
  let weight = items >= 2 ? 3 : 0;
  if (clauses.some((clause) => is('largest', clause))) weight += 3;
  else if (clauses.some((clause) => is('large', clause))) weight += 2;
  if (is('largeMatter', own)) weight += 1;
  if (is('everywhere', own)) weight += 2;
  if (is('wanted', own)) weight += 2;
  if (clauses.filter(isOrder).length >= 3 || (own.match(/,/g)?.length ?? 0) >= 2) weight += 1;
  weight += words > 60 ? 2 : words > 20 ? 1 : 0;
  return pasted ? weight - 2 : weight;
}
