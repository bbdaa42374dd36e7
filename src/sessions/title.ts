import { clip } from '../text/clip.ts';
import { numberedIn } from '../text/numbered.ts';

/** Words by which a person asks politely, at the beginning of a prompt. They say nothing about the task. */
const POLITE =
  /^(?:(?:(?:hi|hey|hello)(?: (?:there|all|again|everyone|claude))?|thanks|thank you|ok(?:ay)?|so|now|please|pls|kindly|just)\b[\s,.!:;-]*|(?:can|could|would|will) you\b(?: please)?[\s,]*|(?:i(?:'d| would) like(?: you)? to|i (?:want|need)(?: you)? to|let(?:'s| us)|help me(?: to)?|go ahead and)\b[\s,]*)/i;
const MAX_WORDS = 8;
/** Most words of what only introduces a list. */
const MAX_INTRODUCTION = 4;
const MAX_CHARACTERS = 80;

/**
 * Returns what a prompt asks for, in at most eight words and 80 characters of its first sentence, without politeness. Of
 * a list that nothing introduces it is the first item.
 */
export function titleOf(prompt: string): string {
  const text = prompt.trim();
  const list = numberedIn(text);
  // “please do these steps:” says only that a list follows
  return list && list.before.split(/\s+/).length <= MAX_INTRODUCTION
    ? `${short(list.items[0] ?? '')} and ${list.items.length - 1} more`
    : short(text.split('\n', 1)[0] ?? '');
}

const capital = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

function short(line: string): string {
  let asked = line;
  for (let shorter = asked.replace(POLITE, ''); shorter !== asked; shorter = asked.replace(POLITE, ''))
    asked = shorter;
  const [sentence = ''] = asked.split(/(?<=\w[.!?])\s+(?=\p{Lu})/u);
  const words = (sentence.trim() || line).split(/\s+/);
  const title = words.slice(0, MAX_WORDS).join(' ');
  const cut = title.length > MAX_CHARACTERS ? clip(title, MAX_CHARACTERS - 1).replace(/\s+\S*$/, '') : title;
  const whole = cut.length === words.join(' ').length;
  const named = whole ? cut.replace(/(?<=[\p{L}\p{N}`)])[.!:]$/u, '') : `${cut.replace(/[\s,;:.-]+$/, '')}…`;
  return capital(named);
}
