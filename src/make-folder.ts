import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, for this user only, with those above it. Returns the first that it made; undefined if it was there.
 * `mkdirSync` with `recursive` would try for ever where nothing can be made, as in /proc.
 */
export function makeFolder(folder: string): string | undefined {
  const path = resolve(folder);
  if (existsSync(path)) return undefined;
  const above = makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // another process may have made it meanwhile
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  return above ?? path;
}
