import type { FileText, Walk } from './types.ts';
import { upwards } from './upwards.ts';
import type { Surroundings } from './zones.ts';

// The files of the project that tell what a command runs.

/** Returns the text of the nearest of these files, at or above `cwd`; null when there is none in the project. */
export function nearest(walk: Walk, cwd: string, names: string[]): { path: string; found: FileText } | null {
  const { root } = walk.place;
  return root === undefined ? null : upwards(names, cwd, root, (path) => readText(walk, path));
}

/** Returns the beginning of a file; null when nothing is there. */
export function readText(walk: Walk, path: string | null): FileText | null {
  return path === null ? null : (walk.place.read?.(path) ?? null);
}

/** Returns the beginning of a file; an empty text if nothing is there, or if it cannot be read. */
export function textOrNothing(
  path: string,
  { read }: { read?: Surroundings['read'] },
  quietly?: 'quietly',
): string {
  try {
    return read?.(path, quietly)?.text ?? '';
  } catch {
    return '';
  }
}
