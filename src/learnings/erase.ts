import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { eraseDecisionsBy } from '../facts/erase.ts';
import { ofNote } from '../facts/of-note.ts';
import { eraseCitations } from '../freshness/citations.ts';
import { eraseGuards } from '../guards/guards.ts';
import { eraseOffers } from '../offers/offers.ts';
import { eraseDocuments } from '../search/erase.ts';

const ids = (values: string[]) => sql`${sql.param(values)}::uuid[]`;

/**
 * Keeps candidates of all the caller's projects from being judged until the transaction ends, so that none is stored
 * from evidence that is being erased (see `admitCandidate`).
 */
export async function holdAdmissions(tx: Tx): Promise<void> {
  await query(
    tx,
    sql`select pg_advisory_xact_lock(hashtextextended(p.id::text, 0))
        from (select id from projects order by id) p`,
  );
}

/** Returns the lessons that were learned from what is erased, also those that other sessions taught too. */
export async function lessonsOf(tx: Tx, erasure: Erasure): Promise<string[]> {
  const { sessions, incidents, projectId, before } = erasure;
  const rows = await query<{ id: string }>(
    tx,
    sql`select id from learnings
        where source_session_id = any (${ids(sessions)}) or source_incident_id = any (${ids(incidents)})
          or project_id = ${projectId}::uuid or created_at < ${before}::timestamptz
        union
        select learning_id from learning_requests
        where learning_id is not null and (session_id = any (${ids(sessions)})
          or incident_id = any (${ids(incidents)}) or created_at < ${before}::timestamptz)`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Erases candidate lessons, and the lessons that were learned only from what is erased. If another session
 * confirmed a lesson, the lesson stays, in the words of that session. With `keepLearned` all lessons stay,
 * without their references to the evidence.
 */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { sessions, incidents, projectId, before, keepLearned } = erasure;
  const deleted = await query<{ learningId: string | null; candidate: Words | null }>(
    tx,
    sql`delete from learning_requests
        where session_id = any (${ids(sessions)}) or incident_id = any (${ids(incidents)})
          or project_id = ${keepLearned ? null : projectId}::uuid or created_at < ${before}::timestamptz
        returning learning_id as "learningId", candidate`,
  );
  const counts = { candidates: deleted.length };
  if (keepLearned) {
    await unlink(tx, erasure);
    return { ...counts, lessons: 0, searchDocuments: 0, offers: 0 };
  }

  const origin = await query<{ id: string }>(
    tx,
    sql`select id from learnings
        where source_session_id = any (${ids(sessions)}) or source_incident_id = any (${ids(incidents)})
          or project_id = ${projectId}::uuid or created_at < ${before}::timestamptz`,
  );
  const confirmed = await inOtherWords(
    tx,
    origin.map(({ id }) => id),
  );
  await takeOutKeywords(
    tx,
    deleted.filter(({ learningId }) => learningId !== null && !confirmed.has(learningId)),
  );
  const lost = origin.flatMap(({ id }) => (confirmed.has(id) ? [] : [id]));
  const erased = await eraseLessons(tx, lost);
  // the offers of these lessons contain the words that are erased, and so do their guards
  const offers = await eraseOffers(tx, [...confirmed]);
  const guards = await eraseGuards(tx, await lineagesOf(tx, [...confirmed]));
  return {
    ...counts,
    ...erased,
    offers: (erased.offers ?? 0) + offers,
    guards: (erased.guards ?? 0) + guards,
  };
}

/** Deletes lessons, their index rows, and what was offered of them to any session. */
export async function eraseLessons(tx: Tx, lost: string[]): Promise<Erased> {
  const offers = await eraseOffers(tx, lost);
  const searchDocuments = await eraseDocuments(tx, 'learning', lost);
  const citations = await eraseCitations(tx, 'learning', lost);
  const guards = await eraseGuards(tx, await lineagesOf(tx, lost));
  await query(tx, sql`delete from learning_requests where learning_id = any (${ids(lost)})`);
  await query(tx, sql`update learnings set supersedes = null where supersedes = any (${ids(lost)})`);
  await query(tx, sql`delete from learnings where id = any (${ids(lost)})`);
  return { lessons: lost.length, searchDocuments, citations, offers, guards };
}

/** Returns the lineages of lessons. A guard is made from the words of the version that was in force then. */
async function lineagesOf(tx: Tx, lessons: string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select distinct lineage_id as id from learnings where id = any (${ids(lessons)})`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Erases what was made from the hints of notes: candidates, judged or not, and the decisions that name a note as their
 * evidence.
 */
export async function eraseHeardIn(tx: Tx, notes: string[]): Promise<Erased> {
  if (notes.length === 0) return {};
  // Candidates go first: if one is being judged meanwhile, it is found to be gone, and its decision is rolled
  // back.
  const deleted = await query(
    tx,
    sql`delete from learning_requests
        where evidence ->> 'kind' = 'noted' and evidence ->> 'note' = any (${sql.param(notes)}::text[])
        returning id`,
  );
  return { ...(await eraseDecisionsBy(tx, notes.map(ofNote))), candidates: deleted.length };
}

type Words = { keywords: string[]; appliesTo: string[] };

/**
 * Lessons whose origin is erased get the words and the provenance of the newest remaining candidate that
 * agreed with them. Returns the ids of the lessons that have such a candidate.
 */
async function inOtherWords(tx: Tx, lessons: string[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    tx,
    sql`update learnings l set
          lesson = r.candidate ->> 'lesson', context = r.candidate ->> 'context', why = null,
          keywords = array(select jsonb_array_elements_text(r.candidate -> 'keywords')),
          applies_to = array(select jsonb_array_elements_text(r.candidate -> 'appliesTo')),
          evaluated_by = coalesce(r.evaluator, l.evaluated_by), source_session_id = r.session_id,
          source_incident_id = r.incident_id, source_subagent = r.agent_id, source_error = null, updated_at = now()
        from (
          select distinct on (learning_id) * from learning_requests
          where learning_id = any (${ids(lessons)}) and candidate is not null
          order by learning_id, finished_at desc
        ) r
        where l.id = r.learning_id
        returning l.id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Takes the keywords of erased candidates out of the lessons they were merged into, unless others gave them too. */
async function takeOutKeywords(
  tx: Tx,
  deleted: { learningId: string | null; candidate: Words | null }[],
): Promise<void> {
  if (deleted.length === 0) return;
  const remaining = (column: string, field: string) =>
    sql`array(
      select u.word from unnest(${sql.raw(`l.${column}`)}) with ordinality u(word, n)
      where not exists (select from gone where gone.id = l.id and gone.candidate -> ${field} ? u.word)
        or exists (select from learning_requests r where r.learning_id = l.id and r.candidate -> ${field} ? u.word)
      order by u.n)`;
  await query(
    tx,
    sql`with gone as (
          select * from jsonb_to_recordset(${JSON.stringify(
            deleted.map(({ learningId, candidate }) => ({ id: learningId, candidate })),
          )}::jsonb) as g (id uuid, candidate jsonb))
        update learnings l set keywords = ${remaining('keywords', 'keywords')},
          applies_to = ${remaining('applies_to', 'appliesTo')}
        where l.id in (select id from gone)`,
  );
}

/** Removes the references of lessons to erased evidence. */
async function unlink(tx: Tx, { sessions, incidents }: Erasure): Promise<void> {
  await query(
    tx,
    sql`update learnings set source_session_id = null, source_incident_id = null, source_error = null
        where source_session_id = any (${ids(sessions)}) or source_incident_id = any (${ids(incidents)})`,
  );
}
