import { createRoute, z } from '@hono/zod-openapi';
import { type Database, ping } from '../db/open.ts';
import { countToEmbed } from '../db/system.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { type Router, router } from '../http/router.ts';
import { json } from '../http/schemas.ts';
import { version } from '../package-root.ts';

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

const route = createRoute({
  method: 'get',
  path: '/health',
  summary: 'Whether the server, its database and its embedding model work',
  security: [],
  responses: {
    200: json(Health, 'Works, perhaps degraded'),
    503: json(Health, 'The database does not answer'),
  },
});

export function healthRoutes(services: { db: Database; embedder: Pick<Embedder, 'status'> }): Router {
  const app = router();
  app.openapi(route, async (c) => {
    const { model, state, reason } = services.embedder.status();
    const counted = await ping(services.db)
      .then(() => countToEmbed(services.db, model))
      .catch(() => null);
    const health = {
      status: counted !== null && state !== 'unavailable' ? ('ok' as const) : ('degraded' as const),
      version,
      database: { engine: services.db.engine, ok: counted !== null },
      embedding: { model, state, pending: counted ?? 0, ...(reason !== undefined && { reason }) },
    };
    return c.json(health, counted === null ? 503 : 200);
  });
  return app;
}
