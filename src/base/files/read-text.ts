import { readFileSync, statSync } from 'node:fs';

/**
 * Returns the text of a file; null if it cannot be read, or if there is none. For files whose name is Lore's own or the
 * system's. A name that a hook or a repository gives may lead to a pipe: `openPlain` and `src/commands/files.ts` are for
 * those.
 *
 * @param options.maxBytes a longer file, or something that is no file, counts as none; without it, files of `/proc` can be
 *   read, which have the size 0
 */
export function readText(
  path: string,
  { encoding = 'utf8', maxBytes }: { encoding?: 'utf8' | 'latin1'; maxBytes?: number } = {},
): string | null {
  try {
    const info = maxBytes === undefined ? null : statSync(path);
    if (info && !(info.isFile() && info.size <= (maxBytes ?? 0))) return null;
    return readFileSync(path, encoding);
  } catch {
    return null;
  }
}
