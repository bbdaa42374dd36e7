import { inArray, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { recentSignatures, sessionsWithError } from '../incidents/incidents.ts';
import { ignoredByLast } from '../offers/offers.ts';
import { type SearchResult, searchDocuments } from '../search/search.ts';
import { wordsInCommon } from '../search/word-rank.ts';
import { isRoutinePrompt } from './routine-prompt.ts';
import { learnings } from './schema.ts';

export type Recalled = {
  id: string;
  lesson: string;
  why: string | null;
  relevance: 'high' | 'medium';
  confidence: number;
  ageDays: number;
  successes: number;
  failures: number;
};

export type Row = {
  id: string;
  lesson: string;
  why: string | null;
  confidence: number;
  age_days: number;
  successes: number;
  failures: number;
};

/** The columns of a {@link Row}, of a lesson `l`. */
export const recalledColumns = sql`l.id, l.lesson, l.why, l.confidence,
  extract(epoch from now() - l.last_confirmed_at)::float8 / 86400 as age_days,
  l.success_count as successes, l.failure_count as failures`;

/** SQL for whether a person said or stated a lesson `l`, and not an agent. */
export const saidByPerson = sql`(l.evaluated_by = 'person' and l.source_subagent is null)`;

/** Returns a row as a recalled lesson with this relevance. */
export const toRecalled = (row: Row, relevance: 'high' | 'medium'): Recalled => ({
  id: row.id,
  lesson: row.lesson,
  why: row.why,
  relevance,
  confidence: row.confidence,
  ageDays: row.age_days,
  successes: row.successes,
  failures: row.failures,
});

/**
 * A lesson with less confidence failed more often than it helped: it is not offered, and the next night closes it
 * (lesson_floor in sql/consolidation).
 */
export const MIN_CONFIDENCE = 0.5;
const MAX_AT_START = 3;
/**
 * Most lessons at a start that answer errors. They are told only if there is none of what a person said. A
 * lesson about an error is told at its call in any case: of 262 that starts told, three were of use.
 */
const MAX_ERRORS_AT_START = 1;
/**
 * An error may come back although there is a lesson. A lesson that failed to help need not be told at the
 * start.
 */
const MIN_CONFIDENCE_AT_START = 0.7;
/**
 * A lesson from an error is no longer offered at the start if this many sessions in a row made no use of it.
 */
const MAX_IGNORED = 10;
/** How much each word of the last commits raises a lesson that contains it, and how many words count. */
const PER_COMMIT_WORD = 0.25;
const MOST_COMMIT_WORDS = 2;
const MAX_AT_PROMPT = 2;
/** Results of each kind in a prompt's search, so that none takes the place of another. Skills need the most. */
const OF_EACH_KIND = 6;
const MAX_AT_FAILURE = 2;
/** Extra results for a prompt's search, because lessons that the session already has are left out of it. */
const SPARE_RESULTS = 10;

/** Words of a commit's subject that say what kind of change it is, and not what it is about. */
const KINDS_OF_CHANGE =
  /^\w+(?=(?:\([^)]*\))?!?:\s)|\b(?:add|bump|change|clean|cleanup|fix|improve|make|merge|move|refactor|release|remove|rename|revert|support|test|update|upgrade|use|wip)(?:e?[sd]|ing)?\b/gi;

/** Returns what the subjects of commits are about, without what kind of change they are. */
const mattersOf = (commits: string[]): string =>
  commits.map((subject) => subject.replace(KINDS_OF_CHANGE, ' ')).join('\n');

/**
 * Returns the lessons that a session should know before its task is known: what a person said, or else what
 * answers an error that came back in another session. Lessons from errors that the last ten sessions made no
 * use of are left out.
 *
 * What a person said comes first, because the rest is told before its call. Then the order is confidence ×
 * recency (half-life 90 days). A lesson is raised by half if its error was seen in the last week, by a
 * quarter if it was learned on this branch, and by a quarter for each word of the last commits that it
 * contains, two words at most.
 *
 * @param offered lessons that the agent already has in its context
 */
export async function recallForStart(
  tx: Tx,
  session: { projectId: string; branch: string | null; commits: string[] },
  offered: string[],
): Promise<Recalled[]> {
  const recent = await recentSignatures(tx, session.projectId, 7);
  const rows = await query<Row & { recent: boolean; from_person: boolean }>(
    tx,
    sql`select * from (
      select ${recalledColumns}, l.last_confirmed_at,
        (l.branch is not null and l.branch = ${session.branch}) as same_branch,
        coalesce(l.signature = any (${sql.param(recent)}), false) as recent, ${saidByPerson} as from_person,
        ${wordsInCommon({ kind: 'learning', id: sql`l.id` }, mattersOf(session.commits))} as commit_words
      from learnings l
      where l.project_id = ${session.projectId} and l.status = 'active' and l.valid_until is null
        and l.confidence >= ${MIN_CONFIDENCE} and not l.id = any (${sql.param(offered)}::uuid[])
        and (${saidByPerson}
          or l.confidence >= ${MIN_CONFIDENCE_AT_START} and l.signature is not null
            and ${sessionsWithError(session.projectId, sql`l.signature`)} >= 2)
        and (l.source_incident_id is null or not ${ignoredByLast(sql`l.id`, MAX_IGNORED)})
    ) l
    order by l.from_person desc, l.confidence * power(0.5::float8, l.age_days / 90)
      * (1 + case when recent then 0.5 else 0 end + case when same_branch then 0.25 else 0 end
        + ${PER_COMMIT_WORD}::float8 * least(commit_words, ${MOST_COMMIT_WORDS}::int)) desc, l.id
    limit ${MAX_AT_START}`,
  );
  const said = rows.filter((row) => row.from_person);
  const kept = said.length > 0 ? said : rows.slice(0, MAX_ERRORS_AT_START);
  return kept.map((row) => toRecalled(row, row.recent && row.confidence >= 0.7 ? 'high' : 'medium'));
}

// Calibrated on prompts, with and without a lesson for them (see docs/learning-loop.md). A prompt is not a
// search query. It shares common words with many lessons ("build", "release", "test"), so words count half of
// what they do in a search.
const PROMPT_LEXICAL_SHARE = 0.2;
const PROMPT_HIGH = 0.6;
const PROMPT_MEDIUM = 0.46;
/**
 * A decision or finding is also about a prompt if their cosine is at least this, because both may say the
 * same in other words. Chosen on half of the projects of `npm run eval:offers`. With lower limits, about 2 %
 * of the prompts of other projects get an offer, and not many more of the project's own prompts get the one
 * they need.
 */
const PROMPT_NEAR: { [kind: string]: number } = { decision: 0.38, finding: 0.36 };

function forPrompt(result: SearchResult): FoundForPrompt {
  const { kind, similarity, factors, relevance } = result;
  if (similarity === null)
    return { ...result, sure: relevance === 'low' ? 0 : relevance === 'high' ? 1 : 0.5 };
  const sure = similarity + PROMPT_LEXICAL_SHARE * factors.lexical;
  const isNear = sure >= PROMPT_MEDIUM || similarity >= (PROMPT_NEAR[kind] ?? 1);
  return { ...result, sure, relevance: sure >= PROMPT_HIGH ? 'high' : isNear ? 'medium' : 'low' };
}

/**
 * A record that the search for a prompt found. `sure` says how near it is, for kinds with a limit of their
 * own. `relevance` is the relevance of a lesson, decision or finding for the prompt.
 */
export type FoundForPrompt = Pick<
  SearchResult,
  'id' | 'kind' | 'content' | 'similarity' | 'relevance' | 'confidence' | 'ageDays'
> & { sure: number };

/**
 * Searches once for the records of all kinds that may answer a prompt. If the prompt only names a routine,
 * lessons, findings and patterns are left out. Without a vector of the prompt, only its words are searched.
 *
 * @param offered records that the agent already has in its context
 */
export async function searchForPrompt(
  tx: Tx,
  projectId: string,
  prompt: string,
  vector: QueryVector,
  offered: string[],
): Promise<FoundForPrompt[]> {
  const kinds = isRoutinePrompt(prompt)
    ? ['decision', 'skill']
    : ['learning', 'decision', 'skill', 'finding', 'episode', 'pattern'];
  const perKind = OF_EACH_KIND + Math.min(offered.length, SPARE_RESULTS);
  const { results } = await searchDocuments(tx, {
    query: prompt,
    vector,
    projectId,
    kinds,
    minConfidence: MIN_CONFIDENCE,
    perKind,
    limit: kinds.length * perKind,
  });
  return results.filter(({ id }) => !offered.includes(id)).map(forPrompt);
}

/** Returns the lessons among the found records that answer the prompt. */
export async function recallForPrompt(tx: Tx, found: FoundForPrompt[]): Promise<Recalled[]> {
  const fresh = found
    .filter(({ kind, relevance }) => kind === 'learning' && relevance !== 'low')
    .slice(0, MAX_AT_PROMPT);
  const rows = await rowsOf(
    tx,
    fresh.map(({ id }) => id),
  );
  return fresh.flatMap(({ id, relevance }) => {
    const row = rows.find((one) => one.id === id);
    return row ? [toRecalled(row, relevance as 'high' | 'medium')] : [];
  });
}

/**
 * Returns the known fixes of an error, the most confident first, and whether any is known, offered or not.
 *
 * @param offered lessons that were already offered after a failure. A lesson that was offered at the start or for a
 *   prompt may be repeated, because now its error has happened.
 */
export async function recallForFailure(
  tx: Tx,
  projectId: string,
  signature: string,
  offered: string[],
): Promise<{ lessons: Recalled[]; known: boolean }> {
  const rows = await query<Row>(
    tx,
    sql`select ${recalledColumns} from learnings l
        where l.project_id = ${projectId} and l.signature = ${signature} and l.status = 'active'
          and l.valid_until is null and l.confidence >= ${MIN_CONFIDENCE}
        order by l.confidence desc, l.last_confirmed_at desc limit ${MAX_AT_FAILURE + SPARE_RESULTS}`,
  );
  const fresh = rows.filter(({ id }) => !offered.includes(id)).slice(0, MAX_AT_FAILURE);
  return { lessons: fresh.map((row) => toRecalled(row, 'high')), known: rows.length > 0 };
}

/**
 * Returns lessons for a failure if no lesson has the signature of its error. They are found by what the
 * command and the error mean. They are about a similar error, so they are never HIGH.
 */
export async function recallForSimilarFailure(
  tx: Tx,
  projectId: string,
  failure: string,
  vector: QueryVector,
  offered: string[],
): Promise<Recalled[]> {
  const { results } = await searchDocuments(tx, {
    query: failure,
    vector,
    projectId,
    kinds: ['learning'],
    minConfidence: MIN_CONFIDENCE,
    limit: 1 + Math.min(offered.length, SPARE_RESULTS),
  });
  const near = results.filter((r) => r.relevance !== 'low' && !offered.includes(r.id)).slice(0, 1);
  const rows = await rowsOf(
    tx,
    near.map(({ id }) => id),
  );
  return rows.map((row) => toRecalled(row, 'medium'));
}

const rowsOf = async (tx: Tx, ids: string[]): Promise<Row[]> =>
  ids.length === 0
    ? []
    : query<Row>(
        tx,
        sql`select ${recalledColumns} from learnings l where l.id = any (${sql.param(ids)}::uuid[])`,
      );

/** Counts one more offer of each of these lessons. */
export async function countUse(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(learnings)
    .set({ usageCount: sql`${learnings.usageCount} + 1` })
    .where(inArray(learnings.id, ids));
}
