import { createRoute, z } from '@hono/zod-openapi';
import type { Config } from '../base/config.ts';
import { commandMetrics } from '../commands/metrics.ts';
import { asUser } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { type Router, router } from '../http/router.ts';
import { commonProblems, json } from '../http/schemas.ts';
import { freshnessMetrics } from '../kinds/citations.ts';
import { usageMetrics } from '../llm/budget.ts';
import type { Models } from '../llm/choose.ts';
import { ratingMetrics } from '../search/ratings.ts';
import { Metrics } from './answer.ts';
import { comparison, measures, metricsByDay, told } from './metrics.ts';

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
    const count = <T>(work: (tx: Tx) => Promise<T>) =>
      asUser(services.db, c.get('caller'), work, { readOnly: true });
    const commands = await count((tx) => commandMetrics(tx, since));
    const freshness = await count(freshnessMetrics);
    const ratings = await count((tx) => ratingMetrics(tx, since));
    const elsewhere = [
      { name: 'precision', part: ratings.useful, whole: ratings.rated },
      { name: 'breadcrumbsValid', part: freshness.links - freshness.dead, whole: freshness.links },
    ];
    const model = await services.models.status(c.get('caller'));
    const usage = await count((tx) => usageMetrics(tx, since, model));
    return c.json(
      {
        days,
        comparison: { holdout, ...(await count((tx) => comparison(tx, since))) },
        told: await count((tx) => told(tx, since)),
        measures: await count((tx) => measures(tx, since, elsewhere)),
        byDay: await count((tx) => metricsByDay(tx, since)),
        commands,
        freshness,
        llm: {
          configured: model.provider !== 'none',
          provider: model.provider,
          model: model.model,
          state: model.state,
          ...usage,
        },
      },
      200,
    );
  });
  return app;
}
