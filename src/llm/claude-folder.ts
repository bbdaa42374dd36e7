import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { LRUCache } from 'lru-cache';

/** Returns the empty folder in which Lore runs the person's Claude Code for itself. */
export const claudeFolder = (home: string): string => join(home, 'claude');

/** By the data folder. All servers of a process may share it: it only saves looking for links. */
const folders = new LRUCache<string, string[]>({ max: 50 });

/**
 * Whether a folder is the one in which Lore's own sessions of Claude Code run. Their hooks are turned off; a client
 * whose hooks cannot be turned off must not make Lore listen to itself.
 */
export function isOwnSession(home: string, cwd: string | null | undefined): boolean {
  if (!cwd) return false;
  const own = folders.get(home) ?? bothNames(claudeFolder(home));
  folders.set(home, own);
  return own.some((folder) => cwd === folder || cwd.startsWith(folder + sep));
}

/** Returns a folder's path, and its path without links: the client names the second. */
function bothNames(folder: string): string[] {
  const path = resolve(folder);
  try {
    return [path, join(realpathSync(resolve(folder, '..')), 'claude')];
  } catch {
    return [path];
  }
}
