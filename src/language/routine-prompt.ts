import { readWordLists } from '../text/word-lists.ts';
import text from './routine-prompt.jsonc' with { type: 'text' };

// "Run the tests", "commit this", "deploy to staging": such a prompt only says which routine is next. A dozen
// lessons may share its two words, and nothing shows which of them matters. The one that matters is told at
// the call that it is about.

const ROUTINE = readWordLists(text, 'routine-prompt.jsonc')('routine');
const MAX_WORDS = 10;

/** Returns whether a prompt names a routine and nothing of the project. English only. */
export function isRoutinePrompt(prompt: string): boolean {
  const said = prompt.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’._/-]*/gu) ?? [];
  return said.length <= MAX_WORDS && said.every((word) => ROUTINE.has(word.replace(/[.'’]+$/, '')));
}
