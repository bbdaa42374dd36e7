import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, limit, problem, time, wire } from '../http/schemas.ts';
import { listInProject } from '../sessions/projects.ts';
import { changePattern, getPattern, listPatterns } from './patterns.ts';
import { PATTERN_TYPES } from './schema.ts';

const type = z.enum(PATTERN_TYPES);
const id = z.string().min(8).max(45);

const status = z.enum(['active', 'rejected']);
const Change = z.strictObject({ status }).openapi('PatternChange');

const Pattern = z
  .object({
    id: z.string(),
    project: z.string(),
    type,
    name: z.string(),
    triggers: z.array(z.string()),
    template: z.object({ steps: z.array(z.string()), commonFiles: z.array(z.string()) }),
    usageCount: z.number(),
    sessions: z.number(),
    successes: z.number(),
    failures: z.number(),
    successRate: z.number().nullable(),
    /** up to 50 of the sessions that it was counted in */
    seenIn: z.array(z.string()),
    status,
    lastUsed: time,
    validFrom: time,
    validUntil: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('Pattern');

const noSuch = { 404: problem('No such pattern'), 409: problem('The id is ambiguous') };

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/patterns',
    summary: 'Patterns, those found last first',
    request: {
      query: z.strictObject({
        project: z.string().min(1).max(4096).optional(),
        type: type.optional(),
        /** `closed`: no longer found */
        status: z.enum(['active', 'rejected', 'closed']).optional(),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
    },
    responses: { 200: json(z.object({ patterns: z.array(Pattern) }), 'The patterns'), ...commonProblems },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/patterns/{id}',
    summary: 'A pattern by its id or the beginning of it',
    request: { params: z.object({ id }) },
    responses: { 200: json(Pattern, 'The pattern'), ...noSuch, ...commonProblems },
  }),
  change: createRoute({
    method: 'patch',
    path: '/v1/patterns/{id}',
    summary: 'Reject a pattern, or take that back',
    request: { params: z.object({ id }), ...body(Change) },
    responses: { 200: json(Pattern, 'The pattern'), ...noSuch, ...commonProblems },
  }),
};

export function patternRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  app.openapi(routes.list, async (c) => {
    const { project, ...filter } = c.req.valid('query');
    const patterns = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listPatterns(tx, { ...filter, projectId })),
    );
    return c.json({ patterns: wire(patterns) }, 200);
  });
  app.openapi(routes.get, async (c) => {
    const found = await asCaller(services, c, (tx) => getPattern(tx, c.req.valid('param').id));
    return c.json(wire(found), 200);
  });
  app.openapi(routes.change, async (c) => {
    const { status } = c.req.valid('json');
    const pattern = await asCaller(services, c, (tx) => changePattern(tx, c.req.valid('param').id, status));
    services.wake('embed');
    return c.json(wire(pattern), 200);
  });
  return app;
}
