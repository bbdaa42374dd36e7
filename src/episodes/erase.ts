import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { forgetEpisodes } from '../findings/proposals.ts';
import { eraseOffers } from '../offers/offers.ts';
import { eraseDocuments } from '../search/erase.ts';

/**
 * Erases the episodes of sessions, of a project, or from before an instant. With `keepLearned` they stay, and lose only
 * their references to the sessions.
 */
export async function erase(tx: Tx, { keepLearned, sessions, projectId, before }: Erasure): Promise<Erased> {
  const ofSessions = sql`session_id = any (${sql.param(sessions)}::uuid[])`;
  if (keepLearned) {
    await query(tx, sql`update episodes set session_id = null where ${ofSessions}`);
    return { episodes: 0, searchDocuments: 0, offers: 0 };
  }
  const rows = await query<{ id: string }>(
    tx,
    sql`select id from episodes
        where ${ofSessions} or project_id = ${projectId}::uuid or started_at < ${before}::timestamptz`,
  );
  const ids = rows.map(({ id }) => id);
  const lost = sql`${sql.param(ids)}::uuid[]`;
  await forgetEpisodes(tx, ids);
  const searchDocuments = await eraseDocuments(tx, 'episode', ids);
  const offers = await eraseOffers(tx, ids);
  await query(tx, sql`delete from episodes where id = any (${lost})`);
  return { episodes: ids.length, searchDocuments, offers };
}
