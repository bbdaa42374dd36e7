/** A list written as words with blanks between them. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** A list of phrases with commas between them: `stash drop, stash clear`. */
export const phrases = (text: string): string[] =>
  text
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');
