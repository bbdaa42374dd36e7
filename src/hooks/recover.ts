import { asUser, type Claims } from '../db/as-user.ts';
import { readNow } from '../learnings/readings.ts';
import { redactValue } from '../redaction/redact.ts';
import { notErased } from '../sessions/erase.ts';
import { recoverMissedEvents } from '../sessions/recover.ts';
import type { Session } from '../sessions/sessions.ts';
import { endSession } from './end.ts';
import { storeInOrder } from './store.ts';
import type { HookServices } from './types.ts';

/** Stores the events that never reached the server. It reads them from the transcripts beside `path`. */
export async function recoverFromTranscripts(
  services: Pick<HookServices, 'db' | 'log' | 'wake'>,
  claims: Claims,
  path: string,
): Promise<void> {
  let queued = 0;
  await recoverMissedEvents(services, claims, path, (batch) =>
    asUser(services.db, claims, async (tx) => {
      const entries = (await notErased(tx, batch)).map(({ event, at }) => ({
        claims,
        event: redactValue(event),
        at: at.toISOString(),
      }));
      const stored = await storeInOrder(tx, entries, 'transcript');
      queued += stored.queued;
      const fresh = stored.outcomes.filter(({ inserted }) => inserted);
      const touched = new Map<string, Session>(fresh.map(({ session }) => [session.id, session]));
      for (const session of touched.values()) {
        // a session that has already ended gets no later event that would settle what was found just now
        queued +=
          session.status === 'active'
            ? await readNow(tx, session, 'recovery')
            : await endSession(tx, session);
      }
      return fresh.length;
    }),
  );
  if (queued > 0) services.wake('distil');
}
