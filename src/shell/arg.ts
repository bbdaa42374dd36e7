import type { Arg } from './types.ts';

/** A word whose value is known. */
export const known = (text: string, more: Partial<Arg> = {}): Arg => ({
  text,
  known: true,
  glob: false,
  quoted: false,
  ...more,
});

/** A word, or a part of one, that is decided only when it runs. */
export const undecided = (text: string): Arg => ({ text, known: false, glob: false, quoted: false });
