import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

export type Relevance = 'high' | 'medium' | 'low';

export type SearchResult = {
  id: string;
  kind: string;
  content: string;
  relevance: Relevance;
  /** fused rank × confidence × recency, 0–1 */
  score: number;
  /** cosine to the query; null when either has no vector */
  similarity: number | null;
  confidence: number;
  /** days since it was last confirmed */
  ageDays: number;
  validFrom: Date;
  validUntil: Date | null;
  metadata: {
    project: string | null;
    textCoverage: number;
    textRank: number | null;
    vectorRank: number | null;
  };
};

export type SearchRequest = {
  query: string;
  /** the query's vector and the model that made it; null searches by words alone */
  vector: { embedding: Float32Array; model: string } | null;
  projectId?: string | undefined;
  kinds?: string[] | undefined;
  limit: number;
  asOf?: Date | undefined;
  minConfidence?: number | undefined;
  maxAgeDays?: number | undefined;
  excludeAgent?: string | undefined;
  channel?: string | undefined;
};

// Related developer texts score low in absolute terms with all-MiniLM-L6-v2: unrelated pairs lie around 0.05,
// paraphrases of one matter between 0.35 and 0.8 (measured, docs/search.md).
const HIGH_SIMILARITY = 0.55;
const MEDIUM_SIMILARITY = 0.34;
/** Enough when the words agree as well. */
const WORDS_SIMILARITY = 0.25;
const HIGH_COVERAGE = 0.75;
const MEDIUM_COVERAGE = 0.5;

/**
 * The caller's documents that answer a query, best first. `degraded` says that no vector took part.
 */
export async function searchDocuments(
  tx: Tx,
  request: SearchRequest,
): Promise<{ results: SearchResult[]; degraded: boolean }> {
  type Row = {
    kind: string;
    source_id: string;
    content: string;
    score: number;
    similarity: number | null;
    text_coverage: number;
    confidence: number;
    age_days: number;
    valid_from: string;
    valid_until: string | null;
    project: string | null;
    text_rank: number | null;
    vector_rank: number | null;
  };
  const vector = request.vector ? `[${request.vector.embedding.join(',')}]` : null;
  const rows = await query<Row>(
    tx,
    sql`select s.kind, s.source_id, s.content, s.score, s.similarity, s.text_coverage, s.confidence, s.age_days,
          s.valid_from, s.valid_until, p.name as project, s.text_rank::int, s.vector_rank::int
        from search_hybrid(${request.query.slice(0, 20_000)}, ${vector}::vector, ${request.vector?.model ?? null},
          ${request.projectId ?? null}::uuid, ${request.kinds ? sql.param(request.kinds) : null}::text[],
          ${request.limit}::int, coalesce(${request.asOf?.toISOString() ?? null}::timestamptz, now()),
          ${request.minConfidence ?? 0}::real, ${request.maxAgeDays ?? null}::real,
          ${request.excludeAgent ?? null}, ${request.channel ?? null}) s
        left join projects p on p.id = s.project_id
        order by s.score desc`,
  );
  return {
    degraded: vector === null,
    results: rows.map((row) => ({
      id: row.source_id,
      kind: row.kind,
      content: row.content,
      relevance: relevanceOf(row.similarity, row.text_coverage),
      score: row.score,
      similarity: row.similarity,
      confidence: row.confidence,
      ageDays: row.age_days,
      validFrom: new Date(row.valid_from),
      validUntil: row.valid_until === null ? null : new Date(row.valid_until),
      metadata: {
        project: row.project,
        textCoverage: row.text_coverage,
        textRank: row.text_rank,
        vectorRank: row.vector_rank,
      },
    })),
  };
}

/** By meaning where there is a vector, else by the share of the query's words that the text has. */
function relevanceOf(similarity: number | null, coverage: number): Relevance {
  if (similarity === null) {
    return coverage >= HIGH_COVERAGE ? 'high' : coverage >= MEDIUM_COVERAGE ? 'medium' : 'low';
  }
  if (similarity >= HIGH_SIMILARITY) return 'high';
  return similarity >= MEDIUM_SIMILARITY || (coverage >= MEDIUM_COVERAGE && similarity >= WORDS_SIMILARITY)
    ? 'medium'
    : 'low';
}
