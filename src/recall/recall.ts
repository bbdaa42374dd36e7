import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { isRoutinePrompt } from '../language/routine-prompt.ts';
import { answering } from '../learnings/rules.ts';
import type { Status } from '../learnings/states.ts';
import type { Level } from '../offers/voice.ts';
import { type SearchResult, searchDocuments } from '../search/search.ts';

export type Recalled = {
  id: string;
  status: Status;
  /** whether an agent handed it in */
  proposed: boolean;
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
  status: Status;
  /** whether an agent handed it in */
  proposed: boolean;
  lesson: string;
  why: string | null;
  confidence: number;
  age_days: number;
  successes: number;
  failures: number;
};

/** The columns of a {@link Row}, of a lesson `l`. */
export const recalledColumns = sql`l.id, l.status, l.evaluated_by like 'agent%' as proposed, l.lesson, l.why, l.confidence,
  extract(epoch from now() - l.last_confirmed_at)::float8 / 86400 as age_days,
  l.success_count as successes, l.failure_count as failures`;

/** Returns a row as a recalled lesson with this relevance. */
export const toRecalled = (row: Row, relevance: 'high' | 'medium'): Recalled => ({
  id: row.id,
  status: row.status,
  proposed: row.proposed,
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
/** Most lessons at a prompt, by how much is wanted. */
const MAX_AT_PROMPT: Record<Level, number> = { all: 2, few: 1, none: 0 };
/** Results of each kind in a prompt's search, so that none takes the place of another. Skills need the most. */
const OF_EACH_KIND = 6;
const MAX_AT_FAILURE = 1;
/** Extra results for a prompt's search, because lessons that the session already has are left out of it. */
const SPARE_RESULTS = 10;

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
 * lessons and findings are left out. Without a vector of the prompt, only its words are searched.
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
    : ['learning', 'decision', 'skill', 'finding', 'episode'];
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

/**
 * Returns the lessons among the found records that answer the prompt: those that were promoted and, unless all are
 * wanted, are very near. What a person said is a rule, and is told at the start.
 */
export async function recallForPrompt(tx: Tx, found: FoundForPrompt[], level: Level): Promise<Recalled[]> {
  if (level === 'none') return [];
  const near = found.filter(
    ({ kind, relevance }) =>
      kind === 'learning' && (relevance === 'high' || (level === 'all' && relevance === 'medium')),
  );
  const rows = await rowsOf(
    tx,
    near.map(({ id }) => id),
  );
  return near
    .flatMap(({ id }) => rows.find((one) => one.id === id) ?? [])
    .slice(0, MAX_AT_PROMPT[level])
    .map((row) => toRecalled(row, 'medium'));
}

const rowsOf = async (tx: Tx, ids: string[]): Promise<Row[]> =>
  ids.length === 0
    ? []
    : query<Row>(
        tx,
        sql`select ${recalledColumns} from learnings l
            where l.id = any (${sql.param(ids)}::uuid[]) and l.status = 'active' and l.evaluated_by <> 'person'`,
      );

/**
 * Returns the known fix of an error, active or proposed, and whether any is known, offered or not. One that was promoted
 * comes first, then the most confident.
 *
 * @param offered lessons that were already offered after a failure. A lesson that was offered for a prompt may be
 *   repeated, because now its error has happened.
 */
export async function recallForFailure(
  tx: Tx,
  projectId: string,
  signature: string,
  offered: string[],
): Promise<{ lessons: Recalled[]; known: boolean }> {
  const rows = await query<Row>(
    tx,
    sql`select ${recalledColumns}
        from (select distinct lineage_id from ${answering(projectId, sql`array[${signature}]::text[]`)} t) a
        join learnings l on l.user_id = auth.uid() and l.lineage_id = a.lineage_id
        where l.project_id = ${projectId} and l.status in ('proposed', 'active')
          and l.valid_until is null and l.confidence >= ${MIN_CONFIDENCE}
        order by (l.status = 'active') desc, l.confidence desc, l.last_confirmed_at desc
        limit ${MAX_AT_FAILURE + SPARE_RESULTS}`,
  );
  const fresh = rows.filter(({ id }) => !offered.includes(id)).slice(0, MAX_AT_FAILURE);
  return { lessons: fresh.map((row) => toRecalled(row, 'high')), known: rows.length > 0 };
}
