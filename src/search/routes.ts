import { createRoute, z } from '@hono/zod-openapi';
import { asCaller, body, commonProblems, instant, json, type Router, router, time, wire } from '../http.ts';
import type { Services } from '../services.ts';
import { findProject } from '../sessions/projects.ts';
import { estimateTokens } from '../tokens.ts';
import { indexHealth, reindex } from './embed-documents.ts';
import { type Relevance, searchDocuments } from './search.ts';

const relevance = z.enum(['high', 'medium', 'low']);

const Query = z
  .strictObject({
    query: z.string().trim().min(1).max(20_000),
    project: z.string().min(1).max(4096).optional(),
    kinds: z.array(z.string().min(1).max(50)).min(1).max(20).optional(),
    limit: z.number().int().min(1).max(100).default(10),
    asOf: instant().optional(),
    minConfidence: z.number().min(0).max(1).optional(),
    maxAgeDays: z.number().min(0).max(36_500).optional(),
    excludeAgent: z.string().min(1).max(200).optional(),
    channel: z.string().min(1).max(300).optional(),
    /** whole results only, until their contents would pass it */
    tokenBudget: z.number().int().min(1).max(100_000).optional(),
    minRelevance: relevance.optional(),
    explain: z.boolean().default(false),
  })
  .openapi('SearchQuery');

const Result = z
  .object({
    id: z.string(),
    kind: z.string(),
    content: z.string(),
    relevance,
    score: z.number(),
    similarity: z.number().nullable(),
    confidence: z.number(),
    ageDays: z.number(),
    validFrom: time,
    validUntil: time.nullable(),
    metadata: z.record(z.string(), z.unknown()),
  })
  .openapi('SearchResult');

const Health = z
  .object({
    learnings: z.number(),
    documents: z.number(),
    embedded: z.number(),
    pending: z.number(),
    failing: z.number(),
    model: z.string().nullable(),
  })
  .openapi('IndexHealth');

const routes = {
  search: createRoute({
    method: 'post',
    path: '/v1/search',
    summary: 'Search by meaning and words',
    request: body(Query),
    responses: {
      200: json(
        z.object({ results: z.array(Result), degraded: z.boolean() }),
        'Best first; degraded: by words alone',
      ),
      ...commonProblems,
    },
  }),
  health: createRoute({
    method: 'get',
    path: '/v1/index',
    summary: "How complete the caller's search index is",
    responses: { 200: json(Health, 'Counts'), ...commonProblems },
  }),
  reindex: createRoute({
    method: 'post',
    path: '/v1/index/rebuild',
    summary: "Rebuild the caller's search index; vectors follow in the background",
    responses: { 202: json(z.object({ documents: z.number() }), 'Rows queued'), ...commonProblems },
  }),
};

const RANK: Record<Relevance, number> = { high: 2, medium: 1, low: 0 };

export function searchRoutes(services: Services): Router {
  const app = router();
  app.openapi(routes.search, async (c) => {
    const { project, tokenBudget, minRelevance, explain, ...request } = c.req.valid('json');
    const vector = await services.embedQuery(request.query);
    const found = await asCaller(services, c, async (tx) => {
      const scope = project === undefined ? undefined : await findProject(tx, project);
      if (project !== undefined && !scope) return { results: [], degraded: vector === null };
      return searchDocuments(tx, { ...request, vector, projectId: scope?.id });
    });
    let tokens = 0;
    const results = found.results
      .filter((result) => RANK[result.relevance] >= RANK[minRelevance ?? 'low'])
      .filter((result) => {
        tokens += estimateTokens(result.content);
        return tokenBudget === undefined || tokens <= tokenBudget;
      })
      .map((result) => ({
        ...result,
        metadata: explain ? result.metadata : { project: result.metadata.project },
      }));
    return c.json({ results: wire(results), degraded: found.degraded }, 200);
  });
  app.openapi(routes.health, async (c) => {
    const { model } = services.embedder.status();
    return c.json({ ...(await asCaller(services, c, (tx) => indexHealth(tx, model))), model }, 200);
  });
  app.openapi(routes.reindex, async (c) => {
    const documents = await asCaller(services, c, reindex);
    services.wakeEmbedding();
    return c.json({ documents }, 202);
  });
  return app;
}
