import { clip } from '../text/clip.ts';

/** Words by which a person asks politely, at the beginning of a prompt. They say nothing about the task. */
const POLITE =
  /^(?:(?:hi|hey|hello|thanks|thank you|ok(?:ay)?|so|now|please|pls|kindly|just)\b[\s,.!:;-]*|(?:can|could|would|will) you\b(?: please)?[\s,]*|(?:i(?:'d| would) like(?: you)? to|i (?:want|need)(?: you)? to|let(?:'s| us)|help me(?: to)?|go ahead and)\b[\s,]*)/i;
const MAX_WORDS = 8;
const MAX_CHARACTERS = 80;

/** Returns what a prompt asks for, in at most eight words and 80 characters of its first sentence, without politeness. */
export function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  let asked = line;
  for (let shorter = asked.replace(POLITE, ''); shorter !== asked; shorter = asked.replace(POLITE, ''))
    asked = shorter;
  const [sentence = ''] = asked.split(/(?<=\w[.!?])\s+(?=\p{Lu})/u);
  const words = (sentence.trim() || line).split(/\s+/);
  const title = words.slice(0, MAX_WORDS).join(' ');
  const short =
    title.length > MAX_CHARACTERS ? clip(title, MAX_CHARACTERS - 1).replace(/\s+\S*$/, '') : title;
  const whole = short.length === words.join(' ').length;
  const named = whole
    ? short.replace(/(?<=[\p{L}\p{N}`)])[.!]$/u, '')
    : `${short.replace(/[\s,;:.-]+$/, '')}…`;
  return named.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
