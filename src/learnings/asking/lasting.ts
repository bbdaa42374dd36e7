import { readJsonc } from '../../base/text/jsonc.ts';
import { anyOf, type Cues } from '../language/cues.ts';
import { plain, SENTENCES, withoutQuotes } from '../language/stated-rules.ts';
import text from './lasting-words.jsonc' with { type: 'text' };

// Whether a person's prompt may state a rule that outlasts its task. That decides only whether the agent is asked.

const LASTS = new RegExp(anyOf(readJsonc(text) as Cues), 'iu');

/** Longest prompt, in characters; longer ones are mostly plans and pasted texts. */
const MAX_PROMPT = 1_200;
const MAX_LINES = 12;

/**
 * What a person pastes: code, quotes, tables, headings, lists of findings, logs with times, heads of mails, paths with line
 * numbers, and what stands behind a line that announces it.
 */
const PASTED =
  /```|^\s*(?:>|\||#{1,6} |\$ |at \S+ \(|\[?\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:From|To|Subject|Date|Von|An|Betreff): )|\S+:\d+(?::\d+)?\b|^\s*[-*] .*\n\s*[-*] .*\n\s*[-*] /m;

/** A question, or what is asked for now. */
const REQUEST = /[?？]\s*$|^\s*(?:can|could|would|will|do|did|does|is|are) (?:you|we|it|this|that|the)\b/i;

/**
 * Returns the first sentence of a prompt that has a word by which it may last; null if there is none, or if the prompt is
 * long, or holds something that was pasted.
 */
export function lastingSentence(prompt: string): string | null {
  if (prompt.length > MAX_PROMPT || prompt.split('\n').length > MAX_LINES || PASTED.test(prompt)) return null;
  const sentences = prompt.match(SENTENCES) ?? [];
  const found = sentences.find(
    (sentence) => !REQUEST.test(sentence) && LASTS.test(withoutQuotes(plain(sentence))),
  );
  return found?.trim() ?? null;
}
