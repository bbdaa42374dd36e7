import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { eraseDecisionsOf } from '../facts/erase.ts';
import { eraseCitations } from '../freshness/citations.ts';
import { eraseOffers } from '../offers/offers.ts';
import { eraseDocuments, indexAgain } from '../search/erase.ts';

/**
 * Erases notes: those of a project, those from before an instant, and those whose conversation is an erased
 * session.
 */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { keepLearned, projectId, before, clientSessions } = erasure;
  if (keepLearned) return { notes: 0, searchDocuments: 0, channels: 0, agents: 0 };
  const which = sql`project_id = ${projectId}::uuid or created_at < ${before}::timestamptz
    or conversation = any (${sql.param(clientSessions)}::text[])`;
  return eraseNotes(tx, which, before);
}

/**
 * Erases the notes that fit a condition, in the index too, and the channels and agents without any note left. What
 * somebody described stays, unless everything from before an instant is erased.
 *
 * @param before an instant (ISO 8601) from before which everything goes; null: none
 */
export async function eraseNotes(
  tx: Tx,
  condition: ReturnType<typeof sql>,
  before: string | null = null,
): Promise<Erased> {
  const rows = await query<{ id: string; channel: string; sender: string | null }>(
    tx,
    sql`select id, channel, sender from notes where ${condition}`,
  );
  const ids = rows.map(({ id }) => id);
  const gone = sql`${sql.param(ids)}::uuid[]`;
  // The index rows of the notes after them show what was said before (note_context in sql/index).
  const later = await query<{ id: string }>(
    tx,
    sql`select distinct n.id from notes n join notes g on g.id = any (${gone})
          and coalesce(g.project_id, g.user_id) = coalesce(n.project_id, n.user_id) and n.created_at between g.created_at and g.created_at + interval '1 hour'
        where n.id <> all (${gone})`,
  );
  const heard = await eraseDecisionsOf(tx, ids);
  const searchDocuments = (await eraseDocuments(tx, 'note', ids)) + (heard.searchDocuments ?? 0);
  const citations = await eraseCitations(tx, 'note', ids);
  await query(tx, sql`delete from notes where id = any (${gone})`);
  await indexAgain(
    tx,
    'note',
    later.map(({ id }) => id),
  );
  const emptied = async (
    table: 'channels' | 'agents',
    used: string,
    last: string,
    names: (string | null)[],
  ) => {
    const erased = await query(
      tx,
      sql`delete from ${sql.raw(table)} c
          where not exists (select from notes n where n.${sql.raw(used)} = c.name)
            and (c.${sql.raw(last)} < ${before}::timestamptz
              or c.description is null and c.name = any (${sql.param([...new Set(names)])}::text[]))
          returning 1`,
    );
    return erased.length;
  };
  const channels = rows.map(({ channel }) => channel);
  const senders = rows.map(({ sender }) => sender);
  return {
    ...heard,
    notes: ids.length,
    searchDocuments,
    citations,
    offers: (await eraseOffers(tx, ids)) + (heard.offers ?? 0),
    channels: await emptied('channels', 'channel', 'created_at', channels),
    agents: await emptied('agents', 'sender', 'last_active', senders),
  };
}
