import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, for this user only, and the folders above it. Returns the first one that it made; undefined
 * if the folder existed. `mkdirSync` with `recursive` would try for ever where no folder can be made, as in
 * /proc.
 *
 * @throws the file system's error when it cannot be made, or when something else has that name
 */
export function makeFolder(folder: string): string | undefined {
  const path = resolve(folder);
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory();
  if (isThere()) return undefined;
  const above = makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // another process may have made it meanwhile
    if (!isThere()) throw error;
  }
  return above ?? path;
}
