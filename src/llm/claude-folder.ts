import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

/** Returns the empty folder in which Lore runs the person's Claude Code for itself. */
export const claudeFolder = (home: string): string => join(home, 'claude');

/**
 * Whether a folder is the one in which Lore's own sessions of Claude Code run. Their hooks are turned off; a client
 * whose hooks cannot be turned off must not make Lore listen to itself.
 */
export function isOwnSession(home: string, cwd: string | null | undefined): boolean {
  if (!cwd?.includes(`${sep}claude`)) return false;
  // the client names a folder by its path without links
  return [resolve(home), realpathSync(home)].some((folder) =>
    (cwd + sep).startsWith(claudeFolder(folder) + sep),
  );
}
