import type { Zone } from '../../shell/zones.ts';

export { words } from '../../shell/names.ts';

/** Splits a text into the phrases between its commas: `stash drop, stash clear`. */
export const phrases = (text: string): string[] =>
  text
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');

/** Zones of what belongs to the project, with what can be thrown away: here a command may write. */
export const WRITABLE: readonly Zone[] = ['project', 'project-root', 'regenerable', 'temp', 'sink'];
