import { randomUUID } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { eq, sql } from 'drizzle-orm';
import { badRequest, Problem } from '../base/errors/problem.ts';
import { theOne } from '../base/text/short-id.ts';
import { asUser } from '../db/as-user.ts';
import { query, type Tx } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import { type Caller, ownerOnly } from '../http/env.ts';
import { time } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { ChannelType } from '../kinds/channels.ts';
import { messageTypes } from '../kinds/notes.ts';
import { findProject } from '../sessions/projects.ts';
import { answerQuestion, type SearchServices } from './answer.ts';
import { countedModel, type DatabaseEmbedder } from './database-model.ts';
import { IndexHealth, indexHealth, reindex } from './reindex.ts';
import { searches } from './schema.ts';
import { filters } from './search.ts';

const relevance = z.enum(['high', 'medium', 'low']);

const Query = z.strictObject({
  query: z.string().trim().min(1).max(20_000),
  project: z.string().min(1).max(4096).optional(),
  limit: z.number().int().min(1).max(100).default(10),
  ...filters,
  /** this and the next ones of one value are added to those of several */
  channel: z.string().min(1).max(300).optional(),
  /** notes in channels of this type, and in those of this agent; the rest as in lists of notes too */
  channelType: ChannelType.optional(),
  owner: z.string().min(1).max(200).optional(),
  agent: z.string().min(1).max(200).optional(),
  messageType: z.enum(messageTypes).optional(),
  mention: z.string().min(1).max(200).optional(),
  /** cuts the results where their contents together would have more tokens; each result is whole */
  tokenBudget: z.number().int().min(1).max(100_000).optional(),
  minRelevance: relevance.optional(),
  /** whether the model says which of the first results apply; without a model the order stays */
  judge: z.boolean().default(false),
  explain: z.boolean().default(false),
});

const Result = z
  .object({
    id: z.string(),
    kind: z.string(),
    /** its name, as everywhere; null: the record belongs to no project */
    project: z.string().nullable(),
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
  });

const Health = IndexHealth.extend({ rebuilding: z.boolean(), model: z.string().nullable() }).openapi(
  'IndexHealth',
);

const Found = z.object({
  /** to rate the results by, see /v1/search/{id}/feedback */
  id: z.string(),
  results: z.array(Result),
  /** found by words alone */
  degraded: z.boolean(),
  /** no result is likely to be about the query: those that are given are the least far from it */
  nothingClose: z.boolean(),
  /** with `explain`: how many texts are in scope, and how many of them the filters left out */
  filtered: z.object({ inScope: z.number(), leftOut: z.number(), share: z.number() }).optional(),
});

type Needs = SearchServices & { embedder: DatabaseEmbedder; wake(worker: 'embed'): void };

export const searchRoutes = served((route, services: Needs) => {
  const { db, embedder } = services;
  /** searches that are being stored, and users whose index is being rebuilt, by their ids */
  const storing = new Map<string, Promise<void>>();
  const rebuilding = new Set<string>();

  route(
    'POST /v1/search',
    'Search by meaning and words; the best result first',
    { body: Query, answer: Found },
    async ({ body: { channel, channels, agent, messageType, mention, ...question }, caller }) => {
      const joined = <T>(list: T[] | undefined, one: T | undefined) =>
        one === undefined ? list : [...(list ?? []), one];
      const found = await answerQuestion(services, caller, {
        ...question,
        channels: joined(channels, channel),
        onlyAgent: question.onlyAgent ?? agent,
        messageTypes: joined(question.messageTypes, messageType),
        mentions: joined(question.mentions, mention),
      });
      const id = randomUUID();
      const results = found.results.map((result) => result.id);
      // behind the answer, so that it can be rated
      services.inBackground('search', () => {
        const stored = asUser(db, caller, async (tx) => {
          const scope = question.project === undefined ? undefined : await findProject(tx, question.project);
          await tx.insert(searches).values({ id, projectId: scope?.id ?? null, results });
        }).finally(() => storing.delete(id));
        storing.set(id, stored);
        return stored;
      });
      return { ...found, id };
    },
  );

  route(
    'POST /v1/search/{id}/feedback',
    'Say which results of a search were useful; the last rating of a result counts. Answers all that is rated',
    {
      params: z.object({ id: z.guid() }),
      body: Feedback,
      answer: z.object({ useful: z.array(z.string()), notUseful: z.array(z.string()) }),
      problems: { 404: 'No such search' },
    },
    async ({ as, params: { id }, body: given }) => {
      // one that could not be stored is not found
      await storing.get(id)?.catch(() => {});
      return as(async (tx) => {
        const rows = await tx.select().from(searches).where(eq(searches.id, id)).for('update');
        const search = theOne(rows, 'search', id);
        const meant = (field: keyof typeof given) =>
          given[field].map((one) => {
            const [found, other] = search.results.filter((result) => result.startsWith(one.toLowerCase()));
            if (found === undefined) throw badRequest(field, `${one} was no result of this search`);
            if (other !== undefined) throw badRequest(field, `several results begin with ${one}`);
            return found;
          });
        const [useful, notUseful] = [new Set(meant('useful')), new Set(meant('notUseful'))];
        const both = [...useful].find((one) => notUseful.has(one));
        if (both !== undefined) throw badRequest('notUseful', `${both} is among the useful ones too`);
        // what was rated before, unless it is rated anew
        for (const one of search.useful) if (!notUseful.has(one)) useful.add(one);
        for (const one of search.notUseful) if (!useful.has(one)) notUseful.add(one);
        const ratings = { useful: [...useful], notUseful: [...notUseful] };
        await query(tx)`
          update searches set useful = ${sql.param(ratings.useful)}::uuid[],
            not_useful = ${sql.param(ratings.notUseful)}::uuid[], rated_at = now() where id = ${id}::uuid`;
        return ratings;
      });
    },
  );

  const health = async (caller: Caller, tx: Tx) => ({
    ...(await indexHealth(tx, countedModel(embedder))),
    rebuilding: rebuilding.has(caller.userId),
    model: embedder.status().model,
  });
  route('GET /v1/index', "How complete the caller's search index is", { answer: Health }, ({ as, caller }) =>
    as((tx) => health(caller, tx)),
  );
  route(
    'POST /v1/index/rebuild',
    "Rebuild the caller's search index in the background; GET /v1/index tells how far it is",
    {
      // the owner only: before that, the database's embedding model becomes this server's
      query: z.object({ changeModel: z.literal('true').optional() }),
      answer: Health,
      problems: { 403: 'Owner only', 409: 'The server has no model' },
    },
    async ({ as, caller, query }) => {
      if (query.changeModel) {
        ownerOnly(caller, 'changes the model of all vectors');
        const { state, model, reason } = embedder.own.status();
        if (model === null)
          throw new Problem({
            status: 409,
            title: 'No embedding model',
            detail: `This server has no embedding model that the database could be changed to (${reason ?? state}). lore doctor says when it has one.`,
          });
        // texts that lack a vector of it are found by their words until the embedding worker has made it
        await askSystem(db)`select lore.change_model(${model})`;
        embedder.note(model);
      }
      if (!rebuilding.has(caller.userId)) {
        rebuilding.add(caller.userId);
        services.inBackground('rebuild index', () =>
          reindex(db, caller)
            .finally(() => rebuilding.delete(caller.userId))
            .then(() => services.wake('embed')),
        );
      }
      return as((tx) => health(caller, tx));
    },
  );
});
