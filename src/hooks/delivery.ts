import { LRUCache } from 'lru-cache';
import type { Claims } from '../db/as-user.ts';
import { dedupKey, type HookEvent, isNameless, REPEATED_WITHIN_MS } from '../sessions/hook-event.ts';
import type { Deliveries, HookOutput } from './types.ts';

// An event may come several times: the client repeats a delivery, and a project's settings, the plugin and the mod may
// stand side by side. There is one way in for all of them: the first delivery is answered and stored, one that is repeated
// gets the same answer, and another hook that tells the same is answered with nothing.

const MAX_SESSIONS = 500;
const MAX_EVENTS = 5_000;

export const createDeliveries = (): Deliveries => ({
  answers: new LRUCache({ max: MAX_EVENTS }),
  last: new LRUCache({ max: MAX_SESSIONS }),
  calls: new LRUCache({ max: MAX_EVENTS }),
});

/**
 * Answers a delivery once. A repeated one gets the same answer, even while that is still being made. An event without an
 * id, and an end, are repeated only by an equal one within ten seconds, with no other event of its session between (of a
 * startup: no end): a session that goes on ends again. `deliveryKey` decides in nearly the same way when the event is stored.
 *
 * @param sender which of Lore's hooks tells the event, as it says itself (`x-lore-hook`)
 * @param work makes the answer; `key` is the same for all deliveries of the event
 */
export function answerOnce(
  { answers, last }: Deliveries,
  { claims, event, at }: { claims: Claims; event: HookEvent; at: Date },
  sender: string,
  work: (key: string) => Promise<HookOutput>,
): Promise<HookOutput> {
  const session = `${claims.userId} ${event.session_id}`;
  const starts = event.hook_event_name === 'SessionStart';
  const own = dedupKey(event, 0);
  // each hook gives a start an id of its own
  const content = starts ? `SessionStart:${event.source}` : own;
  const id = `${session} ${content}`;
  const known = answers.get(id);
  const time = at.getTime();
  const before = last.get(session) ?? '';
  const follows = event.source === 'startup' ? !before.startsWith('SessionEnd') : before === content;
  last.set(session, content);
  const named = !starts && event.hook_event_name !== 'SessionEnd' && !isNameless(event);
  if (known && (named || (follows && time - known.at <= REPEATED_WITHIN_MS))) {
    const isSame = known.sender === sender && (!starts || known.key === own);
    return isSame ? known.answer : Promise.resolve({});
  }
  const key = named || starts ? own : `${own}@${at.toISOString()}`;
  const answer = work(key);
  answers.set(id, { sender, at: time, key, answer });
  answer.catch(() => answers.delete(id));
  return answer;
}

/**
 * Returns an event whose call has an id. Some clients give none; then a call before it runs gets one, and the next equal
 * call that has run is that one.
 */
export function withCallId({ calls }: Deliveries, claims: Claims, event: HookEvent): HookEvent {
  const { hook_event_name: name, session_id: session, tool_name: tool, tool_input: input } = event;
  if (!tool || event.tool_use_id) return event;
  const call = JSON.stringify([claims.userId, session, event.agent_id, tool, input]);
  const before = name === 'PreToolUse' ? undefined : calls.get(call);
  const ran = name.startsWith('PostToolUse');
  // what asks a person is about a call that has an id already, and `record_event` finds it
  if (before === undefined && name !== 'PreToolUse' && !ran) return event;
  const id = before ?? `call_${dedupKey(event, 0).replace(/^\w+:/, '')}`;
  if (ran) calls.delete(call);
  else calls.set(call, id);
  return { ...event, tool_use_id: id };
}
