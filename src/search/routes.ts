import { randomUUID } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Env } from '../http/env.ts';
import { ownerOnly } from '../http/owner-only.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, instant, json, problem, time, wire } from '../http/schemas.ts';
import { messageTypes } from '../notes/record.ts';
import { answerQuestion, type SearchServices } from './answer.ts';
import { beginModelChange, modelChange } from './change-model.ts';
import { countedModel, type DatabaseEmbedder } from './database-model.ts';
import { rateSearch, storeSearch } from './ratings.ts';
import { indexHealth, reindex } from './reindex.ts';
import { titleOf } from './title.ts';

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
    onlyAgent: z.string().min(1).max(200).optional(),
    channel: z.string().min(1).max(300).optional(),
    /** notes of one of these channels; `channel` is added to them */
    channels: z.array(z.string().min(1).max(300)).min(1).max(100).optional(),
    messageTypes: z.array(z.enum(messageTypes)).min(1).max(20).optional(),
    /** notes that mention one of these, in upper or lower case */
    mentions: z.array(z.string().min(1).max(200)).min(1).max(100).optional(),
    hasBreadcrumbs: z.boolean().optional(),
    minWords: z.number().int().min(0).max(1_000_000).optional(),
    /** cuts the results where their contents together would have more tokens; each result is whole */
    tokenBudget: z.number().int().min(1).max(100_000).optional(),
    minRelevance: relevance.optional(),
    /** whether to include records that something newer has replaced */
    superseded: z.boolean().default(false),
    /** whether the model judges which of the first results apply; without a model the order stays */
    judge: z.boolean().default(false),
    explain: z.boolean().default(false),
  })
  .openapi('SearchQuery');

const Result = z
  .object({
    id: z.string(),
    kind: z.string(),
    /** the line of the content that stands for it in a list */
    title: z.string(),
    content: z.string(),
    relevance,
    score: z.number(),
    similarity: z.number().nullable(),
    confidence: z.number(),
    ageDays: z.number(),
    validFrom: time,
    validUntil: time.nullable(),
    /** the record's own fields, and what the writer of a note put into its metadata */
    metadata: z.record(z.string(), z.unknown()),
  })
  .openapi('SearchResult');

/** Ids of results, or their first 8 characters or more. */
const resultIds = z
  .array(
    z.string().regex(/^[0-9a-f][0-9a-f-]{7,35}$/i, 'must be the id of a result, or its first 8 characters'),
  )
  .max(100)
  .default([]);
const Feedback = z
  .strictObject({ useful: resultIds, notUseful: resultIds })
  .refine(({ useful, notUseful }) => useful.length + notUseful.length > 0, {
    message: 'name at least one result in useful or notUseful',
    path: ['useful'],
  })
  .openapi('SearchFeedback');

/** The caller's counts, as in `IndexHealth`. */
const IndexCounts = z.object({
  sources: z.number(),
  documents: z.number(),
  embedded: z.number(),
  pending: z.number(),
  failing: z.number(),
  missing: z.number(),
  orphaned: z.number(),
});

const Health = IndexCounts.extend({ rebuilding: z.boolean(), model: z.string().nullable() }).openapi(
  'IndexHealth',
);

/** The fields of `ModelChange`. */
const EmbeddingModel = z
  .object({
    own: z.string().nullable(),
    inUse: z.string().nullable(),
    next: z.string().nullable(),
    documents: z.number(),
    embedded: z.number(),
    prepared: z.number(),
  })
  .openapi('EmbeddingModel');

const routes = {
  search: createRoute({
    method: 'post',
    path: '/v1/search',
    summary: 'Search by meaning and words',
    request: body(Query),
    responses: {
      200: json(
        z.object({
          /** to rate the results by, see /v1/search/{id}/feedback */
          id: z.string(),
          results: z.array(Result),
          degraded: z.boolean(),
          /** no result is likely to be about the query: those that are given are the least far from it */
          nothingClose: z.boolean(),
          /** with `explain`: the texts in scope, and how many of them (and what share) the filters left out */
          filtered: z.object({ inScope: z.number(), leftOut: z.number(), share: z.number() }).optional(),
        }),
        'Best first; degraded: by words alone',
      ),
      ...commonProblems,
    },
  }),
  feedback: createRoute({
    method: 'post',
    path: '/v1/search/{id}/feedback',
    summary: 'Say which results of a search were useful; the last rating of a result counts',
    request: { params: z.object({ id: z.guid() }), ...body(Feedback) },
    responses: {
      200: json(
        z.object({ useful: z.array(z.string()), notUseful: z.array(z.string()) }),
        'All that is rated',
      ),
      404: problem('No such search'),
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
    summary: "Rebuild the caller's search index in the background; GET /v1/index tells how far it is",
    responses: { 202: json(Health, 'Begun, or already under way'), ...commonProblems },
  }),
  model: createRoute({
    method: 'get',
    path: '/v1/index/model',
    summary: 'The embedding model of the database, and how far a change of it is (owner only)',
    responses: {
      200: json(EmbeddingModel, 'Models, and texts of all users'),
      403: problem('Owner only'),
      ...commonProblems,
    },
  }),
  changeModel: createRoute({
    method: 'post',
    path: '/v1/index/model',
    summary: "Change the embedding model of the database to this server's, in the background (owner only)",
    responses: {
      202: json(EmbeddingModel, 'Begun, or already under way'),
      403: problem('Owner only'),
      409: problem('The server has no model'),
      ...commonProblems,
    },
  }),
};

type Needs = SearchServices & {
  embedder: DatabaseEmbedder;
  wake(worker: 'embed' | 'change model'): void;
};

export function searchRoutes(services: Needs): Router {
  const app = router();
  /** ids of the users whose index is being rebuilt */
  const rebuilding = new Set<string>();
  app.openapi(routes.search, async (c) => {
    const { channel, channels, ...question } = c.req.valid('json');
    const askedChannels = channel === undefined ? channels : [...(channels ?? []), channel];
    const found = await answerQuestion(services, c.get('caller'), { ...question, channels: askedChannels });
    const results = found.results.map(
      ({ project, factors, applicability, amendments, metadata, ...result }) => ({
        ...result,
        title: titleOf(result.kind, result.content),
        metadata: {
          ...metadata,
          project,
          ...(applicability && { applicability }),
          ...(amendments && { factors, amendments }),
        },
      }),
    );
    const { degraded, nothingClose, filtered } = found;
    const [id, caller] = [randomUUID(), c.get('caller')];
    services.inBackground('search', () =>
      storeSearch(services.db, caller, {
        id,
        project: question.project,
        results: found.results.map(({ id }) => id),
        asked: { ...question, channels: askedChannels },
      }),
    );
    return c.json({ id, results: wire(results), degraded, nothingClose, ...(filtered && { filtered }) }, 200);
  });
  app.openapi(routes.feedback, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await rateSearch(services.db, c.get('caller'), id, c.req.valid('json')), 200);
  });
  const health = async (c: Context<Env>) => {
    const { model } = services.embedder.status();
    const counts = await asCaller(services, c, (tx) => indexHealth(tx, countedModel(services.embedder)));
    return { ...counts, rebuilding: rebuilding.has(c.get('caller').userId), model };
  };
  app.openapi(routes.health, async (c) => c.json(await health(c), 200));
  app.openapi(routes.reindex, async (c) => {
    const caller = c.get('caller');
    if (!rebuilding.has(caller.userId)) {
      rebuilding.add(caller.userId);
      services.inBackground('rebuild index', () =>
        reindex(services.db, caller)
          .finally(() => rebuilding.delete(caller.userId))
          .then(() => services.wake('embed')),
      );
    }
    return c.json(await health(c), 202);
  });
  app.openapi(routes.model, async (c) => {
    ownerOnly(c.get('caller'), 'sees the model of all vectors');
    return c.json(await modelChange(services.db, services.embedder), 200);
  });
  app.openapi(routes.changeModel, async (c) => {
    ownerOnly(c.get('caller'), 'changes the model of all vectors');
    await beginModelChange(services.db, services.embedder);
    services.wake('change model');
    return c.json(await modelChange(services.db, services.embedder), 202);
  });
  return app;
}
