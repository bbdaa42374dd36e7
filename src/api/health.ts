import { createRoute, z } from '@hono/zod-openapi';
import { type Database, ping } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { type Router, router } from '../http/router.ts';
import { json } from '../http/schemas.ts';
import { version } from '../package-root.ts';
import { lackVectors } from '../search/embed-documents.ts';
import { within } from '../within.ts';

const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    database: z.object({ engine: z.enum(['pglite', 'postgres']), ok: z.boolean() }),
    embedding: z.object({
      model: z.string().nullable(),
      state: z.enum(['loading', 'ready', 'unavailable']),
      /** whether any text waits for its vector; GET /v1/index counts the caller's */
      pending: z.boolean(),
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

/** The embedded database may be busy with another statement. After this time the last known result is answered. */
const MAX_WAIT_MS = 20;

/** The route that says whether server, database and model work. It waits for the database for 20 ms at most. */
export function healthRoutes(services: { db: Database; embedder: Pick<Embedder, 'status'> }): Router {
  const app = router();
  /** whether texts waited for a vector when the database last answered; null when it did not answer */
  let known: boolean | null = false;
  let asking: Promise<void> | undefined;

  /** Asks the database one question at a time, however many requests come. */
  async function askDatabase(model: string | null): Promise<boolean | null> {
    asking ??= ping(services.db)
      .then(() => lackVectors(services.db, model))
      .catch(() => null)
      .then((waiting) => {
        known = waiting;
        asking = undefined;
      });
    await within(asking, MAX_WAIT_MS);
    return known;
  }

  app.openapi(route, async (c) => {
    const { model, state, reason } = services.embedder.status();
    const waiting = await askDatabase(model);
    const health = {
      status: waiting !== null && state !== 'unavailable' ? ('ok' as const) : ('degraded' as const),
      version,
      database: { engine: services.db.engine, ok: waiting !== null },
      embedding: { model, state, pending: waiting ?? false, ...(reason !== undefined && { reason }) },
    };
    return c.json(health, waiting === null ? 503 : 200);
  });
  return app;
}
