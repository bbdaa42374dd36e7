import { asUser, type Claims } from '../db/as-user.ts';
import { resolveLate } from '../incidents/resolve.ts';
import { redactValue } from '../redaction/redact.ts';
import { recoverMissedEvents } from '../sessions/recover.ts';
import type { Session } from '../sessions/sessions.ts';
import { settleSession } from './end.ts';
import { storeEntry } from './store.ts';
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
      let added = 0;
      const touched = new Map<string, Session>();
      for (const { event, at } of batch) {
        const entry = { claims, event: redactValue(event), at: at.toISOString() };
        const stored = await storeEntry(tx, entry, 'transcript');
        if (!stored.inserted || !stored.session) continue;
        added += 1;
        queued += stored.queued;
        touched.set(stored.session.id, stored.session);
      }
      for (const session of touched.values()) {
        await resolveLate(tx, session);
        // this session has already ended, so no later event will settle what was found just now
        if (session.status !== 'active') {
          queued += await settleSession(tx, session, { event: 'recovery', lastMessage: null });
        }
      }
      return added;
    }),
  );
  if (queued > 0) services.wake('distil');
}
