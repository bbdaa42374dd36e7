import { dirname } from 'node:path';
import { within } from './zones.ts';

/**
 * Looks for one of these names in a folder and in those above it, up to the project's folder.
 *
 * @param look returns what is at a path; null when nothing is there
 * @returns the first thing found, with its path; null when there is none
 */
export function upwards<T>(
  names: string[],
  cwd: string,
  root: string,
  look: (path: string) => T | null,
): { path: string; found: T } | null {
  // `dirname('.')` is '.', so a relative folder would never end the loop
  for (let dir = cwd; dir !== '/' && dir !== '.' && within(dir, root); dir = dirname(dir))
    for (const name of names) {
      const path = `${dir}/${name}`;
      const found = look(path);
      if (found !== null) return { path, found };
    }
  return null;
}
