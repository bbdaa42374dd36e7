import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { placeIn } from '../files/place-in.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { folderInTranscript } from '../sessions/transcript.ts';
import { belongsTo } from '../sessions/which-project.ts';
import { within } from '../timing/within.ts';

// Whoever has a key of hooks can name a file as the transcript of a session, and agents may read later what it holds.
// So only the client's own transcripts are read, and for a key of one project only those of that project's sessions.

/** A hook waits no longer than this for the database. */
const MAX_MS = 1_000;

/**
 * Transcripts that are known to be of a project, by the id of the project: a transcript stays its session's. All servers of
 * a process may share it: it only saves reading a file.
 */
const known = new LRUCache<string, true>({ max: 1_000 });

/** Returns the transcript that an event names, if it may be read; null if not, or if it names none. */
export async function transcriptToRead(
  services: { config: Pick<Config, 'clientFolder'>; db: Database },
  claims: Claims,
  { transcript_path: path }: HookEvent,
): Promise<string | null> {
  // no other user's transcript is read, because it is on another machine
  if (!path || claims.role !== 'owner') return path ?? null;
  const folders = [services.config.clientFolder, join(homedir(), '.claude')];
  const below = folders.map((folder) => isBelow(path, join(resolve(folder), 'projects')));
  const isClients = (await Promise.all(below)).some(Boolean);
  return isClients && !(await isOfOther(services, claims, path)) ? path : null;
}

/** Returns whether a path is below a folder. The person may have put a link in the folder's place. */
async function isBelow(path: string, folder: string): Promise<boolean> {
  if (!isAbsolute(path) || path.split(sep).includes('..')) return false;
  const isIn = (at: string) => path.startsWith(at + sep);
  return isIn(folder) || isIn(await realpath(folder).catch(() => folder));
}

/** Returns whether a transcript is there, and is not known to be of the project that the caller's key is for. */
export async function isOfOther({ db }: { db: Database }, claims: Claims, path: string): Promise<boolean> {
  const { hooksOf: projectId } = claims;
  if (!projectId) return false;
  const key = `${projectId} ${path}`;
  if (known.get(key)) return false;
  const folder = await folderInTranscript(path);
  if (folder === 'no file') return false;
  if (folder === null) return true;
  const look = asUser(db, claims, (tx) => belongsTo(tx, projectId, placeIn(folder)), {
    readOnly: true,
    urgent: true,
  });
  // without a database it is not read now
  if (!(await within(look, MAX_MS).catch(() => false))) return true;
  known.set(key, true);
  return false;
}
