import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Config } from '../base/config.ts';
import { placeIn } from '../base/files/place-in.ts';
import { within } from '../base/timing/within.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { askToCut } from '../kinds/episodes/cut.ts';
import { toKept } from '../kinds/outputs.ts';
import { readNow } from '../learnings/distil/read-turn.ts';
import { type Speaker, withSpeaker } from '../sessions/author.ts';
import { notErased } from '../sessions/erase.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { recoverMissedEvents } from '../sessions/recover.ts';
import type { TranscriptEvent } from '../sessions/transcript.ts';
import { folderInTranscript } from '../sessions/transcript-lines.ts';
import { uncheckedCalls } from '../sessions/unchecked.ts';
import { belongsTo } from '../sessions/which-project.ts';
import { endSession } from './end.ts';
import { outputsOf, redactEvent, storeOutputs } from './output.ts';
import { transcriptHere } from './session-start.ts';
import { storeInOrder } from './store.ts';
import type { Asked, HookServices } from './types.ts';

// Events that never reached the server are read from transcripts. Whoever has a key of hooks can name a file as the
// transcript of a session, and agents may read later what it holds. So only the client's own transcripts are read, and for a
// key of one project only those of that project's sessions.

/** A hook waits no longer than this for the database. */
const MAX_MS = 1_000;
/** Events stored in one transaction. Small, because hooks wait until that transaction ends. */
const BATCH = 20;

/**
 * Which transcripts may be read, by user, project and path, for a minute: each event names its transcript, and to look at
 * the disk takes longer than the rest of an answer.
 */
const known = new LRUCache<string, boolean>({ max: 1_000, ttl: 60_000 });

/** Returns the transcript that an event names, if it may be read; null if not, or if it names none. */
export async function transcriptToRead(
  services: { config: Pick<Config, 'clientFolder'>; db: Database },
  claims: Claims,
  { transcript_path: path }: HookEvent,
): Promise<string | null> {
  // no other user's transcript is read, because it is on another machine
  if (!path || claims.role !== 'owner') return path ?? null;
  const key = JSON.stringify([claims.userId, claims.hooksOf, services.config.clientFolder, path]);
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
async function isOfOther({ db }: { db: Database }, claims: Claims, path: string): Promise<boolean> {
  const { hooksOf: projectId } = claims;
  if (!projectId) return false;
  const folder = await folderInTranscript(path);
  if (folder === 'no file') return false;
  if (folder === null) return true;
  const look = asUser(db, claims, (tx) => belongsTo(tx, projectId, placeIn(folder)), {
    readOnly: true,
    urgent: true,
  });
  // without a database it is not read now
  return !(await within(look, MAX_MS).catch(() => false));
}

/**
 * Stores the events that never reached the server: it reads them from the transcripts beside that of a session that starts.
 * If its project's last session made calls that no hook told of, the person hears of it with the next prompt.
 */
export async function recoverAtStart(given: HookServices, asked: Asked): Promise<void> {
  const { claims, event, session } = asked;
  // nobody waits for it
  const services = { ...given, db: { ...given.db, drizzle: given.db.behind } };
  const { db } = services;
  const path = transcriptHere(asked);
  if (path !== null) {
    const isTheirs = async (file: string) => !(await isOfOther(services, claims, file));
    await recoverMissedEvents(services, claims, path, isTheirs, (events) =>
      storeRecovered(services, claims, events),
    );
  }
  if (!session || event.source === 'compact') return;
  const [gap] = await asUser(db, claims, (tx) => uncheckedCalls(tx, session.projectId), { readOnly: true });
  if (gap)
    session.tell = `${gap.unchecked} of ${gap.calls} calls of the last session here were not checked: its hooks did not reach Lore, or no server was there. If that goes on: lore doctor.`;
}

/**
 * Stores events that were read from a transcript, each once, and has done what follows from them.
 *
 * @param by who wrote the prompts among them, if that is known from something else than the transcript
 * @returns how many were new
 */
export async function storeRecovered(
  { db, config, dashboard, wake }: Pick<HookServices, 'db' | 'config' | 'dashboard' | 'wake'>,
  claims: Claims,
  events: TranscriptEvent[],
  by: Speaker | null = null,
): Promise<number> {
  let recovered = 0;
  let queued = 0;
  for (let i = 0; i < events.length; i += BATCH) {
    const batch = await Promise.all(
      events.slice(i, i + BATCH).map(async ({ event: raw, at }) => {
        const { event, output } = await redactEvent(raw);
        const entry = { claims, event: withSpeaker(event, by), at: at.toISOString() };
        return { event, at, entry: output ? { ...entry, output: await toKept(output) } : entry };
      }),
    );
    const fresh = await asUser(db, claims, async (tx) => {
      const entries = (await notErased(tx, batch)).map(({ entry }) => entry);
      const stored = await storeInOrder(tx, entries, null);
      queued += stored.queued;
      const fresh = stored.outcomes.filter(({ inserted }) => inserted);
      for (const session of new Map(fresh.map(({ session }) => [session.id, session])).values()) {
        // a session that has already ended gets no later event that would settle what was found just now
        await askToCut(tx, session.id, 'whole');
        queued +=
          session.status === 'active'
            ? await readNow(tx, session, 'recovery')
            : await endSession(tx, session);
      }
      return fresh;
    });
    recovered += fresh.length;
    const projects = fresh.map(({ session }) => session.projectId);
    dashboard.touch(claims.userId, projects);
    const outputs = await outputsOf(
      fresh.map(({ entry }) => entry),
      config.dailyOutputBytes,
    );
    if (outputs.byEntry.size > 0) await asUser(db, claims, (tx) => storeOutputs(tx, fresh, outputs));
  }
  if (queued > 0) wake('distil');
  if (recovered > 0) wake('cut');
  return recovered;
}
