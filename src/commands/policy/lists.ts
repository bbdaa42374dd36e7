export { words } from '../../shell/names.ts';

/** A list of phrases with commas between them: `stash drop, stash clear`. */
export const phrases = (text: string): string[] =>
  text
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');
