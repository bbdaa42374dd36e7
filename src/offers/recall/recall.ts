import { sql } from 'drizzle-orm';
import { query, type Tx } from '../../db/open.ts';
import { answering, holdsIn } from '../../learnings/rules.ts';
import type { Status } from '../../learnings/states.ts';
import type { QueryVector } from '../../search/embedding/embed-query.ts';
import { type SearchResult, searchDocuments } from '../../search/search.ts';

// Silence is the default. A lesson is told at its very error, an active one also before its very line. What a person said is
// told at the start.

/** A lesson as it is told. */
export type Recalled = {
  id: string;
  status: Status;
  /** whether an agent handed it in */
  proposed: boolean;
  lesson: string;
  why: string | null;
  confidence: number;
  successes: number;
  failures: number;
};

/** The columns of a {@link Recalled}, of a lesson `l`. */
export const recalledColumns = sql`l.id, l.status, l.evaluated_by like 'agent%' as proposed, l.lesson, l.why, l.confidence,
  l.success_count as successes, l.failure_count as failures`;

/**
 * A lesson with less confidence failed more often than it helped: it is not offered, and the next night closes it
 * (lesson_floor in sql/consolidation).
 */
export const MIN_CONFIDENCE = 0.5;
/** More than one lesson is read, because some were offered before. */
const SPARE_RESULTS = 10;

/**
 * Returns the known fix of an error: that of its project (or of all projects), active or proposed, else an active one of
 * another project that answers the same error.
 *
 * @param offered lessons that were already offered after a failure. A lesson that was offered before may be repeated,
 *   because now its error has happened.
 * @returns `known`: whether the project knows one, offered or not; `from`: the other project that the lesson comes from
 */
export async function recallForFailure(
  tx: Tx,
  projectId: string,
  signature: string,
  offered: string[],
): Promise<{ lesson: Recalled | null; known: boolean; from: string | null }> {
  const rows = await query<Recalled & { here: boolean; project: string }>(tx)`
    select ${recalledColumns}, ${holdsIn(projectId)} as here, p.name as project
    from learnings l join projects p on p.user_id = l.user_id and p.id = l.project_id
    where l.user_id = auth.uid() and l.valid_until is null and l.confidence >= ${MIN_CONFIDENCE}
      and (${holdsIn(projectId)} and l.lineage_id in (select lineage_id from ${answering(projectId, sql`array[${signature}]::text[]`)} a)
        or l.signature = ${signature} and l.status = 'active')
    order by here desc, l.status, l.confidence desc, l.last_confirmed_at desc
    limit ${1 + SPARE_RESULTS}`;
  const known = rows.some(({ here }) => here);
  const lesson = rows.find(({ id, here }) => here === known && !offered.includes(id)) ?? null;
  return { lesson, known, from: lesson === null || known ? null : lesson.project };
}

// A prompt is not a search query. It shares common words with many records ("build", "release", "test"), so words count half
// of what they do in a search. Calibrated on prompts, with and without a record for them (docs/offers.md).
const PROMPT_LEXICAL_SHARE = 0.2;
/** Results of each kind in a prompt's search, so that none takes the place of another. Skills need the most. */
const OF_EACH_KIND = 6;

/** A record that the search for a prompt found. `sure` says how near it is; each kind has a limit of its own. */
export type FoundForPrompt = Pick<SearchResult, 'id' | 'kind' | 'similarity'> & { sure: number };

function forPrompt({ id, kind, similarity, factors, relevance }: SearchResult): FoundForPrompt {
  const byWords = { high: 1, medium: 0.5, low: 0 }[relevance];
  const sure = similarity === null ? byWords : similarity + PROMPT_LEXICAL_SHARE * factors.lexical;
  return { id, kind, similarity, sure };
}

/**
 * Searches once for the records of all kinds that may answer a prompt. A short prompt (“run the tests”) shares its words
 * with anything, so findings are left out. Without a vector of the prompt, only its words are searched.
 *
 * @param offered records that the agent already has in its context
 */
export async function searchForPrompt(
  tx: Tx,
  projectId: string,
  { prompt, vector, kinds: wanted }: { prompt: string; vector: QueryVector; kinds: string[] },
  offered: string[],
): Promise<FoundForPrompt[]> {
  const short = prompt.trim().length < 25;
  const kinds = wanted.filter((kind) => !short || kind === 'skill');
  if (kinds.length === 0) return [];
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
