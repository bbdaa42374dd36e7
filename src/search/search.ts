import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { clip } from '../base/text/clip.ts';
import { withoutMark } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { instant } from '../http/schemas.ts';
import { messageTypes } from '../kinds/notes.ts';
import { sessionsNamed } from '../sessions/sessions.ts';

// Search. SQL finds and scores (sql/search) and keeps the index that is searched (sql/index).

export type Relevance = 'high' | 'medium' | 'low';

/** The factors of a result's score, as sql/search/search_hybrid.sql and docs/search.md explain them. */
type Factors = Record<
  'relevance' | 'lexical' | 'confidence' | 'recency' | 'telling' | 'links' | 'variety',
  number
> & {
  amended: number | null;
  inScope: number;
  exact: boolean;
};

export type SearchResult = {
  id: string;
  kind: string;
  content: string;
  relevance: Relevance;
  /** relevance × confidence × recency × telling × links × variety, or the score of the text that it amends */
  score: number;
  /** cosine to the query; null if the query or the text has no vector */
  similarity: number | null;
  confidence: number;
  /** days since the record was last confirmed */
  ageDays: number;
  validFrom: Date;
  validUntil: Date | null;
  project: string | null;
  factors: Factors;
};

/** What records a search may be narrowed to. */
export const filters = {
  kinds: z.array(z.string().min(1).max(50)).min(1).max(20).optional(),
  asOf: instant().optional(),
  minConfidence: z.number().min(0).max(1).optional(),
  maxAgeDays: z.number().min(0).max(36_500).optional(),
  excludeAgent: z.string().min(1).max(200).optional(),
  onlyAgent: z.string().min(1).max(200).optional(),
  channels: z.array(z.string().min(1).max(300)).min(1).max(100).optional(),
  /** types of notes. With this filter, and with each of the following ones, only notes are found */
  messageTypes: z.array(z.enum(messageTypes)).min(1).max(20).optional(),
  /** notes that mention one of these, in upper or lower case */
  mentions: z.array(z.string().min(1).max(200)).min(1).max(100).optional(),
  hasBreadcrumbs: z.boolean().optional(),
  minWords: z.number().int().min(0).max(1_000_000).optional(),
  /** whether to include records that something newer has replaced */
  superseded: z.boolean().default(false),
};

export type SearchRequest = {
  query: string;
  /** the query's vector and the model that made it; null searches by words only */
  vector: { embedding: Float32Array; model: string } | null;
  projectId?: string | undefined;
  limit: number;
  /** most results of each of the kinds that are asked for; without it, only `limit` counts */
  perKind?: number | undefined;
} & Partial<z.output<z.ZodObject<typeof filters>>>;

// Calibrated by `npm run eval:search -- --relevance` on questions with and without an answer (see docs/search.md).
// `sure` of search_hybrid: words count less in it than in the score, because common words say little about whether a
// text is an answer.
const HIGH = 0.65;
const MEDIUM = 0.465;
/** The limits for results without a vector, which have only words. */
const HIGH_LEXICAL = 0.75;
const MEDIUM_LEXICAL = 0.5;

/**
 * Returns the caller's documents that answer a query, best first.
 *
 * @returns `degraded` is true if only words were searched, because the request has no vector
 */
export async function searchDocuments(
  tx: Tx,
  request: SearchRequest,
): Promise<{ results: SearchResult[]; degraded: boolean }> {
  type Row = Omit<SearchResult, 'relevance' | 'validFrom' | 'validUntil'> & Valid & { sure: number };
  const vector = request.vector ? `[${request.vector.embedding.join(',')}]` : null;
  const list = (values: string[] | undefined) => sql`${values ? sql.param(values) : null}::text[]`;
  const rows = await query<Row>(tx)`
    select s.source_id as id, s.kind, s.content, s.score, s.similarity, s.confidence, s.age_days as "ageDays",
      s.valid_from as "from", s.valid_until as until, s.sure, p.name as project,
      json_build_object('relevance', s.relevance, 'lexical', s.lexical, 'confidence', s.confidence_factor,
        'recency', s.recency_factor, 'telling', s.telling_factor, 'links', s.link_factor,
        'variety', s.variety_factor, 'amended', s.amended, 'inScope', s.in_scope, 'exact', s.exact) as factors
    from search_hybrid(${clip(request.query, 20_000)}, ${vector}::vector, ${request.vector?.model ?? null},
      ${request.projectId ?? null}::uuid, ${list(request.kinds)}, ${request.limit}::int,
      coalesce(${request.asOf?.toISOString() ?? null}::timestamptz, now()), ${request.minConfidence ?? 0}::real,
      ${request.maxAgeDays ?? null}::real, ${request.excludeAgent ?? null}::text, ${list(request.channels)},
      ${request.superseded ?? false}::boolean, ${request.onlyAgent ?? null}::text, ${list(request.messageTypes)},
      ${list(request.mentions?.map((name) => name.toLowerCase()))}, ${request.hasBreadcrumbs ?? null}::boolean,
      ${request.minWords ?? null}::int, ${request.perKind ?? null}::int) with ordinality s
    left join projects p on p.id = s.project_id
    order by s.ordinality`;
  const results = rows.map(({ sure, from, until, ...row }) => ({
    ...row,
    relevance: relevanceOf(row.similarity, sure),
    ...validity({ from, until }),
  }));
  return { degraded: vector === null, results };
}

/** The least similarity of a result that has no word of the query (measured, see docs/search.md). */
const FLOOR = 0.27;

/** Returns whether a result has anything to do with its query: a word of it, enough of its meaning, or it amends one that has. */
export const hasToDoWithQuery = ({ similarity, factors: { lexical, amended } }: SearchResult): boolean =>
  lexical > 0 || amended !== null || (similarity ?? 0) >= FLOOR;

type Valid = { from: string; until: string | null };
const validity = ({ from, until }: Valid) => ({
  validFrom: new Date(from),
  validUntil: until === null ? null : new Date(until),
});

/** The first 8 digits of an id or more, as lists show them. */
const ID = /^[0-9a-f]{8}(?:-?[0-9a-f]{0,4}){0,3}(?:-?[0-9a-f]{0,12})$/i;
/** How many digits an id has. */
const DIGITS = 32;

/**
 * Returns the caller's records whose id a query gives, or its first 8 digits or more; none if the query is no id. They
 * are found whatever their age and state.
 */
export async function recordsNamed(
  tx: Tx,
  text: string,
  projectId: string | undefined,
): Promise<SearchResult[]> {
  const given = withoutMark(text.trim());
  const digits = given.replaceAll('-', '');
  if (!ID.test(given) || digits.length > DIGITS) return [];
  type Row = Pick<SearchResult, 'kind' | 'id' | 'content' | 'confidence' | 'ageDays' | 'project'> & Valid;
  const rows = await query<Row>(tx)`
    select d.kind, d.source_id as id, d.content, d.confidence, d.valid_from as "from", d.valid_until as until,
      extract(epoch from now() - d.confirmed_at)::float8 / 86400 as "ageDays", p.name as project
    from search_documents d left join projects p on p.id = d.project_id
    where d.part = 0 and d.kind in (select searchable_kinds())
      and d.source_id between ${digits.padEnd(DIGITS, '0')}::uuid and ${digits.padEnd(DIGITS, 'f')}::uuid
      and (${projectId ?? null}::uuid is null or d.project_id is null or d.project_id = ${projectId ?? null}::uuid)
    order by d.source_id, d.kind limit 10`;
  return rows.map(({ from, until, ...row }) => ({ ...row, ...BY_NAME, ...validity({ from, until }) }));
}

/** Returns the sessions that a query names by the beginning of their id, at least 8 characters. They are not in the index. */
export async function workNamed(
  tx: Tx,
  text: string,
  projectId: string | undefined,
): Promise<SearchResult[]> {
  const found = await sessionsNamed(tx, text, projectId);
  return found.map(({ from, content, ...row }) => ({
    ...row,
    kind: 'session',
    content: content ?? '(no prompt)',
    confidence: 1,
    ...BY_NAME,
    ...validity({ from, until: null }),
  }));
}

const ONES = { relevance: 1, lexical: 1, confidence: 1, recency: 1, telling: 1, links: 1, variety: 1 };
/** What a result has that was named by its id. */
const BY_NAME = {
  relevance: 'high' as const,
  score: 1,
  similarity: null,
  factors: { ...ONES, amended: null, inScope: 1, exact: true },
};

/** Returns what the caller's records tell about themselves, by their ids: each kind its own fields, and none empty. */
export async function metadataOf(
  tx: Tx,
  records: { kind: string; id: string }[],
): Promise<Map<string, Record<string, unknown>>> {
  const rows = await query<{ id: string; metadata: Record<string, unknown> | null }>(tx)`
    select r.id, (
      select s.metadata from searchable s
      where s.user_id = auth.uid() and s.kind = r.kind and s.source_id = r.id) as metadata
    from jsonb_to_recordset(${JSON.stringify(records.map(({ kind, id }) => ({ kind, id })))}::jsonb) r
      (kind text, id uuid)`;
  return new Map(rows.map(({ id, metadata }) => [id, metadata ?? {}]));
}

function relevanceOf(similarity: number | null, sure: number): Relevance {
  const [high, medium] = similarity === null ? [HIGH_LEXICAL, MEDIUM_LEXICAL] : [HIGH, MEDIUM];
  return sure >= high ? 'high' : sure >= medium ? 'medium' : 'low';
}

/** Returns SQL for the first 300 characters of the caller's record of a kind, as the index has it; null if it has none. */
export const shownText = (kind: SQL, id: SQL): SQL<string | null> =>
  sql`(select left(d.content, 300) from search_documents d
       where d.user_id = auth.uid() and d.kind = ${kind} and d.source_id = ${id} and d.part = 0)`;
