import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import { askToCut } from '../kinds/episodes/cut.ts';
import { toKept } from '../kinds/outputs.ts';
import { readNow } from '../learnings/distil/read-turn.ts';
import { type Speaker, withSpeaker } from '../sessions/author.ts';
import { notErased } from '../sessions/erase.ts';
import {
  moveCursor,
  readCursor,
  readTranscript,
  recentTranscripts,
  type TranscriptEvent,
  UNTIL_MS,
} from '../sessions/transcript.ts';
import { uncheckedCalls } from '../sessions/unchecked.ts';
import { endSession } from './end.ts';
import { isOfOther } from './key-project.ts';
import { outputsOf, redactEvent } from './output.ts';
import { transcriptHere } from './session-start.ts';
import { storeInOrder } from './store.ts';
import type { Asked, HookServices } from './types.ts';

// Events that never reached the server are read from transcripts.

/** Transcripts that are older are not read: they are from before Lore was used, or have been read already. */
const WINDOW_MS = 7 * 86_400_000;
/** Events stored in one transaction. Small, because hooks wait until that transaction ends. */
const BATCH = 20;

/**
 * Stores the events that never reached the server: it reads them from the transcripts beside that of a session that starts.
 * If its project's last session made calls that no hook told of, the person hears of it with the next prompt.
 */
export async function recoverAtStart(given: HookServices, asked: Asked): Promise<void> {
  const { claims, event, session } = asked;
  // nobody waits for it
  const services = { ...given, db: { ...given.db, drizzle: given.db.behind } };
  const path = transcriptHere(asked);
  if (path !== null) await recoverBeside(services, claims, path);
  if (!session || event.source === 'compact') return;
  const { projectId } = session;
  const [gap] = await asUser(services.db, claims, (tx) => uncheckedCalls(tx, projectId), { readOnly: true });
  if (gap)
    session.tell = `${gap.unchecked} of ${gap.calls} calls of the last session here were not checked: its hooks did not reach Lore, or no server was there. If that goes on: lore doctor.`;
}

/**
 * Reads a transcript, and those beside it that changed in the last week. Each event is stored once, however often this runs.
 * One that cannot be read is logged and skipped.
 */
async function recoverBeside(services: HookServices, claims: Claims, path: string): Promise<void> {
  const { db, log } = services;
  let recovered = 0;
  for (const { file, size, changed } of await recentTranscripts(path, Date.now() - WINDOW_MS)) {
    if (await isOfOther(services, claims, file)) continue;
    const now = new Date();
    try {
      const cursor = await readCursor(db, claims, file);
      if (cursor && changed + UNTIL_MS < cursor.updatedAt.getTime()) continue;
      // one that got shorter was written anew; events are stored only once anyway
      const from = cursor && cursor.offset <= size ? cursor.offset : 0;
      const { events, next } = await readTranscript(file, from);
      recovered += await storeRecovered(services, claims, events);
      await moveCursor(db, claims, { path: indexable(file), offset: next, updatedAt: now });
    } catch (error) {
      log.warn({ file, error }, 'transcript not recovered; it is tried again at the next session start');
    }
  }
  if (recovered > 0) log.info({ recovered }, 'events recovered from transcripts');
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
    const outputs = await outputsOf(
      batch.map(({ entry }) => entry),
      config.dailyOutputBytes,
    );
    const fresh = await asUser(db, claims, async (tx) => {
      const entries = (await notErased(tx, batch)).map(({ entry }) => entry);
      const stored = await storeInOrder(tx, entries, { outputs });
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
  }
  if (queued > 0) wake('distil');
  if (recovered > 0) wake('cut');
  return recovered;
}
