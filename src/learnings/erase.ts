import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { eraseCitations } from '../kinds/citations.ts';
import { eraseOffers } from '../offers/offers.ts';
import { eraseDocuments } from '../search/erase.ts';

const ids = (values: string[]) => sql`${sql.param(values)}::uuid[]`;

/**
 * Keeps candidates of all the caller's projects from being kept until the transaction ends, so that none is stored
 * from evidence that is being erased (see `admit`).
 */
export async function holdAdmissions(tx: Tx): Promise<void> {
  await query(tx)`select pg_advisory_xact_lock(hashtextextended(p.id::text, 0))
    from (select id from projects order by id) p`;
}

/**
 * Erases candidate lessons, and the lessons that were learned from what is erased. With `keepLearned` all lessons stay,
 * without their references to the evidence.
 */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { sessions, incidents, projectId, before, keepLearned } = erasure;
  const deleted = await query(tx)`delete from learning_requests
    where session_id = any (${ids(sessions)}) or incident_id = any (${ids(incidents)})
      or project_id = ${keepLearned ? null : projectId}::uuid or created_at < ${before}::timestamptz
    returning 1`;
  const counts = { candidates: deleted.length };
  if (keepLearned) {
    await query(tx)`
      update learnings set source_session_id = null, source_incident_id = null, source_error = null
      where source_session_id = any (${ids(sessions)}) or source_incident_id = any (${ids(incidents)})`;
    return { ...counts, lessons: 0, searchDocuments: 0, offers: 0 };
  }
  const lost = await query<{ id: string }>(tx)`select id from learnings
    where source_session_id = any (${ids(sessions)}) or source_incident_id = any (${ids(incidents)})
      or project_id = ${projectId}::uuid or created_at < ${before}::timestamptz`;
  const erased = await eraseLessons(
    tx,
    lost.map(({ id }) => id),
  );
  return { ...counts, ...erased };
}

/** Deletes lessons, their index rows, their guards, and what was offered of them to any session. */
export async function eraseLessons(tx: Tx, lost: string[]): Promise<Erased> {
  const offers = await eraseOffers(tx, lost);
  const searchDocuments = await eraseDocuments(tx, 'learning', lost);
  const citations = await eraseCitations(tx, 'learning', lost);
  // a guard is made from the words of the version that was in force then
  const guards = await query(tx)`
    delete from guards where lineage_id in (select lineage_id from learnings where id = any (${ids(lost)})) returning 1`;
  await query(tx)`delete from learning_requests where learning_id = any (${ids(lost)})`;
  await query(tx)`update learnings set supersedes = null where supersedes = any (${ids(lost)})`;
  await query(tx)`delete from learnings where id = any (${ids(lost)})`;
  return { lessons: lost.length, searchDocuments, citations, offers, guards: guards.length };
}
