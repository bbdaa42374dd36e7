import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { commonProblems, json, limit, problem, time } from '../http/schemas.ts';
import { listInProject } from '../sessions/projects.ts';
import { listAmendments, setUndone } from './amendments.ts';

const Side = z.object({ id: z.string(), content: z.string() });

export const Amendment = z
  .object({
    id: z.string(),
    kind: z.string(),
    project: z.string().nullable(),
    newer: Side,
    older: Side,
    evidence: z.object({
      words: z.string(),
      similarity: z.number().nullable(),
      model: z.string().nullable(),
    }),
    createdAt: time,
    undoneAt: time.nullable(),
  })
  .openapi('Amendment');

const reference = z.object({ id: z.string().min(8).max(45) });
const change = (path: string, summary: string) =>
  createRoute({
    method: 'post',
    path,
    summary,
    request: { params: reference },
    responses: {
      200: json(Amendment, 'The link'),
      404: problem('No such link'),
      409: problem('The id is ambiguous'),
      ...commonProblems,
    },
  });

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/amendments',
    summary: 'Which records amend which older ones, and why; the newest link first',
    request: {
      query: z.object({
        project: z.string().min(1).max(4096).optional(),
        /** only links from or to this record */
        record: z.guid().optional(),
        limit: limit(500, 50),
      }),
    },
    responses: {
      200: json(z.object({ amendments: z.array(Amendment) }), 'The links, those that were undone too'),
      ...commonProblems,
    },
  }),
  undo: change('/v1/amendments/{id}/undo', 'Undo a link; search no longer follows it'),
  restore: change('/v1/amendments/{id}/restore', 'Let a link hold again that was undone'),
};

export function amendmentRoutes(services: { db: Database }): Router {
  const app = router();
  app.openapi(routes.list, async (c) => {
    const { project, record, limit } = c.req.valid('query');
    const records = record === undefined ? undefined : [record];
    const amendments = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listAmendments(tx, { projectId, records, limit })),
    );
    return c.json({ amendments }, 200);
  });
  app.openapi(routes.undo, async (c) =>
    c.json(await asCaller(services, c, (tx) => setUndone(tx, c.req.valid('param').id, true)), 200),
  );
  app.openapi(routes.restore, async (c) =>
    c.json(await asCaller(services, c, (tx) => setUndone(tx, c.req.valid('param').id, false)), 200),
  );
  return app;
}
