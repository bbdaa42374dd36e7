import type { Claims } from '../db/as-user.ts';
import { dropOldest } from '../drop-oldest.ts';
import { dedupKey, type HookEvent, isNameless, REPEATED_WITHIN_MS } from '../sessions/hook-event.ts';

/** The last event of a session, if it was nameless. */
type Last = { content: string; at: number; key: string };

const MAX_SESSIONS = 500;
const last = new WeakMap<object, Map<string, Last>>();

/**
 * Returns the key of a delivery. A repeated delivery has the same key, and the server gives it the same
 * answer. If an event has no id, an equal one repeats it only if it comes within ten seconds and no other
 * event of its session came between. `deliveryKey` decides in nearly the same way when the event is stored:
 * there, only another event of the same agent ends a repetition.
 *
 * @param server keeps what one server has seen apart from what others have
 */
export function answerKey(
  server: object,
  { claims, event, at }: { claims: Claims; event: HookEvent; at: Date },
): string {
  const content = dedupKey(event, 0);
  const sessions = last.get(server) ?? new Map<string, Last>();
  last.set(server, sessions);
  const named = !isNameless(event);
  if (named && sessions.size === 0) return content;
  const session = `${claims.userId} ${event.session_id}`;
  const before = sessions.get(session);
  sessions.delete(session);
  if (named) return content;
  const time = at.getTime();
  const repeated = before?.content === content && time - before.at <= REPEATED_WITHIN_MS;
  const now = repeated ? before : { content, at: time, key: `${content}@${at.toISOString()}` };
  sessions.set(session, now);
  dropOldest(sessions, MAX_SESSIONS);
  return now.key;
}
