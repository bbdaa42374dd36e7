import { asUser, type Claims } from '../db/as-user.ts';
import { askToCut } from '../kinds/episodes/cut.ts';
import { toKept } from '../kinds/outputs.ts';
import { readNow } from '../learnings/distil/read-turn.ts';
import { type Speaker, withSpeaker } from '../sessions/author.ts';
import { notErased } from '../sessions/erase.ts';
import { recoverMissedEvents } from '../sessions/recover.ts';
import type { TranscriptEvent } from '../sessions/transcript.ts';
import { uncheckedCalls } from '../sessions/unchecked.ts';
import { endSession } from './end.ts';
import { isOfOther } from './key-project.ts';
import { outputsOf, redactEvent } from './output.ts';
import { transcriptHere } from './session-start.ts';
import { storeInOrder } from './store.ts';
import type { Asked, HookServices } from './types.ts';

// Events that never reached the server are read from transcripts.

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
