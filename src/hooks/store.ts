import { accountExists } from '../accounts/keys.ts';
import { storeCheck } from '../commands/checks.ts';
import { asUser } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { countUse } from '../learnings/recall.ts';
import { rememberOffers } from '../offers/offers.ts';
import { Problem } from '../problem.ts';
import { ensureSession, recordEvent, type Session } from '../sessions/sessions.ts';
import { filesTouched } from '../shell/command-key.ts';
import type { Entry } from './journal.ts';
import { momentOf } from './moments.ts';
import { targetOf } from './target.ts';

/** Sessions that a transaction has already looked up, by the client's id. */
type Seen = Map<string, Session>;

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
    const seen: Seen = new Map();
    let queued = 0;
    for (const entry of entries) queued += (await storeEntry(tx, entry, 'hook', seen)).queued;
    return queued;
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

/**
 * Stores one entry in a transaction of its user.
 *
 * @returns its session, whether it is new, and how many candidate lessons it queued
 */
export async function storeEntry(
  tx: Tx,
  { event, check, remember, offers, at: time }: Entry,
  source: 'hook' | 'transcript',
  seen: Seen = new Map(),
): Promise<{ session: Session | null; inserted: boolean; queued: number }> {
  if (!event) {
    if (check) await storeCheck(tx, check, { sessionId: null, remember: remember ?? false });
    return { session: null, inserted: true, queued: 0 };
  }
  const at = new Date(time);
  const session = seen.get(event.session_id) ?? (await ensureSession(tx, event, at));
  // a start changes the session's row, so the row must be read again
  if (event.hook_event_name === 'SessionStart') seen.delete(event.session_id);
  else seen.set(event.session_id, session);
  const target = targetOf(event, session);
  const files =
    event.hook_event_name === 'PostToolUse' && event.tool_input
      ? filesTouched(event.tool_name ?? '', event.tool_input)
      : [];
  const {
    inserted,
    dedupKey,
    at: firstAt,
  } = await recordEvent(tx, session, event, { source, at, target, files });
  if (offers) {
    const answered = { sessionId: session.id, dedupKey, event: event.hook_event_name, at: firstAt };
    const added = await rememberOffers(tx, answered, offers);
    await countUse(
      tx,
      added.flatMap(({ kind, sourceId }) => (kind === 'lesson' && sourceId !== null ? [sourceId] : [])),
    );
  }
  if (!inserted) return { session, inserted, queued: 0 };
  const moment = momentOf(event);
  await moment.record?.(tx, { session, event, at, target, check, remember });
  return { session, inserted, queued: (await moment.settle?.(tx, session, event)) ?? 0 };
}
