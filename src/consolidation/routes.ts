import { createRoute, z } from '@hono/zod-openapi';
import { asCaller, type Router, router } from '../http/router.ts';
import { commonProblems, json, limit, problem, time, wire } from '../http/schemas.ts';
import { beginRun, type NightServices, nextNight } from './night.ts';
import { getRun, listRuns, undo } from './runs.ts';
import { ACTIONS, STARTED_BY } from './schema.ts';

const Run = z
  .object({
    id: z.string(),
    startedBy: z.enum(STARTED_BY),
    /** how far it is; `done` when it has ended */
    stage: z.string(),
    startedAt: time,
    finishedAt: time.nullable(),
    /** why its last step failed; it is tried again */
    error: z.string().nullable(),
    /** events and checks from before were deleted; null: none */
    keepFrom: time.nullable(),
    /** merged, superseded, closed, undone; compared pairs; deleted events and checks */
    counts: z.record(z.string(), z.number()),
  })
  .openapi('ConsolidationRun');

const Item = z.object({
  id: z.string(),
  action: z.enum(ACTIONS),
  kind: z.string(),
  /** the record that was closed, and the one that stays instead */
  recordId: z.string(),
  keptId: z.string().nullable(),
  /** the beginning of its text */
  text: z.string().nullable(),
  reason: z.string(),
  undoneAt: time.nullable(),
});

const Report = Run.extend({ items: z.array(Item) }).openapi('ConsolidationReport');

const reference = z.object({ id: z.string().min(4).max(45) });

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/consolidation/runs',
    summary: 'The nights, the newest first',
    request: { query: z.strictObject({ limit: limit(200, 20), before: z.guid().optional() }) },
    responses: {
      200: json(
        z.object({ runs: z.array(Run), next: time }),
        'Without what they changed, and when the next one is due',
      ),
      ...commonProblems,
    },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/consolidation/runs/{id}',
    summary: 'What a night changed, and why; the id, the beginning of it, or `last`',
    request: { params: reference },
    responses: {
      200: json(Report, 'The report, with the first 1,000 changes'),
      404: problem('No such run'),
      409: problem('The id is ambiguous'),
      ...commonProblems,
    },
  }),
  start: createRoute({
    method: 'post',
    path: '/v1/consolidation/runs',
    summary: 'Run a night now, in the background; GET tells how far it is. Goes on with one that is open.',
    responses: { 202: json(Run, 'It runs'), ...commonProblems },
  }),
  undo: createRoute({
    method: 'post',
    path: '/v1/consolidation/runs/{id}/undo',
    summary: 'Undo what a night changed, all of it or one item. Deleted events and checks do not come back.',
    request: {
      params: reference,
      query: z.strictObject({
        item: z
          .string()
          .regex(/^[0-9a-fA-F-]{8,36}$/, 'must be the id of an item or its beginning')
          .optional(),
      }),
    },
    responses: {
      200: json(z.object({ undone: z.number() }), 'How many changes were undone'),
      404: problem('No such run or item'),
      409: problem('A later change stands on it, the run is under way, or the id is ambiguous'),
      ...commonProblems,
    },
  }),
};

export function consolidationRoutes(services: NightServices & { wake(worker: 'consolidate'): void }): Router {
  const app = router();
  app.openapi(routes.list, async (c) => {
    const runs = await asCaller(services, c, (tx) => listRuns(tx, c.req.valid('query')));
    const next = await nextNight(services.db, new Date());
    return c.json({ runs: wire(runs), next: next.toISOString() }, 200);
  });
  app.openapi(routes.get, async (c) =>
    c.json(wire(await asCaller(services, c, (tx) => getRun(tx, c.req.valid('param').id))), 200),
  );
  app.openapi(routes.start, async (c) => {
    const caller = c.get('caller');
    const id = await beginRun(services, caller, 'person');
    services.wake('consolidate');
    return c.json(wire(await asCaller(services, c, (tx) => getRun(tx, id))), 202);
  });
  app.openapi(routes.undo, async (c) => {
    const wanted = { run: c.req.valid('param').id, item: c.req.valid('query').item };
    return c.json(await asCaller(services, c, (tx) => undo(tx, wanted)), 200);
  });
  return app;
}
