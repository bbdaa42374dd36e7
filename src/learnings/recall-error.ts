import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { type EarlierError, errorsById, unsolvedBefore } from '../incidents/incidents.ts';
import { likenessOf } from '../incidents/likeness.ts';
import { ageInWords, type Offer, quote } from '../offers/frame.ts';
import { nearestRecords } from '../search/nearest.ts';
import { isOfTask } from './lasting.ts';
import { offerLesson } from './offer-lesson.ts';
import { MIN_CONFIDENCE, type Row, recalledColumns, toRecalled } from './recall.ts';

// What is known from earlier errors about an error for which the project has no lesson. If an earlier error
// was solved, the lesson that was learned from it is told, and nothing else: a fix that belongs to its task,
// or that waits for review, is not told. If nothing solved the earlier error, a warning says what was tried
// in vain.

/**
 * How many of the nearest errors are looked at. They are many, because one error may have come up again and
 * again.
 */
const MOST_NEAR = 20;
/** In tokens. */
const LENGTH = { call: 40, tried: 70, end: 60 };
const MOST_TRIED = 4;

/** An error that has just happened. */
export type Failure = {
  projectId: string;
  sessionId: string;
  signature: { id: string; text: string; salient: string };
  /** records that the agent already has in its context */
  offered: string[];
};

/**
 * Returns what is known about exactly this error: the lesson of another project of the user, or a warning of what was
 * tried in vain in this one.
 */
export async function recallSameError(tx: Tx, failure: Failure): Promise<Offer[]> {
  const { projectId, sessionId, signature, offered } = failure;
  const [lessons, unsolved] = await Promise.all([
    query<Row & { project: string }>(
      tx,
      sql`select ${recalledColumns}, p.name as project from learnings l join projects p on p.id = l.project_id
          where l.user_id = auth.uid() and l.signature = ${signature.id} and l.project_id <> ${projectId}
            and ${inForce}
          order by l.confidence desc, l.last_confirmed_at desc limit ${MOST_NEAR}`,
    ),
    unsolvedBefore(tx, { projectId, sessionId, signature: signature.id }),
  ]);
  const told = unsolved.some(({ id }) => offered.includes(id));
  const warning = unsolved.find((error) => isWorthAWarning(error, true));
  if (warning && !told) return [warn(warning, 'high')];
  const lesson = lessons.find(({ id }) => !offered.includes(id));
  return lesson ? [offerLesson(toRecalled(lesson, 'high'), `the same error in ${lesson.project}`)] : [];
}

/**
 * Returns at most one offer: what is known about the error that is most like this one. An error of this
 * project must be at least MEDIUM; one of the user's other projects must be HIGH.
 */
export async function recallLikeError(
  tx: Tx,
  failure: Failure,
  vector: NonNullable<QueryVector>,
): Promise<Offer[]> {
  const { projectId, sessionId, signature, offered } = failure;
  const near = await nearestRecords(tx, 'error', vector, MOST_NEAR);
  if (near.length === 0) return [];
  const errors = await errorsById(
    tx,
    near.map(({ id }) => id),
  );
  const like = near.flatMap(({ id, similarity }) => {
    const error = errors.find((one) => one.id === id && one.sessionId !== sessionId);
    const relevance = error ? likenessOf(signature, error, similarity) : null;
    if (!error || relevance === null || (error.projectId !== projectId && relevance !== 'high')) return [];
    return [{ error, relevance }];
  });
  const lessons = await lessonsOf(
    tx,
    like.map(({ error }) => error.id),
  );
  const warned = like.some(({ error }) => error.status !== 'resolved' && offered.includes(error.id));
  for (const { error, relevance } of like) {
    if (error.status === 'resolved') {
      const lesson = lessons.find(({ incident, id }) => incident === error.id && !offered.includes(id));
      const place = error.projectId === projectId ? '' : ` in ${error.project}`;
      // never more than MEDIUM, because the lesson is about another error
      if (lesson) return [offerLesson(toRecalled(lesson, 'medium'), `similar error${place}`)];
    } else if (
      error.projectId === projectId &&
      relevance === 'high' &&
      !warned &&
      isWorthAWarning(error, false)
    )
      return [warn(error, 'medium')];
  }
  return [];
}

const inForce: SQL = sql`l.status = 'active' and l.valid_until is null and l.confidence >= ${MIN_CONFIDENCE}`;

/** Returns the lessons that were learned from these errors, in the version that is in force now. */
const lessonsOf = async (tx: Tx, incidents: string[]): Promise<(Row & { incident: string })[]> =>
  incidents.length === 0
    ? []
    : query(
        tx,
        sql`select ${recalledColumns}, r.incident_id as incident
            from learning_requests r
            join learnings s on s.user_id = r.user_id and s.id = r.learning_id
            join learnings l on l.user_id = s.user_id and l.project_id = s.project_id and l.lineage_id = s.lineage_id
            where r.user_id = auth.uid() and r.incident_id = any (${sql.param(incidents)}::uuid[]) and ${inForce}`,
      );

/**
 * Whether a warning saves another session from trying the same in vain. An error that belongs to its task
 * needs none.
 */
const isWorthAWarning = (error: EarlierError, same: boolean): boolean =>
  error.tried !== null && !error.solvedSince && !isOfTask(error, same);

function warn(error: EarlierError, relevance: 'high' | 'medium'): Offer {
  const { tried, openedAt, call } = error;
  const steps = (tried?.steps ?? []).slice(-MOST_TRIED).map((step) => `\`${step}\``);
  const days = (Date.now() - openedAt.getTime()) / 86_400_000;
  const label = `${relevance.toUpperCase()}, ${relevance === 'high' ? 'unsolved' : 'similar error, unsolved'}`;
  return {
    kind: 'error',
    sourceId: error.id,
    relevance,
    lines: [
      `[${label}] An earlier session did not solve this: \`${quote(call, LENGTH.call)}\``,
      `tried in vain: ${quote(steps.join(', '), LENGTH.tried)}`,
      `ended with: ${quote(tried?.end ?? '', LENGTH.end)}`,
      `${ageInWords(Math.max(0, days))} (lore:${error.id.slice(0, 8)})`,
    ],
  };
}
