import { createRoute, z } from '@hono/zod-openapi';
import { ownerOnly } from '../http/owner-only.ts';
import { type Router, router } from '../http/router.ts';
import { commonProblems, json, problem, time } from '../http/schemas.ts';
import type { LoopState } from '../timing/loop.ts';

const Worker = z
  .object({
    name: z.string(),
    state: z.enum(['idle', 'running', 'failing']),
    lastRun: time.nullable(),
    tookMs: z.number().nullable(),
    failingSince: time.nullable(),
    error: z.string().nullable(),
  })
  .openapi('Worker');

const route = createRoute({
  method: 'get',
  path: '/v1/workers',
  summary: 'How each background worker of this server does (owner only)',
  responses: {
    200: json(z.object({ workers: z.array(Worker) }), 'State, last run, its length, and why it failed'),
    403: problem('Owner only'),
    ...commonProblems,
  },
});

/** The route that tells the owner how the background workers do: their errors may name rows of any user. */
export function workerRoutes(services: { workerStates: () => (LoopState & { name: string })[] }): Router {
  const app = router();
  app.openapi(route, async (c) => {
    ownerOnly(c.get('caller'), 'sees how its workers do');
    return c.json({ workers: services.workerStates() }, 200);
  });
  return app;
}
