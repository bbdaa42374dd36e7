import { createRoute, z } from '@hono/zod-openapi';
import { commandMetrics } from '../commands/metrics.ts';
import { compactionMetrics } from '../compaction/compaction.ts';
import type { Config } from '../config.ts';
import { asUser } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { freshnessMetrics } from '../freshness/citations.ts';
import { type Router, router } from '../http/router.ts';
import { commonProblems, json } from '../http/schemas.ts';
import { usageMetrics } from '../llm/budget.ts';
import type { Models } from '../llm/choose.ts';
import { observationMetrics } from '../observations/observations.ts';
import { countedModel, type DatabaseEmbedder } from '../search/database-model.ts';
import { filterMetrics, ratingMetrics } from '../search/ratings.ts';
import { indexHealth, indexSize } from '../search/reindex.ts';
import { IndexCounts } from '../search/routes.ts';
import { metricsByDay } from './by-day.ts';
import { comparison } from './compare.ts';
import { EVALS } from './evals.ts';
import {
  captureMeasures,
  countedElsewhere,
  discardedMeasure,
  offerMeasures,
  taskTimeMeasure,
  toldCosts,
} from './measures.ts';

const Interval = z.object({ low: z.number(), high: z.number() });
const Side = Interval.partial().extend({ n: z.number(), value: z.number().nullable() });
const Compared = z.object({
  memory: Side,
  withheld: Side,
  change: Interval.extend({ value: z.number() }).nullable(),
  sentence: z.string(),
  /** the sessions without memory, one half against the other: what chance alone does */
  control: z.object({
    n: z.tuple([z.number(), z.number()]),
    change: Interval.extend({ value: z.number() }).nullable(),
    sentence: z.string(),
  }),
});

const Metrics = z
  .object({
    commands: z.object({
      checks: z.number(),
      allowed: z.number(),
      /** calls that a person's rule or a lesson stopped; neither allowed nor denied */
      held: z.number(),
      /** those of which a person said that stopping them was right, and wrong */
      heldRight: z.number(),
      heldWrong: z.number(),
      denied: z.number(),
      unverified: z.number(),
      /** allowed ÷ (allowed + denied), as everywhere */
      safetyRate: z.number().nullable(),
      overrides: z.number(),
      byRule: z.record(z.string(), z.number()),
      bySource: z.record(z.string(), z.number()),
      latencyMs: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
    }),
    observations: z.object({
      /** outputs kept, their characters, and the bytes that they take */
      kept: z.number(),
      characters: z.number(),
      bytes: z.number(),
      /** calls that produced them, and those of which the agent was shown an extract */
      cited: z.number(),
      masked: z.number(),
    }),
    compaction: z.object({
      compactions: z.number(),
      /** those whose tokens before and after are known, and the sums of these */
      measured: z.number(),
      tokensBefore: z.number(),
      tokensAfter: z.number(),
      /** the share of tokens that they took out of the context */
      saved: z.number().nullable(),
      itemsSaved: z.number(),
      itemsRestored: z.number(),
      /** the share of saved items that the agent was shown again */
      restored: z.number().nullable(),
      /** how often a context was nearly full */
      warnings: z.number(),
    }),
    /** the present state, not that of the period */
    index: IndexCounts,
    /** of the newest texts: their bytes, those that the index needs beside them, and index ÷ content */
    indexSize: z.object({
      texts: z.number(),
      contentBytes: z.number(),
      indexBytes: z.number(),
      ratio: z.number().nullable(),
    }),
    /** searches with filters, the texts in their scopes, those that filters left out, and their share */
    filters: z.object({
      searches: z.number(),
      inScope: z.number(),
      leftOut: z.number(),
      share: z.number().nullable(),
    }),
    /** what agents were told: sessions that were told anything, the tokens of all, and the median of a session */
    told: z.object({ sessions: z.number(), tokens: z.number(), median: z.number().nullable() }),
    /** what a command measured of this version, on texts that nobody's data is among */
    evals: z.array(
      z.object({
        name: z.string(),
        value: z.number(),
        n: z.number(),
        command: z.string(),
        measuredOn: z.string(),
      }),
    ),
    /**
     * what notes and lessons cite, as it was last looked at: how many links, and how many of these have changed or are
     * dead; validRate: the share that is not dead
     */
    freshness: z.object({
      links: z.number(),
      changed: z.number(),
      dead: z.number(),
      unknown: z.number(),
      validRate: z.number().nullable(),
    }),
    days: z.number(),
    /** what Lore is judged by, see docs/metrics.md */
    measures: z.array(
      z.object({
        name: z.string(),
        n: z.number(),
        value: z.number().nullable(),
        interval: Interval.nullable(),
        target: z.object({ min: z.number().nullable(), max: z.number().nullable() }).nullable(),
        met: z.boolean().nullable(),
        sentence: z.string(),
      }),
    ),
    /** days of UTC on which something was counted, the oldest first */
    byDay: z.array(
      z.object({
        day: z.string(),
        sessions: z.number(),
        /** sessions that met an error which their project had met before */
        repeating: z.number(),
        errors: z.number(),
        repeatedErrors: z.number(),
        checks: z.number(),
        /** how long commands waited for their verdict */
        checkMs: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
      }),
    ),
    /** sessions with memory and those from which it was withheld */
    comparison: z.object({
      holdout: z.number(),
      sessions: z.object({ memory: z.number(), withheld: z.number(), needed: z.number() }),
      enough: z.boolean(),
      sentence: z.string(),
      /** whether errors repeated less with memory */
      answer: z.enum(['yes', 'no', 'chance', 'few', 'none']),
      periods: z.object({ now: Side, before: Side, sentence: z.string() }),
      repeatedErrors: Compared,
      commandsToSuccess: Compared,
      duration: Compared,
      tokens: Compared,
    }),
    /** what the model cost, by day and purpose, and what is left of today's budget */
    llm: z.object({
      configured: z.boolean(),
      /** who is asked for the caller, and how that does; GET /v1/model says more */
      provider: z.string(),
      model: z.string().nullable(),
      state: z.string(),
      dailyTokens: z.number(),
      usedToday: z.number(),
      leftToday: z.number(),
      dailyCalls: z.number(),
      callsToday: z.number(),
      days: z.array(
        z.object({
          day: z.string(),
          purpose: z.string(),
          model: z.string(),
          requests: z.number(),
          failures: z.number(),
          inputTokens: z.number(),
          outputTokens: z.number(),
        }),
      ),
    }),
  })
  .openapi('Metrics');

const route = createRoute({
  method: 'get',
  path: '/v1/metrics',
  summary: "The caller's counts over the last days",
  request: {
    query: z.strictObject({
      days: z.coerce.number().int().min(1).max(365).default(7).openapi({ type: 'integer' }),
    }),
  },
  responses: { 200: json(Metrics, 'The counts'), ...commonProblems },
});

type Needs = {
  db: Database;
  embedder: Pick<DatabaseEmbedder, 'status' | 'models'>;
  models: Pick<Models, 'status'>;
  config: Pick<Config, 'holdout'>;
};

/** The route that answers what the rooms count. Each count has a transaction of its own, so that hooks come between. */
export function metricsRoutes(services: Needs): Router {
  const app = router();
  app.openapi(route, async (c) => {
    const { days } = c.req.valid('query');
    const since = new Date(Date.now() - days * 86_400_000);
    const { holdout } = services.config;
    const embeddingModel = countedModel(services.embedder);
    const count = <T>(work: (tx: Tx) => Promise<T>) =>
      asUser(services.db, c.get('caller'), work, { readOnly: true });
    const commands = await count((tx) => commandMetrics(tx, since));
    const compaction = await count((tx) => compactionMetrics(tx, since));
    const freshness = await count(freshnessMetrics);
    const size = await count(indexSize);
    const filters = await count((tx) => filterMetrics(tx, since));
    const ratings = await count((tx) => ratingMetrics(tx, since));
    const measures = [
      ...(await count((tx) => captureMeasures(tx, since))),
      ...(await count((tx) => offerMeasures(tx, since))),
      await count((tx) => taskTimeMeasure(tx, since)),
      ...countedElsewhere({ ratings, compaction, freshness, commands }),
      await count((tx) => discardedMeasure(tx, since)),
    ];
    const model = await services.models.status(c.get('caller'));
    const usage = await count((tx) => usageMetrics(tx, since, model));
    return c.json(
      {
        days,
        measures,
        byDay: await count((tx) => metricsByDay(tx, since)),
        comparison: { holdout, ...(await count((tx) => comparison(tx, since))) },
        llm: {
          configured: model.provider !== 'none',
          provider: model.provider,
          model: model.model,
          state: model.state,
          ...usage,
        },
        commands,
        observations: await count((tx) => observationMetrics(tx, since)),
        compaction,
        index: await count((tx) => indexHealth(tx, embeddingModel)),
        indexSize: { ...size, ratio: size.contentBytes === 0 ? null : size.indexBytes / size.contentBytes },
        filters: { ...filters, share: filters.inScope === 0 ? null : filters.leftOut / filters.inScope },
        told: await count((tx) => toldCosts(tx, since)),
        evals: EVALS,
        freshness,
      },
      200,
    );
  });
  return app;
}
