import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { accountRoutes } from '../accounts/routes.ts';
import { commandRoutes } from '../commands/routes.ts';
import { ping } from '../db/open.ts';
import { hookRoutes } from '../hooks/routes.ts';
import type { Env } from '../http/env.ts';
import { notFound, onError } from '../http/errors.ts';
import { requestIds, sizeLimit, strictJson } from '../http/middleware.ts';
import { json } from '../http/schemas.ts';
import { incidentRoutes } from '../incidents/routes.ts';
import { learningRoutes } from '../learnings/routes.ts';
import { noteRoutes } from '../notes/routes.ts';
import { packageRoot, version } from '../package-root.ts';
import { countToEmbed } from '../search/embed-documents.ts';
import { searchRoutes } from '../search/routes.ts';
import { sessionRoutes } from '../sessions/routes.ts';
import { transferRoutes } from '../transfer/routes.ts';
import { authenticated } from './authenticated.ts';
import { consoleRoutes } from './console.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { metricsRoutes } from './metrics.ts';

/** Tool outputs of several megabytes are common (a large file read); more is a mistake. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The embedded database may be busy with somebody's statement. Then /health says what it found out last. */
const MAX_HEALTH_WAIT_MS = 150;

const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    database: z.object({ engine: z.enum(['pglite', 'postgres']), ok: z.boolean() }),
    embedding: z.object({
      model: z.string().nullable(),
      state: z.enum(['loading', 'ready', 'unavailable']),
      pending: z.number(),
      reason: z.string().optional(),
    }),
  })
  .openapi('Health');

const healthRoute = createRoute({
  method: 'get',
  path: '/health',
  summary: 'Whether the server, its database and its embedding model work',
  security: [],
  responses: {
    200: json(Health, 'Works, perhaps degraded'),
    503: json(Health, 'The database does not answer'),
  },
});

const ROUTES = [
  hookRoutes,
  searchRoutes,
  learningRoutes,
  incidentRoutes,
  noteRoutes,
  transferRoutes,
  sessionRoutes,
  commandRoutes,
  metricsRoutes,
  accountRoutes,
  consoleRoutes,
  deadLetterRoutes,
];

/** All that the routes ask for, each its own part, in one object. */
type Services = Parameters<typeof hookRoutes>[0] &
  Parameters<typeof searchRoutes>[0] &
  Parameters<typeof learningRoutes>[0] &
  Parameters<typeof incidentRoutes>[0] &
  Parameters<typeof noteRoutes>[0] &
  Parameters<typeof transferRoutes>[0] &
  Parameters<typeof sessionRoutes>[0] &
  Parameters<typeof commandRoutes>[0] &
  Parameters<typeof metricsRoutes>[0] &
  Parameters<typeof accountRoutes>[0] &
  Parameters<typeof consoleRoutes>[0] &
  Parameters<typeof deadLetterRoutes>[0];

/** The whole HTTP API over the given services. */
export function createApp(services: Services): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>();
  app.onError(onError(services.log));
  app.notFound(notFound);
  app.use(requestIds(services.log));
  let known: number | null = 0;
  let asking: Promise<number | null> | undefined;
  /** The number of documents to embed; null when the database does not answer. Asked once at a time. */
  async function askDatabase(model: string | null): Promise<number | null> {
    asking ??= ping(services.db)
      .then(() => countToEmbed(services.db, model))
      .catch(() => null)
      .then((counted) => {
        known = counted;
        asking = undefined;
        return counted;
      });
    const late = sleep(MAX_HEALTH_WAIT_MS, undefined, { ref: false });
    return (await Promise.race([asking, late])) ?? known;
  }
  app.openapi(healthRoute, async (c) => {
    const { model, state, reason } = services.embedder.status();
    const counted = await askDatabase(model);
    const health = {
      status: counted !== null && state !== 'unavailable' ? ('ok' as const) : ('degraded' as const),
      version,
      database: { engine: services.db.engine, ok: counted !== null },
      embedding: { model, state, pending: counted ?? 0, ...(reason !== undefined && { reason }) },
    };
    return c.json(health, counted === null ? 503 : 200);
  });
  app.use('/v1/*', authenticated(services));
  app.use('/v1/*', sizeLimit(MAX_BYTES));
  app.use('/v1/*', strictJson);
  // whoever asks sees what was acknowledged before
  app.use('/v1/*', async (c, next) => {
    if (c.req.path !== '/v1/hooks') await services.journal?.drained();
    await next();
  });
  for (const routes of ROUTES) app.route('/', routes(services));
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' });
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Lore', version, description: description() },
    security: [{ key: [] }],
  });
  return app;
}

const description = (): string =>
  JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')).description;
