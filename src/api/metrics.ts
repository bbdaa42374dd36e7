import { createRoute, z } from '@hono/zod-openapi';
import { commandMetrics } from '../commands/checks.ts';
import { compactionMetrics } from '../compaction/compaction.ts';
import type { Database } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { freshnessMetrics } from '../freshness/citations.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { commonProblems, json } from '../http/schemas.ts';
import { observationMetrics } from '../observations/observations.ts';
import { indexHealth } from '../search/reindex.ts';
import { IndexCounts } from '../search/routes.ts';

const Metrics = z
  .object({
    commands: z.object({
      checks: z.number(),
      allowed: z.number(),
      denied: z.number(),
      unverified: z.number(),
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

/** The route that answers what the rooms count. */
export function metricsRoutes(services: { db: Database; embedder: Pick<Embedder, 'status'> }): Router {
  const app = router();
  app.openapi(route, async (c) => {
    const since = new Date(Date.now() - c.req.valid('query').days * 86_400_000);
    const { model } = services.embedder.status();
    return c.json(
      await asCaller(services, c, async (tx) => ({
        commands: await commandMetrics(tx, since),
        observations: await observationMetrics(tx, since),
        compaction: await compactionMetrics(tx, since),
        index: await indexHealth(tx, model),
        freshness: await freshnessMetrics(tx),
      })),
      200,
    );
  });
  return app;
}
