import { dirname } from 'node:path';
import { within } from './zones.ts';

/**
 * What `look` finds under one of these names in a folder or the nearest one above it, up to the project's.
 *
 * @param look returns null for a path where there is nothing
 */
export function upwards<T>(
  names: string[],
  cwd: string,
  root: string,
  look: (path: string) => T | null,
): { path: string; found: T } | null {
  for (let dir = cwd; dir !== '/' && within(dir, root); dir = dirname(dir)) {
    for (const name of names) {
      const path = `${dir}/${name}`;
      const found = look(path);
      if (found !== null) return { path, found };
    }
    // a relative folder has itself above it
    if (dirname(dir) === dir) return null;
  }
  return null;
}
