import { accountExists } from '../accounts/keys.ts';
import { storeChecks } from '../commands/checks.ts';
import { asUser } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { countUse } from '../learnings/recall.ts';
import type { OfferKind } from '../offers/frame.ts';
import { rememberOffers } from '../offers/offers.ts';
import { Problem } from '../problem.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import {
  type EventToRecord,
  ensureSession,
  type Recorded,
  recordEvents,
  type Session,
} from '../sessions/sessions.ts';
import { filesTouched } from '../shell/command-key.ts';
import type { Entry } from './journal.ts';
import { momentOf } from './moments.ts';
import { targetOf } from './target.ts';

/**
 * Stores entries of one user in one transaction, in their order. An event that is already stored changes nothing.
 *
 * @returns how many candidate lessons were queued
 * @throws Problem (404) if the database has no such user, because the entries belong to another database
 */
export async function storeEntries(db: Database, entries: Entry[]): Promise<number> {
  const [first] = entries;
  if (!first) return 0;
  const { claims } = first;
  return asUser(db, claims, async (tx) => {
    if (!(await isKnown(db, tx, claims.userId))) {
      throw new Problem({
        status: 404,
        title: 'User not found',
        detail: `This database has no user ${claims.userId}, for whom the event was kept.`,
      });
    }
    return (await storeInOrder(tx, entries, 'hook')).queued;
  });
}

/** Users that are known to be in the database, so that it is asked only once for each. */
const users = new WeakMap<Database, Set<string>>();

async function isKnown(db: Database, tx: Tx, userId: string): Promise<boolean> {
  const known = users.get(db) ?? new Set();
  users.set(db, known);
  if (known.has(userId)) return true;
  const exists = await accountExists(tx);
  if (exists) known.add(userId);
  return exists;
}

type Outcome = { session: Session; inserted: boolean };

/**
 * Stores entries in a transaction of their user, in their order.
 *
 * @returns the session of each event and whether the event is new, and how many candidate lessons were queued
 */
export async function storeInOrder(
  tx: Tx,
  entries: Entry[],
  source: 'hook' | 'transcript',
): Promise<{ outcomes: Outcome[]; queued: number }> {
  const outcomes: Outcome[] = [];
  let queued = 0;
  for (const run of runsOf(entries)) {
    const stored = await storeRun(tx, run, source);
    outcomes.push(...stored.outcomes);
    queued += stored.queued;
  }
  return { outcomes, queued };
}

/**
 * Splits entries behind each SessionStart. It changes the session's row, so the entries after it must read the row
 * again.
 */
function runsOf(entries: Entry[]): Entry[][] {
  const runs: Entry[][] = [[]];
  for (const entry of entries) {
    runs.at(-1)?.push(entry);
    if (entry.event?.hook_event_name === 'SessionStart') runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

type EventEntry = Entry & { event: HookEvent };
const isEvent = (entry: Entry): entry is EventEntry => entry.event !== undefined;

/** Stores all events in one statement, and then what they mean, one after the other. */
async function storeRun(tx: Tx, run: Entry[], source: 'hook' | 'transcript') {
  const sessions = new Map<string, Session>();
  const items: (EventToRecord & { entry: EventEntry })[] = [];
  for (const entry of run.filter(isEvent)) {
    const { event } = entry;
    const at = new Date(entry.at);
    const session = sessions.get(event.session_id) ?? (await ensureSession(tx, event, at));
    sessions.set(event.session_id, session);
    const wrote = event.hook_event_name === 'PostToolUse' && event.tool_input;
    const files = wrote ? filesTouched(event.tool_name ?? '', event.tool_input) : [];
    items.push({ entry, session, event, source, at, target: targetOf(event, session), files });
  }
  const recorded = await recordEvents(tx, items);
  const results = items.map((item, i) => ({ ...item, recorded: recorded[i] as Recorded }));
  const fresh = results.filter((result) => result.recorded.inserted);

  await storeChecks(tx, [
    ...run
      .filter((entry) => !isEvent(entry))
      .map(({ check, remember }) => ({ check, remember, sessionId: null })),
    ...fresh.map(({ entry, session }) => ({ ...entry, sessionId: session.id })),
  ]);
  for (const { entry, session, event, recorded } of results) {
    if (!entry.offers) continue;
    const { dedupKey, at } = recorded;
    const answered = { sessionId: session.id, dedupKey, event: event.hook_event_name, at };
    await countUse(tx, lessonsIn(await rememberOffers(tx, answered, entry.offers)));
  }
  let queued = 0;
  for (const { entry, session, event, target, at } of fresh) {
    const moment = momentOf(event);
    await moment.record?.(tx, { session, event, at, target, check: entry.check });
    queued += (await moment.settle?.(tx, session, event)) ?? 0;
  }
  const outcomes = results.map(({ session, recorded }) => ({ session, inserted: recorded.inserted }));
  return { outcomes, queued };
}

const lessonsIn = (offers: { kind: OfferKind; sourceId: string | null }[]): string[] =>
  offers.flatMap(({ kind, sourceId }) => (kind === 'lesson' && sourceId !== null ? [sourceId] : []));
