import { createRoute, z } from '@hono/zod-openapi';
import { version } from '../../base/files/package-root.ts';
import { within } from '../../base/timing/within.ts';
import type { Database } from '../../db/open.ts';
import { askSystem } from '../../db/system.ts';
import { json, time } from '../../http/schemas.ts';
import { type Router, router } from '../../http/serve.ts';
import { countedModel, type DatabaseEmbedder } from '../../search/database-model.ts';

const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    database: z.object({
      engine: z.enum(['pglite', 'postgres']),
      ok: z.boolean(),
    }),
    embedding: z.object({
      model: z.string().nullable(),
      state: z.enum(['loading', 'ready', 'unavailable']),
      /** whether any text waits for its vector; GET /v1/index counts the caller's */
      pending: z.boolean(),
      reason: z.string().optional(),
    }),
    consolidation: z.object({
      /** false: a night has been missed for a day and two hours */
      ok: z.boolean(),
      /** when one last ended, of any user */
      lastRun: time.nullable(),
    }),
    workers: z.object({
      /** those whose every run has failed for a minute; the log says why */
      failing: z.array(z.string()),
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

const STANDS_STILL = 'texts have waited for their vectors for a day';

/** Whether a text lacks its vector, whether one has for a day, whether a night was missed, and when one last ended. */
type Known = { waiting: boolean; still: boolean; late: boolean; lastRun: string | null };
const NOTHING: Known = { waiting: false, still: false, late: false, lastRun: null };

/** The route that says whether server, database and model work. It waits for the database for 20 ms at most. */
export function healthRoutes(services: {
  db: Database;
  embedder: Pick<DatabaseEmbedder, 'status' | 'inUse'>;
  /** the names of workers whose every run has failed for a minute */
  failing(): string[];
}): Router {
  const { db } = services;
  const app = router();
  /** what the database last answered; null when it did not answer */
  let known: Known | null = NOTHING;
  let asking: Promise<void> | undefined;

  /** Asks the database one question at a time, however many requests come. */
  async function askDatabase(model: string | null): Promise<Known | null> {
    // none of these counts rows
    asking ??= askSystem<Known>(db)`
      select lore.lacks_vectors(${model}) as waiting, lore.embedding_stands_still() as still, n.late,
        to_json(n.last_run) #>> '{}' as "lastRun" from lore.consolidation_state() n`
      .catch(() => [])
      .then(([answer = null]) => {
        known = answer;
        asking = undefined;
      });
    await within(asking, MAX_WAIT_MS);
    return known;
  }

  app.openapi(route, async (c) => {
    const { model, state, reason } = services.embedder.status();
    const answer = await askDatabase(countedModel(services.embedder));
    const { waiting, still, late, lastRun } = answer ?? NOTHING;
    const why = reason ?? (still ? STANDS_STILL : undefined);
    const failing = services.failing();
    const works = answer !== null && state !== 'unavailable' && failing.length === 0;
    const health = {
      status: works && !still && !late ? ('ok' as const) : ('degraded' as const),
      version,
      database: { engine: db.engine, ok: answer !== null },
      embedding: { model, state, pending: waiting, ...(why !== undefined && { reason: why }) },
      consolidation: { ok: !late, lastRun },
      workers: { failing },
    };
    return c.json(health, answer === null ? 503 : 200);
  });
  return app;
}
