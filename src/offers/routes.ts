import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { commonProblems, json, limit, problem, time, wire } from '../http/schemas.ts';
import { getSession, noSession } from '../sessions/sessions.ts';
import { listOffers } from './offers.ts';
import { OFFER_KINDS, OUTCOMES } from './schema.ts';

const Offered = z
  .object({
    /** the event that was answered with it */
    event: z.string(),
    kind: z.enum(OFFER_KINDS),
    /** the record that it comes from; null if it comes from no single one */
    sourceId: z.string().nullable(),
    text: z.string(),
    tokens: z.number(),
    offeredAt: time,
    outcome: z.enum(OUTCOMES).nullable(),
  })
  .openapi('Offered');

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/sessions/{id}/offers',
    summary: 'What a session was told, the newest first, and what came of it',
    request: {
      params: z.object({ id: z.string().min(1).max(200) }),
      query: z.strictObject({ limit: limit(500, 100) }),
    },
    responses: {
      200: json(z.object({ offers: z.array(Offered) }), 'What was told'),
      404: problem('No such session'),
      ...commonProblems,
    },
  }),
};

/** The route that lists what Lore put before a session. */
export function offerRoutes(services: { db: Database }): Router {
  const app = router();
  app.openapi(routes.list, async (c) => {
    const { id } = c.req.valid('param');
    const offers = await asCaller(services, c, async (tx) => {
      const session = await getSession(tx, id);
      if (session === undefined) {
        throw noSession(id);
      }
      return listOffers(tx, session.id, c.req.valid('query').limit);
    });
    return c.json({ offers: wire(offers) }, 200);
  });
  return app;
}
