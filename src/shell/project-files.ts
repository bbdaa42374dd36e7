import type { Surroundings } from './zones.ts';

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
