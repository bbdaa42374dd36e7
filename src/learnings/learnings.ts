import { and, desc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm';
import { badRequest, Problem } from '../base/errors/problem.ts';
import { idPrefix, theOne } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { offersFrom, sessionsOffered } from '../offers/offers.ts';
import { redactText } from '../redaction/redact.ts';
import { otherProject, projectNameOf } from '../sessions/projects.ts';
import { endLesson } from './admit.ts';
import { learningRequests, learnings } from './schema.ts';
import { missingOf, moveLesson, noteDecision, type Status } from './states.ts';

const {
  userId: _,
  projectId,
  lineageId,
  signature,
  target,
  branch,
  sameKey,
  priorConfidence,
  ...columns
} = getTableColumns(learnings);
const shown = {
  ...columns,
  project: projectNameOf(projectId),
  successRate: sql<number | null>`case when ${learnings.successCount} + ${learnings.failureCount} > 0 then
    ${learnings.successCount}::float8 / (${learnings.successCount} + ${learnings.failureCount}) end`,
};

/** Most versions that the history of a lesson tells. */
const MAX_VERSIONS = 100;

const select = (tx: Tx) => tx.select(shown).from(learnings);

/** Returns lessons of the caller, the newest first. @throws Problem (400) when `before` names none of theirs */
export async function listLearnings(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
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
) {
  const { status } = filter;
  const at = filter.asOf?.toISOString();
  const before = filter.before;
  if (before !== undefined && (await select(tx).where(eq(learnings.id, before))).length === 0)
    throw badRequest('before', `you have no lesson ${before}`);
  const words = filter.q?.trim().split(/\s+/) ?? [];
  return select(tx)
    .where(
      and(
        filter.projectId === undefined ? undefined : eq(learnings.projectId, filter.projectId),
        status === undefined || status === 'ended' ? undefined : eq(learnings.status, status),
        status === 'ended'
          ? sql`${learnings.validUntil} <= ${at ?? sql`now()`}::timestamptz`
          : at === undefined
            ? isNull(learnings.validUntil)
            : sql`tstzrange(${learnings.validFrom}, ${learnings.validUntil}) @> ${at}::timestamptz`,
        ...words.map(
          (word) => sql`${searchedText} like ${`%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`,
        ),
        before === undefined
          ? undefined
          : sql`(${learnings.createdAt}, ${learnings.id}) <
              (select b.created_at, b.id from learnings b where b.id = ${before}::uuid)`,
      ),
    )
    .orderBy(desc(learnings.createdAt), desc(learnings.id))
    .limit(filter.limit);
}

const searchedText = sql`lower(concat_ws(' ', ${learnings.lesson}, ${learnings.context},
  array_to_string(${learnings.keywords}, ' '), array_to_string(${learnings.appliesTo}, ' ')))`;

/**
 * Returns the lesson with this id. The beginning of the id is enough (8 characters or more), with or without the
 * `lore:` that offers cite it with.
 *
 * @throws Problem 404 if there is no such lesson, 409 if the beginning fits several
 */
export async function getLearning(tx: Tx, reference: string) {
  const prefix = idPrefix(reference);
  if (prefix === null) return theOne([], 'lesson', reference);
  const found = await select(tx).where(sql`starts_with(${learnings.id}::text, ${prefix})`).limit(2);
  return theOne(found, 'lesson', reference);
}

/**
 * Returns a lesson that the caller may change.
 *
 * @throws Problem as `getLearning`; 403 if it holds in all projects, and the key of the caller is for one
 */
export async function lessonToChange(tx: Tx, reference: string) {
  const lesson = await getLearning(tx, reference);
  await mayBeEverywhere(tx, lesson.everywhere);
  return lesson;
}

/** @throws Problem (403) when something is to hold in all projects, and the key of the caller is for one */
export async function mayBeEverywhere(tx: Tx, everywhere: boolean | undefined): Promise<void> {
  if (!everywhere) return;
  const [row] = await query<{ own: string | null }>(tx, sql`select own_project() as own`);
  if (row?.own) throw await otherProject(tx, row.own);
}

/**
 * Returns the history of a lesson: all its versions, the newest first; what it still needs to be told more widely;
 * all judgements and moves of them; and all times that one of them was offered.
 */
export async function learningHistory(tx: Tx, id: string) {
  const versions = await select(tx)
    .where(
      sql`${learnings.lineageId} = (select one.lineage_id from learnings one where one.id = ${id}::uuid)`,
    )
    .orderBy(desc(learnings.validFrom), desc(learnings.createdAt))
    .limit(MAX_VERSIONS);
  const ids = versions.map((version) => version.id);
  const current = versions.find((version) => version.id === id) ?? versions[0];
  const missing =
    current && current.validUntil === null ? missingOf(current.status, current.sourceError !== null) : null;
  const judgements = await tx
    .select({
      event: learningRequests.event,
      decision: learningRequests.decision,
      reason: learningRequests.reason,
      evaluator: learningRequests.evaluator,
      evidence: learningRequests.evidence,
      finishedAt: learningRequests.finishedAt,
    })
    .from(learningRequests)
    .where(inArray(learningRequests.learningId, ids))
    .orderBy(desc(learningRequests.finishedAt))
    .limit(50);
  const [injections, inSessions] = [await offersFrom(tx, ids), await sessionsOffered(tx, ids)];
  return { versions, missing, judgements, injections, inSessions };
}

/** Makes a lesson active, because a person accepts it. @throws Problem (409) when the lesson has ended */
export async function approveLearning(tx: Tx, id: string): Promise<void> {
  const detail = 'It was rejected or replaced, so it cannot be approved. State it anew if it holds again.';
  if ((await lessonInForce(tx, id)) === null)
    throw new Problem({ status: 409, title: 'Lesson has ended', detail });
  await moveLesson(tx, id, 'approved', { sessionId: null, evaluator: 'person' });
}

/** Returns a lesson if it is in force, as far as its guard must know it; null if it has ended. */
export async function lessonInForce(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      projectId: learnings.projectId,
      lineageId: learnings.lineageId,
      lesson: learnings.lesson,
      status: learnings.status,
      evaluatedBy: learnings.evaluatedBy,
      sourceSessionId: learnings.sourceSessionId,
      createdAt: learnings.createdAt,
    })
    .from(learnings)
    .where(and(eq(learnings.id, id), isNull(learnings.validUntil)));
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

/** Returns how many lessons each session has led to. Lessons that ended count too. */
export async function lessonsCreated(tx: Tx, sessionIds: string[]): Promise<Map<string, number>> {
  const rows = await query<{ session: string; n: number }>(
    tx,
    sql`select source_session_id as session, count(distinct lineage_id)::int as n from learnings
        where source_session_id = any (${sql.param(sessionIds)}::uuid[]) group by source_session_id`,
  );
  return new Map(rows.map(({ session, n }) => [session, n]));
}

/** Returns the lessons that a session has led to, as they are now, the oldest first. */
export async function lessonsMade(
  tx: Tx,
  sessionId: string,
): Promise<{ id: string; lesson: string; status: Status; validUntil: string | null }[]> {
  return query(
    tx,
    sql`select id, lesson, status, valid_until as "validUntil" from (
          select distinct on (lineage_id) * from learnings
          where lineage_id in (select lineage_id from learnings where source_session_id = ${sessionId})
          order by lineage_id, valid_until desc nulls first) l
        order by created_at, id`,
  );
}

/** Counts one more offer of each of these lessons. */
export async function countUse(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(learnings)
    .set({ usageCount: sql`${learnings.usageCount} + 1` })
    .where(inArray(learnings.id, ids));
}
