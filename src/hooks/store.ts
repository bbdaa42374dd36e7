import { accountExists } from '../accounts/keys.ts';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { storeChecks, storeShapes } from '../commands/checks.ts';
import { asUser } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { countUse } from '../learnings/learnings.ts';
import { armOf } from '../offers/holdout.ts';
import { rememberOffers } from '../offers/offers.ts';
import { type HookEvent, isNameless } from '../sessions/hook-event.ts';
import { composed } from '../sessions/projects.ts';
import {
  deliveryKey,
  type EventToRecord,
  findSession,
  openSession,
  type Recorded,
  recordEvents,
  type Session,
} from '../sessions/sessions.ts';
import { filesTouched } from '../shell/tool-target.ts';
import { handlerOf } from './event-handlers.ts';
import type { Entry } from './journal-file.ts';
import { type Outputs, outputsOf, storeOutputs } from './output.ts';
import { targetOf } from './read-event.ts';
import type { HookServices } from './types.ts';

// Stores the events of hooks. One SQL function records an event and what follows from it at once: sql/events.

type StoreServices = Pick<HookServices, 'db' | 'wake' | 'dashboard' | 'push'> & { config: Limits };

/** The bytes of outputs of a user in a day, the share of sessions that are offered nothing, how long a step is held. */
type Limits = Pick<Config, 'dailyOutputBytes' | 'holdout' | 'stepLeaseSeconds'>;

/**
 * Stores entries of one user in one transaction, in their order. An event that is already stored changes nothing. If they
 * queue candidate lessons, wakes the worker that writes them. Tells the live page which projects have changed, and devices
 * of what was blocked.
 *
 * @throws Problem (404) if the database has no such user, because the entries belong to another database
 */
export async function store(services: StoreServices, entries: Entry[]): Promise<void> {
  const { db, wake, dashboard, push, config } = services;
  const claims = entries[0]?.claims;
  if (!claims) return;
  const outputs = await outputsOf(entries, config.dailyOutputBytes);
  const attempt = () => asUser(db, claims, (tx) => storeInOrder(tx, entries, { outputs, config }));
  // If a session was erased after it was read (SQLSTATE 23503), the second attempt makes it anew.
  const { outcomes, queued } = await attempt().catch((error) => {
    if ((error.cause as { code?: unknown } | null)?.code !== '23503') throw error;
    return attempt();
  });
  if (queued > 0) wake('distil');
  dashboard.touch(
    claims.userId,
    outcomes.map(({ session }) => session.projectId),
  );
  // a session that has ended needs no more answers
  const changesWaiting = ({ check, event }: Entry) =>
    check?.decision === 'deny' || event?.hook_event_name === 'SessionEnd';
  if (entries.some(changesWaiting)) push.look(claims.userId);
}

type StoredEntry = { entry: Entry; session: Session; inserted: boolean; dedupKey: string };

/** What the entries put out, and the limits for what came with hooks; without: they were read from a transcript. */
type By = { outputs: Outputs; config?: Limits };

/**
 * Stores entries in a transaction of their user, in their order.
 *
 * @returns the session of each event and whether the event is new, and how many candidate lessons were queued
 */
export async function storeInOrder(tx: Tx, entries: Entry[], by: By) {
  const outcomes: StoredEntry[] = [];
  let queued = 0;
  for (const run of runsOf(entries)) {
    const stored = await storeRun(tx, run, by);
    outcomes.push(...stored.outcomes);
    queued += stored.queued;
  }
  return { outcomes, queued };
}

/**
 * Splits entries after each SessionStart, because it changes the session's row. Also splits them before each
 * event whose key depends on what was stored before: a SessionEnd (on how often the session began) and an
 * event without an id.
 */
function runsOf(entries: Entry[]): Entry[][] {
  const runs: Entry[][] = [[]];
  for (const entry of entries) {
    const { event } = entry;
    if (event && (event.hook_event_name === 'SessionEnd' || isNameless(event))) runs.push([]);
    runs.at(-1)?.push(entry);
    if (event?.hook_event_name === 'SessionStart') runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

type EventEntry = Entry & { event: HookEvent };
const isEvent = (entry: Entry): entry is EventEntry => entry.event !== undefined;

/**
 * Refuses entries of a user whom the database has not: it may have been restored, or the member erased, while the server
 * runs. Who has a session is there.
 */
async function mustExist(tx: Tx, { userId }: Entry['claims']): Promise<void> {
  if (await accountExists(tx)) return;
  const detail = `This database has no user ${userId}, for whom the event was kept.`;
  throw new Problem({ status: 404, title: 'User not found', detail });
}

/** Opens the session of an event, which is new. */
async function begin(tx: Tx, { claims, event, at }: EventEntry, holdout: number): Promise<Session> {
  await mustExist(tx, claims);
  const arm = armOf(claims.userId, event.session_id, holdout);
  return openSession(tx, event, new Date(at), { arm, projectId: claims.hooksOf });
}

/** Stores all events in one statement. Then records what each of them means, one after the other. */
async function storeRun(tx: Tx, run: Entry[], { outputs, config }: By) {
  const sessions = new Map<string, Session>();
  const items: (EventToRecord & { entry: EventEntry })[] = [];
  for (const entry of run.filter(isEvent)) {
    const { event } = entry;
    const at = new Date(entry.at);
    const session =
      sessions.get(event.session_id) ??
      (await findSession(tx, event.session_id)) ??
      (await begin(tx, entry, config?.holdout ?? 0));
    sessions.set(event.session_id, session);
    const wrote = event.hook_event_name === 'PostToolUse' && event.tool_input;
    const files = wrote ? filesTouched(event.tool_name ?? '', event.tool_input).map(composed) : [];
    const key = deliveryKey(session, event, at);
    const source = config ? 'hook' : 'transcript';
    items.push({ entry, session, event, key, source, at, target: targetOf(event, session), files });
  }
  const alone = run.find((entry) => !isEvent(entry));
  if (alone) await mustExist(tx, alone.claims);
  const recorded = await recordEvents(tx, items);
  const outcomes = items.map(({ entry, session }, i) => ({
    entry,
    session,
    ...(recorded[i] as Recorded),
  }));
  const fresh = outcomes.filter(({ inserted }) => inserted);

  // before the checks that they decided
  for (const { learned, at } of run) if (learned) await storeShapes(tx, learned, new Date(at));
  await storeChecks(tx, [
    ...run
      .filter((entry) => !isEvent(entry))
      .map(({ id, at, check, remember }) => ({ id, at, check, remember, sessionId: null, toolUseId: null })),
    ...fresh.map(({ entry: { at, check, remember, event }, session }) => ({
      at,
      check,
      remember,
      sessionId: session.id,
      toolUseId: event.tool_use_id ?? null,
    })),
  ]);
  for (const { entry, session, dedupKey, at } of outcomes) {
    const { event, offers } = entry;
    if (!offers) continue;
    const agent = { agentId: event.agent_id ?? null, agentType: event.agent_type || null };
    const answered = { sessionId: session.id, dedupKey, event: event.hook_event_name, ...agent, at };
    const told = await rememberOffers(tx, answered, offers);
    await countUse(
      tx,
      told.flatMap(({ kind, sourceId }) => (kind === 'lesson' && sourceId !== null ? [sourceId] : [])),
    );
  }
  await storeOutputs(tx, fresh, outputs);
  let queued = 0;
  for (const [i, { entry, session, inserted, at }] of outcomes.entries()) {
    if (!inserted) continue;
    const { claims, event, check, offers } = entry;
    const target = items[i]?.target ?? null;
    const leaseSeconds = config?.stepLeaseSeconds;
    const stored = { claims, session, event, at, target, check, offers, leaseSeconds };
    queued += Number((await handlerOf(event).record?.(tx, stored)) ?? 0);
  }
  return { outcomes, queued };
}
