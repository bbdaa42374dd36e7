import type { Arg } from './types.ts';

/** Returns a word whose value is known. */
export const known = (text: string, more: Partial<Arg> = {}): Arg => ({
  text,
  known: true,
  glob: false,
  quoted: false,
  ...more,
});

/** Returns a word (or a part of one) whose value is known only when the line runs. */
export const undecided = (text: string): Arg => ({ text, known: false, glob: false, quoted: false });
