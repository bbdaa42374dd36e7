import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, exactInstant, json, limit, problem } from '../http/schemas.ts';
import { eraseStatement } from './erase.ts';
import { endFact, factHistory, getFact, listFacts, prepareFact, putFact, undoFact } from './facts.ts';
import { TIERS } from './schema.ts';
import { tierFor } from './statements.ts';
import { JsonValue } from './values.ts';
import {
  askedProject,
  changing,
  conflict,
  idOnly,
  inOrder,
  instants,
  key,
  mayNot,
  name,
  noSuch,
  notInOrder,
  page,
  provenance,
  put,
  source,
  statement,
} from './wire.ts';

const NewFact = z
  .strictObject({ type: name(), key: key(), value: JsonValue, ...provenance, source })
  .refine(inOrder, { ...notInOrder, when: ({ issues }) => issues.length === 0 })
  .openapi('NewFact');

const Fact = z
  .object({
    type: z.string(),
    key: z.string(),
    value: z.unknown(),
    ...statement,
    source: z.string().nullable(),
  })
  .openapi('Fact');

const PutFact = Fact.extend(put);
const Facts = z.object({ facts: z.array(Fact) });
const about = { type: name(), key: key(), project: askedProject };

const routes = {
  put: createRoute({
    method: 'put',
    path: '/v1/facts',
    summary: 'State a fact: closes the value that held and opens this one; the same value again confirms it',
    request: body(NewFact),
    responses: {
      201: json(PutFact, 'The fact'),
      200: json(PutFact, 'The fact that held already, confirmed'),
      ...mayNot,
      ...conflict,
      ...commonProblems,
    },
  }),
  list: createRoute({
    method: 'get',
    path: '/v1/facts',
    summary: 'Facts that hold, or held then; in a project, its own and those of no project',
    request: {
      query: z.strictObject({
        type: name().optional(),
        key: key().optional(),
        project: askedProject,
        ...instants,
        ...page,
      }),
    },
    responses: { 200: json(Facts, 'The facts, what began last first'), ...commonProblems },
  }),
  history: createRoute({
    method: 'get',
    path: '/v1/facts/history',
    summary: 'All that was ever believed of a key, in the order in which it was learned',
    request: { query: z.strictObject({ ...about, ...instants, limit: limit(1000, 500) }) },
    responses: {
      200: json(Facts, 'Every row: what, of which period, believed from when until when'),
      ...commonProblems,
    },
  }),
  end: createRoute({
    method: 'post',
    path: '/v1/facts/end',
    summary: 'End the fact of a key, without a new one',
    request: body(
      z
        .strictObject({
          ...about,
          /** default: now */
          at: exactInstant().optional(),
          tier: z.enum(TIERS).optional(),
        })
        .openapi('FactToEnd'),
    ),
    responses: {
      200: json(z.object({ fact: Fact.nullable() }), 'What is left of it; null if it ends where it began'),
      ...mayNot,
      ...noSuch,
      ...conflict,
      ...commonProblems,
    },
  }),
  undo: createRoute({
    method: 'post',
    path: '/v1/facts/undo',
    summary: 'Undo the last change of a key: its earlier history stands again',
    request: body(
      z
        .strictObject({
          ...about,
          /** the change that stated this fact, instead of the last one */
          id: z.guid().optional(),
        })
        .openapi('FactToUndo'),
    ),
    responses: {
      200: json(Facts, 'The values of the key that are believed now, in the order of their periods'),
      ...noSuch,
      ...conflict,
      ...commonProblems,
    },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/facts/{id}',
    summary: 'A fact, believed or not, with all that was ever believed of the same',
    request: { params: idOnly },
    responses: {
      200: json(Fact.extend({ history: z.array(Fact) }), 'The fact'),
      404: problem('No such fact'),
      409: problem('The id is ambiguous'),
      ...commonProblems,
    },
  }),
  erase: createRoute({
    method: 'delete',
    path: '/v1/facts/{id}',
    summary: 'Permanently erase the key of a fact, with its whole history',
    request: { params: idOnly },
    responses: { 204: { description: 'Erased' }, ...noSuch, ...commonProblems },
  }),
};

export function factRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  app.openapi(routes.put, async (c) => {
    const given = c.req.valid('json');
    const stated = prepareFact({ ...given, tier: tierFor(c.get('caller').scope, given.tier) });
    const made = await changing(services, c, (tx) => putFact(tx, stated));
    services.wake('embed');
    return c.json(made, made.outcome === 'opened' ? 201 : 200);
  });
  app.openapi(routes.list, async (c) =>
    c.json({ facts: await asCaller(services, c, (tx) => listFacts(tx, c.req.valid('query'))) }, 200),
  );
  app.openapi(routes.history, async (c) =>
    c.json({ facts: await asCaller(services, c, (tx) => factHistory(tx, c.req.valid('query'))) }, 200),
  );
  app.openapi(routes.end, async (c) => {
    const given = c.req.valid('json');
    const tier = tierFor(c.get('caller').scope, given.tier);
    return c.json({ fact: await changing(services, c, (tx) => endFact(tx, { ...given, tier })) }, 200);
  });
  app.openapi(routes.undo, async (c) => {
    const facts = await changing(services, c, (tx) => undoFact(tx, c.req.valid('json')));
    services.wake('embed');
    return c.json({ facts }, 200);
  });
  app.openapi(routes.get, async (c) =>
    c.json(await asCaller(services, c, (tx) => getFact(tx, c.req.valid('param').id)), 200),
  );
  app.openapi(routes.erase, async (c) => {
    await asCaller(services, c, (tx) => eraseStatement(tx, 'fact', c.req.valid('param').id));
    return c.body(null, 204);
  });
  return app;
}
