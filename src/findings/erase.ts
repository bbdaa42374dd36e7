import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { eraseOffers } from '../offers/offers.ts';
import { eraseDocuments } from '../search/erase.ts';

/** Erases findings: those of a project, and those from before an instant. */
export async function erase(tx: Tx, { keepLearned, projectId, before }: Erasure): Promise<Erased> {
  if (keepLearned) return { findings: 0, searchDocuments: 0, offers: 0 };
  return eraseFindings(tx, sql`project_id = ${projectId}::uuid or created_at < ${before}::timestamptz`);
}

/** Erases the findings that fit a condition, with their links, in the index too. */
export async function eraseFindings(tx: Tx, condition: ReturnType<typeof sql>): Promise<Erased> {
  const rows = await query<{ id: string }>(tx, sql`select id from findings where ${condition}`);
  const ids = rows.map(({ id }) => id);
  const searchDocuments = await eraseDocuments(tx, 'finding', ids);
  const offers = await eraseOffers(tx, ids);
  await query(tx, sql`delete from findings where id = any (${sql.param(ids)}::uuid[])`);
  return { findings: ids.length, searchDocuments, offers };
}
