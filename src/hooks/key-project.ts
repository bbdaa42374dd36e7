import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Config } from '../base/config.ts';
import { kindOfFailure } from '../base/errors/database-failure.ts';
import { placeIn } from '../base/files/place-in.ts';
import { within } from '../base/timing/within.ts';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { otherProject } from '../sessions/projects.ts';
import { findSession } from '../sessions/sessions.ts';
import { folderInTranscript } from '../sessions/transcript.ts';
import { belongsTo, placeOf } from '../sessions/which-project.ts';
import { PATIENCE_MS, readFirst } from './known-sessions.ts';
import type { HookServices } from './types.ts';

// The key that `lore init` writes into a project is for that project: nobody can use it to report events of another one.
// Whoever has it can name a file as the transcript of a session, and agents may read later what that holds. So only the
// client's own transcripts are read, and for a key of one project only those of that project's sessions.

/**
 * Refuses an event of another project than its key is for. It does nothing for a key of all projects.
 *
 * @returns the claims for the work on the event: what a lesson of another project was worth here is counted there
 * @throws Problem (403) that names the project of the key
 */
export async function refuseOtherProject(
  { db, log, sessions }: Pick<HookServices, 'db' | 'log' | 'sessions'>,
  claims: Claims,
  event: HookEvent,
): Promise<Claims> {
  const { userId, role, projectId } = claims;
  const hooks = { userId, role, hooksOf: projectId ?? null };
  if (!projectId || sessions.known(claims, event)?.projectId === projectId) return hooks;
  const look = readFirst({ db }, claims, async (tx) => {
    const session = await findSession(tx, event.session_id);
    const isOwn = session ? session.projectId === projectId : await belongsTo(tx, projectId, placeOf(event));
    return isOwn ? null : otherProject(tx, projectId);
  });
  const other = await within(look, PATIENCE_MS.call).catch((error) => {
    // without a database there are verdicts all the same, and they are what an agent waits for
    if (kindOfFailure(error).kind === 'refused') throw error;
    return null;
  });
  if (other === null) return hooks;
  const { session_id: session, cwd } = event;
  log.warn({ session, cwd, projectId }, 'an event of another project than its key');
  throw other;
}

/**
 * Which transcripts may be read, by user, project and path, for a minute: each event names its transcript, and to look at
 * the disk takes longer than the rest of an answer. Without a resolution, each look would start a timer.
 */
const known = new LRUCache<string, boolean>({ max: 1_000, ttl: 60_000, ttlResolution: 0 });

/** Returns the transcript that an event names, if it may be read; null if not, or if it names none. */
export async function transcriptToRead(
  services: { config: Pick<Config, 'clientFolder'>; db: Database },
  claims: Claims,
  { transcript_path: path }: HookEvent,
): Promise<string | null> {
  // no other user's transcript is read, because it is on another machine
  if (!path || claims.role !== 'owner') return path ?? null;
  const key = `${claims.userId} ${claims.hooksOf} ${services.config.clientFolder} ${path}`;
  const before = known.get(key);
  if (before !== undefined) return before ? path : null;
  const isOwn = await isClients(services, path);
  const may = isOwn && !(await isOfOther(services, claims, path));
  // one that is not there yet may turn out to be another's
  if (!isOwn || existsSync(path)) known.set(key, may);
  return may ? path : null;
}

/** Returns whether a path is below the client's folder of transcripts. The person may have put a link in its place. */
async function isClients(
  { config }: { config: Pick<Config, 'clientFolder'> },
  path: string,
): Promise<boolean> {
  if (!isAbsolute(path) || path.split(sep).includes('..')) return false;
  for (const home of [config.clientFolder, join(homedir(), '.claude')]) {
    const folder = join(resolve(home), 'projects');
    if (path.startsWith(folder + sep)) return true;
    if (path.startsWith((await realpath(folder).catch(() => folder)) + sep)) return true;
  }
  return false;
}

/** Returns whether a transcript is there, and is not known to be of the project that the caller's key is for. */
export async function isOfOther(services: { db: Database }, claims: Claims, path: string): Promise<boolean> {
  const { hooksOf: projectId } = claims;
  if (!projectId) return false;
  const folder = await folderInTranscript(path);
  if (folder === 'no file') return false;
  if (folder === null) return true;
  // without a database it is not read now
  const look = readFirst(services, claims, (tx) => belongsTo(tx, projectId, placeIn(folder)));
  return !(await within(look, PATIENCE_MS.call).catch(() => false));
}
