import type { Config } from '../config.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { readNow } from '../distil/read-turn.ts';
import { askToCut } from '../episodes/cut.ts';
import { redactValue } from '../redaction/redact.ts';
import { type Speaker, withSpeaker } from '../sessions/author.ts';
import { notErased } from '../sessions/erase.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { recoverMissedEvents } from '../sessions/recover.ts';
import type { Session } from '../sessions/sessions.ts';
import type { TranscriptEvent } from '../sessions/transcript.ts';
import { endSession } from './end.ts';
import type { Entry } from './line.ts';
import { outputsOf, redactEvent, storeOutputs } from './output.ts';
import { isOfOther } from './own-transcript.ts';
import { type StoredEntry, storeInOrder } from './store.ts';
import type { HookServices } from './types.ts';

type Services = Pick<HookServices, 'db' | 'log' | 'wake' | 'dashboard'> & {
  config: Pick<Config, 'dailyOutputBytes'>;
};

/** Events stored in one transaction. Small, because hooks wait until that transaction ends. */
const BATCH = 20;

/** Stores the events that never reached the server. It reads them from the transcripts beside `path`. */
export async function recoverFromTranscripts(
  services: Services,
  claims: Claims,
  path: string,
): Promise<void> {
  const isTheirs = async (file: string) => !(await isOfOther(services, claims, file));
  await recoverMissedEvents(services, claims, path, isTheirs, (events) =>
    storeRecovered(services, claims, events),
  );
}

/**
 * Stores events that were read from a transcript, each once, and has done what follows from them.
 *
 * @param by who wrote the prompts among them, if that is known from something else than the transcript
 * @returns how many were new
 */
export async function storeRecovered(
  services: Services,
  claims: Claims,
  events: TranscriptEvent[],
  by: Speaker | null = null,
): Promise<number> {
  const done = { recovered: 0, queued: 0 };
  for (let i = 0; i < events.length; i += BATCH) {
    const { recovered, queued } = await storeBatch(services, claims, events.slice(i, i + BATCH), by);
    done.recovered += recovered;
    done.queued += queued;
  }
  if (done.queued > 0) services.wake('distil');
  if (done.recovered > 0) services.wake('cut');
  return done.recovered;
}

async function storeBatch(
  services: Services,
  claims: Claims,
  batch: TranscriptEvent[],
  by: Speaker | null,
): Promise<{ recovered: number; queued: number }> {
  const found = new Map<Entry, HookEvent>();
  let queued = 0;
  const fresh = await asUser(services.db, claims, async (tx) => {
    for (const { event, at } of await notErased(tx, batch)) {
      found.set({ claims, event: withSpeaker(redactValue(event), by), at: at.toISOString() }, event);
    }
    const stored = await storeInOrder(tx, [...found.keys()], 'transcript');
    queued += stored.queued;
    const fresh = stored.outcomes.filter(({ inserted }) => inserted);
    const touched = new Map<string, Session>(fresh.map(({ session }) => [session.id, session]));
    for (const session of touched.values()) {
      // a session that has already ended gets no later event that would settle what was found just now
      await askToCut(tx, session.id, 'whole');
      queued +=
        session.status === 'active' ? await readNow(tx, session, 'recovery') : await endSession(tx, session);
    }
    return fresh;
  });
  services.dashboard.touch(
    claims.userId,
    fresh.map(({ session }) => session.projectId),
  );
  await keepOutputs(services, claims, fresh, found);
  return { recovered: fresh.length, queued };
}

/** Stores what the tools of recovered events put out. A transcript holds it whole, or names the file that does. */
async function keepOutputs(
  { db, config }: Services,
  claims: Claims,
  fresh: StoredEntry[],
  raw: Map<Entry, HookEvent>,
): Promise<void> {
  const entries: Entry[] = [];
  for (const { entry } of fresh) entries.push(await entryOf({ ...entry, raw: raw.get(entry) as HookEvent }));
  const outputs = await outputsOf(entries, config.dailyOutputBytes);
  if (outputs.byEntry.size === 0) return;
  const stored = fresh.map((outcome, i) => ({ ...outcome, entry: entries[i] as Entry }));
  await asUser(db, claims, (tx) => storeOutputs(tx, stored, outputs));
}

const entryOf = async ({ raw, claims, at }: Entry & { raw: HookEvent }): Promise<Entry> => {
  const { event, output } = await redactEvent(raw);
  return { claims, event, at, ...(output && { output }) };
};
