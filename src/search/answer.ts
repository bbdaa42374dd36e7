import { asUser, type Claims } from '../db/as-user.ts';
import { NO_PROJECT } from '../db/columns.ts';
import type { Database } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { findProject } from '../sessions/projects.ts';
import { estimateTokens } from '../tokens.ts';
import type { ApplicabilityJudge, JudgedResult } from './applicability.ts';
import { metadataOf, type Relevance, type SearchRequest, searchDocuments } from './search.ts';

export type SearchServices = {
  db: Database;
  embedQuery(claims: Claims, text: string): Promise<QueryVector>;
  /** asks the model which results apply to a query; without a model it returns the results as they are */
  judgeApplicability: ApplicabilityJudge;
};

/** A question of a person or an agent. `project` is a name. */
export type Question = Omit<SearchRequest, 'vector' | 'projectId'> & {
  project?: string | undefined;
  minRelevance?: Relevance | undefined;
  /** cuts the results where their contents together would have more tokens */
  tokenBudget?: number | undefined;
  /** whether the model judges which of the first results apply */
  judge?: boolean | undefined;
};

/** A result with what the record tells about itself. */
export type Answer = JudgedResult & { metadata: Record<string, unknown> };

const RANK: Record<Relevance, number> = { high: 2, medium: 1, low: 0 };

/**
 * Returns the caller's records that answer a question, best first. They are found by meaning and words, judged if asked
 * for, filtered by `minRelevance` and cut at the token budget. The model is asked outside any transaction.
 *
 * @returns `degraded` is true if only words were searched, because there was no vector of the question
 */
export async function answerQuestion(
  services: SearchServices,
  claims: Claims,
  question: Question,
): Promise<{ results: Answer[]; degraded: boolean }> {
  const { project, tokenBudget, minRelevance = 'low', judge, ...request } = question;
  const vector = await services.embedQuery(claims, request.query);
  const found = await asUser(
    services.db,
    claims,
    async (tx) => {
      const scope = project === undefined ? undefined : await findProject(tx, project);
      // in a project that nobody has named before, the user's own records are found all the same
      const projectId = project === undefined ? undefined : (scope?.id ?? NO_PROJECT);
      return searchDocuments(tx, { ...request, vector, projectId });
    },
    { readOnly: true },
  );
  const judged: JudgedResult[] = judge
    ? await services.judgeApplicability(claims, request.query, found.results)
    : found.results;
  let tokens = 0;
  const results = judged
    .filter((result) => RANK[result.relevance] >= RANK[minRelevance])
    .filter((result) => {
      tokens += estimateTokens(result.content);
      return tokenBudget === undefined || tokens <= tokenBudget;
    });
  const metadata = await asUser(services.db, claims, (tx) => metadataOf(tx, results), { readOnly: true });
  return {
    degraded: found.degraded,
    results: results.map((result) => ({ ...result, metadata: metadata.get(result.id) ?? {} })),
  };
}
