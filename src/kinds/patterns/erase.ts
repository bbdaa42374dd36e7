import { type SQL, sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../../db/erasure.ts';
import { query, type Tx } from '../../db/open.ts';
import { eraseOffers } from '../../offers/offers.ts';
import { eraseDocuments } from '../../search/erase.ts';

/**
 * Erases the patterns of a project, and those that were last seen before an instant or were counted in an
 * erased session. If other sessions still show such a pattern, the next night finds it again. Of a rejected
 * pattern only the form stays, so that it stays rejected. With `keepLearned` patterns only lose their
 * references to the sessions.
 */
export async function erase(tx: Tx, { sessions, projectId, before, keepLearned }: Erasure): Promise<Erased> {
  const ids = sql`${sql.param(sessions)}::uuid[]`;
  const touched = sql`evidence && ${ids}`;
  if (keepLearned) {
    await query(
      tx,
      sql`update patterns set evidence = array(select e from unnest(evidence) e where not e = any (${ids})) where ${touched}`,
    );
    return { patterns: 0, searchDocuments: 0, offers: 0 };
  }
  const old = sql`last_used < ${before}::timestamptz`;
  await query(
    tx,
    sql`update patterns set name = 'rejected', triggers = '{}', evidence = '{}',
          template = jsonb_build_object('steps', '[]'::jsonb, 'commonFiles', '[]'::jsonb)
        where status = 'rejected' and (${touched} or ${old})`,
  );
  return erasePatterns(
    tx,
    sql`project_id = ${projectId}::uuid or status = 'active' and (${touched} or ${old})
          or ${before}::timestamptz = 'infinity'`,
  );
}

/** Erases the patterns that fit a condition, in the index too. */
async function erasePatterns(tx: Tx, condition: SQL): Promise<Erased> {
  const rows = await query<{ id: string }>(tx, sql`select id from patterns where ${condition}`);
  const lost = rows.map(({ id }) => id);
  const searchDocuments = await eraseDocuments(tx, 'pattern', lost);
  const offers = await eraseOffers(tx, lost);
  await query(tx, sql`delete from patterns where id = any (${sql.param(lost)}::uuid[])`);
  return { patterns: lost.length, searchDocuments, offers };
}
