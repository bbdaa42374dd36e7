export { words } from '../../shell/names.ts';

/** Splits a text into the phrases between its commas: `stash drop, stash clear`. */
export const phrases = (text: string): string[] =>
  text
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');
