import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Database, Tx } from '../../db/open.ts';
import type { Env } from '../../http/env.ts';
import { asCaller, type Router, router } from '../../http/router.ts';
import { body, commonProblems, json, limit, problem, time } from '../../http/schemas.ts';
import { listInProject } from '../../sessions/projects.ts';
import { reference } from '../schemas.ts';
import { describeGuard } from './describe.ts';
import { getGuard, listGuards, type ShownGuard, setGuard, writeGuard } from './guards.ts';
import { GuardRule } from './rule.ts';
import { GUARD_SOURCES } from './schema.ts';

// made again here, because only schemas made after the OpenAPI extension was loaded have `openapi`
const Rule = z.strictObject(GuardRule.shape).openapi('GuardRule');

const Guard = z
  .object({
    id: z.string(),
    project: z.string(),
    /** whether it acts in all projects */
    everywhere: z.boolean(),
    lessonId: z.string(),
    lesson: z.string(),
    /** whether its lesson is in force; if not, the guard does not act */
    inForce: z.boolean(),
    /** which calls it is about, in words */
    about: z.string(),
    rule: Rule,
    source: z.enum(GUARD_SOURCES),
    state: z.enum(['on', 'paused', 'refused']),
    /** why it is paused or refused, or asks only until somebody confirms it */
    reason: z.string().nullable(),
    hits: z.number().int(),
    lastHitAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('Guard');

const noSuch = { 404: problem('No such guard'), 409: problem('The id is ambiguous') };

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/guards',
    summary: 'The rules of persons as data: at which calls they act, the newest first',
    request: {
      query: z.strictObject({
        project: z.string().min(1).max(4096).optional(),
        lesson: z.uuid().optional(),
        limit: limit(500, 100),
      }),
    },
    responses: { 200: json(z.object({ guards: z.array(Guard) }), 'The guards'), ...commonProblems },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/guards/{id}',
    summary: 'A guard by its id or that of its lesson',
    request: { params: reference },
    responses: { 200: json(Guard, 'The guard'), ...noSuch, ...commonProblems },
  }),
  write: createRoute({
    method: 'put',
    path: '/v1/guards/{id}',
    summary:
      "Write a guard, by its lesson's id or its own; it acts if it passes its own examples and past calls",
    request: { params: reference, ...body(Rule) },
    responses: {
      200: json(Guard, 'The guard'),
      ...noSuch,
      ...commonProblems,
    },
  }),
  change: createRoute({
    method: 'patch',
    path: '/v1/guards/{id}',
    summary: 'Pause a guard, or let it act again',
    request: {
      params: reference,
      ...body(z.strictObject({ state: z.enum(['on', 'paused']) }).openapi('GuardChange')),
    },
    responses: { 200: json(Guard, 'The guard'), ...noSuch, ...commonProblems },
  }),
};

const shown = (guard: ShownGuard) => ({ ...guard, about: describeGuard(guard.rule) });

/** Returns the routes of `/v1/guards`. */
export function guardRoutes(services: { db: Database }): Router {
  const app = router();
  const one = async (c: Context<Env>, act: (tx: Tx) => Promise<string>) =>
    shown(await asCaller(services, c, async (tx) => getGuard(tx, await act(tx))));
  app.openapi(routes.list, async (c) => {
    const { project, lesson: lessonId, limit } = c.req.valid('query');
    const rows = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listGuards(tx, { projectId, lessonId, limit })),
    );
    return c.json({ guards: rows.map(shown) }, 200);
  });
  app.openapi(routes.get, async (c) => c.json(await one(c, async () => c.req.valid('param').id), 200));
  app.openapi(routes.write, async (c) =>
    c.json(await one(c, (tx) => writeGuard(tx, c.req.valid('param').id, c.req.valid('json'))), 200),
  );
  app.openapi(routes.change, async (c) =>
    c.json(await one(c, (tx) => setGuard(tx, c.req.valid('param').id, c.req.valid('json').state)), 200),
  );
  return app;
}
