import { realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import type { Claims } from '../db/as-user.ts';
import { packageRoot } from '../files/package-root.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { isIn } from '../sessions/projects.ts';
import { folderInTranscript } from '../sessions/transcript.ts';

// Whoever has a key of hooks can name a file as the transcript of a session, and agents may read later what it holds.
// So only the client's own transcripts are read, and for a key of one project only those of that project's sessions.

type Hook = typeof import('../../hooks/session-start.cjs');

/** The repository of a folder is told in the same way as the hook tells it at the start of a session. */
const workTree: Hook['workTree'] = (folder) => {
  // read when it is needed, because an Edge Function, which reads no transcripts, does not have it
  const hook: Hook = createRequire(import.meta.url)(
    fileURLToPath(new URL('hooks/session-start.cjs', packageRoot)),
  );
  return hook.workTree(folder);
};

/**
 * Transcripts that are known to be of a project, by the id of the project: a transcript stays its session's. All servers of
 * a process may share it: it only saves reading a file.
 */
const known = new LRUCache<string, true>({ max: 1_000 });

/** Returns the transcript that an event names, if it may be read; null if not, or if it names none. */
export async function transcriptToRead(
  { config }: { config: Pick<Config, 'clientFolder'> },
  claims: Claims,
  { transcript_path: path }: HookEvent,
): Promise<string | null> {
  // no other user's transcript is read, because it is on another machine
  if (!path || claims.role !== 'owner') return path ?? null;
  const folders = [config.clientFolder, join(homedir(), '.claude')];
  const below = folders.map((folder) => isBelow(path, join(resolve(folder), 'projects')));
  const isClients = (await Promise.all(below)).some(Boolean);
  return isClients && !(await isOfOther(claims, path)) ? path : null;
}

/** Returns whether a path is below a folder. The person may have put a link in the folder's place. */
async function isBelow(path: string, folder: string): Promise<boolean> {
  if (!isAbsolute(path) || path.split(sep).includes('..')) return false;
  const isIn = (at: string) => path.startsWith(at + sep);
  return isIn(folder) || isIn(await realpath(folder).catch(() => folder));
}

/** Returns whether a transcript is there, and is not known to be of the project that the caller's key is for. */
export async function isOfOther({ project }: Claims, path: string): Promise<boolean> {
  if (!project) return false;
  const key = `${project} ${path}`;
  if (known.get(key)) return false;
  const folder = await folderInTranscript(path);
  if (folder === 'no file') return false;
  if (folder === null || !isOfProject(folder, project)) return true;
  known.set(key, true);
  return false;
}

function isOfProject(folder: string, project: string): boolean {
  const { root, repo } = workTree(folder);
  const name = project.normalize('NFC');
  return [repo, root, folder].some((one) => {
    const its = one?.normalize('NFC');
    return its !== undefined && (its === name || isIn(its, name));
  });
}
