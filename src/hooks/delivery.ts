import { LRUCache } from 'lru-cache';
import type { Claims } from '../db/as-user.ts';
import { dedupKey, type HookEvent, isNameless, REPEATED_WITHIN_MS } from '../sessions/hook-event.ts';

/** The last event of a session, if it was nameless. */
type Last = { content: string; at: number; key: string };

const MAX_SESSIONS = 500;
const MAX_DELIVERIES = 1_000;
const MAX_EVENTS = 5_000;

/** What a server remembers of deliveries, so that one that is repeated changes nothing. */
export type Deliveries<Answer extends object = object> = {
  /** the last event of each session, if it was nameless */
  last: LRUCache<string, Last>;
  starts: LRUCache<string, { id: string; source: string; at: number }>;
  prompts: LRUCache<string, { session: string; cwd: string; at: number }>;
  /** ids for the calls of a client that gives none */
  calls: LRUCache<string, string>;
  /** which of Lore's hooks told an event first */
  senders: LRUCache<string, string>;
  /** the sessions that have the plugin, and so its agents and skills */
  plugins: LRUCache<string, true>;
  /** A repeated delivery gets the first one's answer, even while that is still being made. */
  answers: LRUCache<string, Promise<Answer>>;
};

export const createDeliveries = <Answer extends object>(): Deliveries<Answer> => ({
  last: new LRUCache({ max: MAX_SESSIONS }),
  starts: new LRUCache({ max: MAX_SESSIONS }),
  prompts: new LRUCache({ max: MAX_SESSIONS }),
  calls: new LRUCache({ max: MAX_EVENTS }),
  senders: new LRUCache({ max: MAX_EVENTS }),
  plugins: new LRUCache({ max: MAX_SESSIONS }),
  answers: new LRUCache({ max: MAX_DELIVERIES }),
});

/**
 * Returns the key of a delivery. A repeated delivery has the same key, and the server gives it the same
 * answer. If an event has no id, an equal one repeats it only if it comes within ten seconds and no other
 * event of its session came between. `deliveryKey` decides in nearly the same way when the event is stored:
 * there, only another event of the same agent ends a repetition.
 */
export function answerKey(
  { last: sessions }: Deliveries,
  { claims, event, at }: { claims: Claims; event: HookEvent; at: Date },
): string {
  const content = dedupKey(event, 0);
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
  return now.key;
}

/**
 * Returns whether an event was told before by another of Lore's hooks. A project's settings, the plugin and the mod may
 * stand side by side; the client runs all of them, and the first one answers for all.
 *
 * @param sender which hook it is, as it says itself (`x-lore-hook`); the http hooks of the settings say nothing
 */
export function isOfSecondHook(
  { senders }: Deliveries,
  { claims, event }: { claims: Claims; event: HookEvent },
  sender: string,
): boolean {
  // a start has an id of its own with each hook, see isSecondStart
  if (event.hook_event_name === 'SessionStart') return false;
  const key = JSON.stringify([claims.userId, event.session_id, dedupKey(event, 0)]);
  const first = senders.get(key);
  if (first === undefined) senders.set(key, sender);
  return first !== undefined && first !== sender;
}

/** Returns whether a session has the plugin: one of its events came by the plugin's hook. */
export function hasPlugin(
  { plugins }: Deliveries,
  { claims, event }: { claims: Claims; event: HookEvent },
  sender: string,
): boolean {
  const session = `${claims.userId} ${event.session_id}`;
  if (sender === 'plugin') plugins.set(session, true);
  return plugins.has(session);
}

/** Two starts of one session for one reason that lie closer together are one start, told by two hooks. */
const ONE_START_MS = 2_000;
/** After one of these events a start of the same session is a new one, however soon it comes. */
const BETWEEN_STARTS = ['UserPromptSubmit', 'PreCompact', 'SessionEnd'];

/**
 * Returns whether another hook has just reported this start of a session. A project's settings and a plugin may both
 * have one, and each makes a delivery of its own.
 */
export function isSecondStart(
  { starts: known }: Deliveries,
  { claims, event, at }: { claims: Claims; event: HookEvent; at: Date },
): boolean {
  const key = JSON.stringify([claims.userId, event.session_id]);
  if (BETWEEN_STARTS.includes(event.hook_event_name)) known.delete(key);
  const { source } = event;
  const id = event.lore?.deliveryId;
  if (event.hook_event_name !== 'SessionStart' || !source || !id) return false;
  const first = known.get(key);
  const isSame = first !== undefined && first.source === source && first.id !== id;
  if (isSame && at.getTime() - first.at < ONE_START_MS) return true;
  known.set(key, { id, source, at: at.getTime() });
  return false;
}

/** A prompt is known for this long after its last event. */
const PROMPT_MS = 10 * 60_000;

/**
 * Returns the session that an event belongs to: the one whose prompt it names. A client that has just resumed or forked a
 * session may send some events of a turn under the id of another.
 */
export function sessionOfPrompt(
  { prompts: known }: Deliveries,
  { claims, event, at }: { claims: Claims; event: HookEvent; at: Date },
): string {
  const { prompt_id: prompt, session_id: session, cwd } = event;
  if (!prompt || !cwd) return session;
  const key = JSON.stringify([claims.userId, prompt]);
  const time = at.getTime();
  const before = known.get(key);
  const lives = before !== undefined && time - before.at < PROMPT_MS && isAround(before.cwd, cwd);
  known.set(key, lives ? { ...before, at: time } : { session, cwd, at: time });
  return lives ? before.session : session;
}

/** Returns whether one of two folders is the other or around it. */
const isAround = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

/**
 * Returns an event whose call has an id. Some clients give none; then a call before it runs gets one, and the next equal
 * call that has run is that one.
 */
export function withCallId(
  { calls }: Deliveries,
  { claims, event }: { claims: Claims; event: HookEvent },
): HookEvent {
  const { hook_event_name: name, session_id: session, tool_name: tool, tool_input: input } = event;
  if (!tool || event.tool_use_id) return event;
  const call = JSON.stringify([claims.userId, session, event.agent_id, tool, input]);
  const id = `call_${dedupKey(event, 0).replace(/^\w+:/, '')}`;
  if (name === 'PreToolUse') {
    calls.set(call, id);
    return { ...event, tool_use_id: id };
  }
  const before = calls.get(call);
  const hasRun = name.startsWith('PostToolUse');
  if (hasRun) calls.delete(call);
  // what asks a person is about a call that has an id already, and `record_event` finds it
  if (before === undefined && !hasRun) return event;
  return { ...event, tool_use_id: before ?? id };
}

/** Returns the answer to a delivery: what the first delivery with this key got, or is getting, else that of `work`. */
export function onceForEachDelivery<Answer extends object>(
  { answers }: Deliveries<Answer>,
  { claims, event, key: delivery }: { claims: Claims; event: HookEvent; key: string },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const key = `${claims.userId} ${event.session_id} ${delivery}`;
  const before = answers.get(key);
  if (before) return before;
  const answer = work();
  answers.set(key, answer);
  answer.catch(() => answers.delete(key));
  return answer;
}
