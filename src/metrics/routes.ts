import { z } from '@hono/zod-openapi';
import type { Config } from '../base/config.ts';
import { commandMetrics } from '../commands/stopped.ts';
import { asUser } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { served } from '../http/serve.ts';
import { freshnessMetrics } from '../kinds/citations.ts';
import { usageMetrics } from '../llm/budget.ts';
import type { Models } from '../llm/choose.ts';
import { ratingMetrics } from '../search/ratings.ts';
import { Metrics } from './answer.ts';
import { comparison, measures, metricsByDay, told } from './metrics.ts';

const days = z.coerce.number().int().min(1).max(365).default(7).openapi({ type: 'integer' });
type Needs = { db: Database; models: Pick<Models, 'status'>; config: Pick<Config, 'holdout'> };

/** The route that answers what the rooms count. Each count has a transaction of its own, so that hooks come between. */
export const metricsRoutes = served<Needs>((route, services) =>
  route(
    'GET /v1/metrics',
    "The caller's counts over the last days",
    { query: z.strictObject({ days }), answer: Metrics },
    async ({ caller, query: { days } }) => {
      const since = new Date(Date.now() - days * 86_400_000);
      const count = <T>(work: (tx: Tx) => Promise<T>) =>
        asUser(services.db, caller, work, { readOnly: true });
      const freshness = await count(freshnessMetrics);
      const ratings = await count((tx) => ratingMetrics(tx, since));
      const elsewhere = [
        { name: 'precision', part: ratings.useful, whole: ratings.rated },
        { name: 'breadcrumbsValid', part: freshness.links - freshness.dead, whole: freshness.links },
      ];
      const status = await services.models.status(caller);
      const { provider, model, state } = status;
      const usage = await count((tx) => usageMetrics(tx, since, status));
      const { holdout } = services.config;
      return {
        days,
        comparison: { holdout, ...(await count((tx) => comparison(tx, since))) },
        told: await count((tx) => told(tx, since)),
        measures: await count((tx) => measures(tx, since, elsewhere)),
        byDay: await count((tx) => metricsByDay(tx, since)),
        commands: await count((tx) => commandMetrics(tx, since)),
        freshness,
        llm: { configured: provider !== 'none', provider, model, state, ...usage },
      };
    },
  ),
);
