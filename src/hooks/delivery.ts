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

/** The hooks that told an event first, by the event. */
const firstSenders = new WeakMap<object, Map<string, string>>();
const MAX_EVENTS = 5_000;

/**
 * Returns whether an event was told before by another of Lore's hooks. A project's settings, the plugin and the mod may
 * stand side by side; the client runs all of them, and the first one answers for all.
 *
 * @param sender which hook it is, as it says itself (`x-lore-hook`); the http hooks of the settings say nothing
 */
export function isOfSecondHook(
  server: object,
  { claims, event }: { claims: Claims; event: HookEvent },
  sender: string,
): boolean {
  // a start has an id of its own with each hook, see isSecondStart
  if (event.hook_event_name === 'SessionStart') return false;
  const known = firstSenders.get(server) ?? new Map<string, string>();
  firstSenders.set(server, known);
  const key = JSON.stringify([claims.userId, event.session_id, dedupKey(event, 0)]);
  const first = known.get(key);
  if (first !== undefined) return first !== sender;
  known.set(key, sender);
  dropOldest(known, MAX_EVENTS);
  return false;
}

/** Two starts of one session for one reason that lie closer together are one start, told by two hooks. */
const ONE_START_MS = 2_000;
const starts = new WeakMap<object, Map<string, { id: string; source: string; at: number }>>();
/** After one of these events a start of the same session is a new one, however soon it comes. */
const BETWEEN_STARTS = ['UserPromptSubmit', 'PreCompact', 'SessionEnd'];

/**
 * Returns whether another hook has just reported this start of a session. A project's settings and a plugin may both
 * have one, and each makes a delivery of its own.
 */
export function isSecondStart(
  server: object,
  { claims, event, at }: { claims: Claims; event: HookEvent; at: Date },
): boolean {
  const known = starts.get(server) ?? new Map<string, { id: string; source: string; at: number }>();
  starts.set(server, known);
  const key = JSON.stringify([claims.userId, event.session_id]);
  if (BETWEEN_STARTS.includes(event.hook_event_name)) known.delete(key);
  const { source } = event;
  const id = event.lore?.deliveryId;
  if (event.hook_event_name !== 'SessionStart' || !source || !id) return false;
  const first = known.get(key);
  const isSame = first !== undefined && first.source === source && first.id !== id;
  if (isSame && at.getTime() - first.at < ONE_START_MS) return true;
  known.delete(key);
  known.set(key, { id, source, at: at.getTime() });
  dropOldest(known, MAX_SESSIONS);
  return false;
}

/** A prompt is known for this long after its last event. */
const PROMPT_MS = 10 * 60_000;
const prompts = new WeakMap<object, Map<string, { session: string; cwd: string; at: number }>>();

/**
 * Returns the session that an event belongs to: the one whose prompt it names. A client that has just resumed or forked a
 * session may send some events of a turn under the id of another.
 */
export function sessionOfPrompt(
  server: object,
  { claims, event, at }: { claims: Claims; event: HookEvent; at: Date },
): string {
  const { prompt_id: prompt, session_id: session, cwd } = event;
  if (!prompt || !cwd) return session;
  const known = prompts.get(server) ?? new Map<string, { session: string; cwd: string; at: number }>();
  prompts.set(server, known);
  const key = JSON.stringify([claims.userId, prompt]);
  const time = at.getTime();
  const before = known.get(key);
  const lives = before !== undefined && time - before.at < PROMPT_MS && isAround(before.cwd, cwd);
  known.delete(key);
  known.set(key, lives ? { ...before, at: time } : { session, cwd, at: time });
  dropOldest(known, MAX_SESSIONS);
  return lives ? before.session : session;
}

/** Returns whether one of two folders is the other or around it. */
const isAround = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
