import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { kindOf, type Row } from '../kinds/kind.ts';
import { offersFrom, sessionsOffered } from '../offers/offers.ts';
import { redactText } from '../redaction/redact.ts';
import { otherProject } from '../sessions/projects.ts';
import { endLesson } from './admit.ts';
import { noteDecision } from './requests.ts';
import { learnings } from './schema.ts';
import { missingOf, type Status } from './states.ts';

/** A lesson as it is shown, as far as the server reads it. */
type Lesson = Row & {
  status: Status;
  everywhere: boolean;
  validUntil: string | null;
  sourceError: string | null;
};

/** Lessons as they are shown. */
export const shownLessons = kindOf<Lesson>(
  'lesson',
  learnings,
  ['lineageId', 'signature', 'target', 'branch', 'sameKey', 'priorConfidence'],
  {
    successRate: {
      as: z.number().nullable(),
      sql: sql`t.success_count::float8 / nullif(t.success_count + t.failure_count, 0)`,
    },
  },
);

/** Most versions that the history of a lesson tells. */
const MAX_VERSIONS = 100;

/** Returns lessons of the caller, the newest first. @throws Problem (400) when `before` names none of theirs */
export function listLearnings(
  tx: Tx,
  projectId: string | undefined,
  filter: {
    /** ended: those that were rejected or replaced, before `asOf` if that is given */
    status?: Status | 'ended' | undefined;
    /** lists the lessons that were valid at this time; default: the current ones */
    asOf?: Date | undefined;
    /** words to search for: each must be in the lesson, its context, its keywords or what it applies to */
    q?: string | undefined;
    /** the id of a lesson: only those after it are returned */
    before?: string | undefined;
    limit: number;
  },
): Promise<Lesson[]> {
  const { status, q = '' } = filter;
  const at = filter.asOf === undefined ? null : sql`${filter.asOf.toISOString()}::timestamptz`;
  const valid =
    at === null ? sql`t.valid_until is null` : sql`tstzrange(t.valid_from, t.valid_until) @> ${at}`;
  const words = q.toLowerCase().match(/\S+/g) ?? [];
  const where = [
    projectId && sql`t.project_id = ${projectId}::uuid`,
    status && status !== 'ended' && sql`t.status = ${status}`,
    status === 'ended' ? sql`t.valid_until <= ${at ?? sql`now()`}` : valid,
    ...words.map(
      (word) => sql`lower(concat_ws(' ', t.lesson, t.context, array_to_string(t.keywords, ' '),
      array_to_string(t.applies_to, ' '))) like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`,
    ),
  ];
  return shownLessons.list(tx, where, filter);
}

/**
 * Returns a lesson that the caller may change.
 *
 * @throws Problem (404) if there is no such lesson, (409) if the beginning of its id fits several; 403 if it holds in all projects, and the key of the caller is for one
 */
export async function lessonToChange(tx: Tx, reference: string) {
  const lesson = await shownLessons.get(tx, reference);
  await mayBeEverywhere(tx, lesson.everywhere);
  return lesson;
}

/** @throws Problem (403) when something is to hold in all projects, and the key of the caller is for one */
export async function mayBeEverywhere(tx: Tx, everywhere: boolean | undefined): Promise<void> {
  if (!everywhere) return;
  const [row] = await query<{ own: string | null }>(tx)`select own_project() as own`;
  if (row?.own) throw await otherProject(tx, row.own);
}

/**
 * Returns the history of a lesson: all its versions, the newest first; what it still needs to be told more widely;
 * all judgements and moves of them; and all times that one of them was offered.
 */
export async function learningHistory(tx: Tx, id: string) {
  const versions = await shownLessons.read(
    tx,
    sql`t.lineage_id = (select one.lineage_id from learnings one where one.id = ${id}::uuid)`,
    sql`order by t.valid_from desc, t.created_at desc limit ${MAX_VERSIONS}`,
  );
  const ids = versions.map((version) => version.id);
  const current = versions.find((version) => version.id === id) ?? versions[0];
  // one that an agent proposed may name an error that no session met
  const [own] = await query<{ hasError: boolean }>(
    tx,
  )`select signature is not null as "hasError" from learnings where id = ${id}::uuid`;
  const missing = current?.validUntil === null ? missingOf(current.status, own?.hasError === true) : null;
  const judgements = await query(tx)`
    select event, decision, reason, evaluator, evidence, to_json(finished_at) as "finishedAt"
    from learning_requests where learning_id = any (${sql.param(ids)}::uuid[])
    order by finished_at desc limit 50`;
  const [injections, inSessions] = [await offersFrom(tx, ids), await sessionsOffered(tx, ids)];
  return { versions, missing, judgements, injections, inSessions };
}

/** Returns a lesson if it is in force, as far as its guard must know it; null if it has ended. */
export async function lessonInForce(tx: Tx, id: string) {
  type InForce = Record<'projectId' | 'lineageId' | 'lesson' | 'evaluatedBy', string> & {
    status: Status;
    sourceSessionId: string | null;
  };
  const [row] = await query<InForce>(tx)`
    select project_id as "projectId", lineage_id as "lineageId", lesson, status, evaluated_by as "evaluatedBy",
      source_session_id as "sourceSessionId"
    from learnings where id = ${id} and valid_until is null`;
  return row ?? null;
}

/**
 * Ends the validity of a lesson, because it is rejected. The row stays, for questions about an earlier time.
 *
 * @param why is kept with the judgements of the lesson; null: nobody gave a reason
 */
export async function retireLearning(tx: Tx, id: string, why: string | null = null) {
  const ended = await endLesson(tx, id);
  if (!ended || why === null) return;
  const { projectId } = ended;
  const reason = redactText(why);
  const decided = { decision: 'discarded' as const, reason, evaluator: 'person' };
  await noteDecision(tx, { projectId, learningId: id, event: 'rejected', ...decided });
}

/** Returns SQL for how many lessons a session has led to. Lessons that ended count too. */
export const lessonsCreated = (sessionId: SQL): SQL =>
  sql`(select count(distinct l.lineage_id)::int from learnings l where l.source_session_id = ${sessionId})`;

type LessonMade = { id: string; lesson: string; status: Status; validUntil: string | null };

/** Returns the lessons that a session has led to, as they are now, the oldest first. */
export async function lessonsMade(tx: Tx, sessionId: string): Promise<LessonMade[]> {
  return query<LessonMade>(tx)`select id, lesson, status, valid_until as "validUntil" from (
      select distinct on (lineage_id) * from learnings
      where lineage_id in (select lineage_id from learnings where source_session_id = ${sessionId})
      order by lineage_id, valid_until desc nulls first) l
    order by created_at, id`;
}

/** Counts one more offer of each of these lessons. */
export async function countUse(tx: Tx, ids: string[]): Promise<void> {
  await query(tx)`
    update learnings set usage_count = usage_count + 1 where id = any (${sql.param(ids)}::uuid[])`;
}
