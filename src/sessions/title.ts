import { clip } from '../base/text/clip.ts';

/** Words by which a person asks politely, at the beginning of a prompt. They say nothing about the task. */
const POLITE =
  /^(?:(?:(?:hi|hey|hello)(?: there| claude)?|thanks|thank you|ok(?:ay)?|so|now|please|just)\b[\s,.!:;-]*|(?:can|could|would|will) you\b(?: please)?[\s,]*|(?:i(?:'d| would) like(?: you)? to|i (?:want|need)(?: you)? to|let(?:'s| us)|help me(?: to)?)\b[\s,]*)+/i;
/** How a rule begins that a person states beside the task. */
const RULE = /^(?:never|always|from now on|do not|don['’]t)\b/i;
const MAX_WORDS = 8;
const MAX_CHARACTERS = 80;

/**
 * Returns what a prompt asks for, in at most eight words and 80 characters of its first sentence that is no rule, without
 * politeness.
 */
export function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  const sentences = line.replace(POLITE, '').split(/(?<=\w[.!?])\s+(?=\p{Lu})/u);
  const [first = ''] = sentences;
  const asked = (sentences.find((one) => !RULE.test(one)) ?? first).replace(POLITE, '');
  const words = (asked.trim() || line).split(/\s+/);
  const title = clip(words.slice(0, MAX_WORDS).join(' '), MAX_CHARACTERS);
  const whole = title === words.join(' ');
  const named = whole
    ? title.replace(/(?<=[\p{L}\p{N}`)])[.!:]$/u, '')
    : `${title.replace(/[\s,;:.…-]+$/, '')}…`;
  return named.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
