import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { commonProblems, json, limit, wire } from '../http/schemas.ts';
import { listInProject } from '../sessions/projects.ts';
import { listIncidents } from './incidents.ts';

const scope = { project: z.string().min(1).max(4096).optional(), limit: limit(500, 50) };

const route = createRoute({
  method: 'get',
  path: '/v1/incidents',
  summary: 'Errors seen and what resolved them, the newest first',
  request: {
    query: z.object({
      ...scope,
      /** unsolved: open or unresolved */
      status: z.enum(['open', 'resolved', 'unresolved', 'unsolved']).optional(),
      /** the client's session id, or Lore's */
      session: z.string().min(1).max(200).optional(),
    }),
  },
  responses: {
    200: json(z.object({ incidents: z.array(z.record(z.string(), z.unknown())) }), 'The incidents'),
    ...commonProblems,
  },
});

export function incidentRoutes(services: { db: Database }): Router {
  const app = router();
  app.openapi(route, async (c) => {
    const { project, ...filter } = c.req.valid('query');
    const rows = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listIncidents(tx, { ...filter, projectId })),
    );
    return c.json({ incidents: wire(rows) }, 200);
  });
  return app;
}
