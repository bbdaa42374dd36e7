import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, exactInstant, json, limit, problem } from '../http/schemas.ts';
import { eraseStatement } from './erase.ts';
import {
  endRelation,
  getRelation,
  listRelations,
  MAX_HOPS,
  neighbourhood,
  prepareRelation,
  putRelation,
  undoRelation,
} from './relations.ts';
import { TIERS } from './schema.ts';
import { tierFor } from './statements.ts';
import { JsonObject } from './values.ts';
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

const Entity = z.strictObject({ type: name(), key: key() }).openapi('Entity');
const edge = { from: Entity, relation: name(), to: Entity };

const NewRelation = z
  .strictObject({ ...edge, attributes: JsonObject.default({}), ...provenance, source })
  .refine(inOrder, { ...notInOrder, when: ({ issues }) => issues.length === 0 })
  .openapi('NewRelation');

const shown = z.object({ type: z.string(), key: z.string() });
const Relation = z
  .object({
    from: shown,
    relation: z.string(),
    to: shown,
    attributes: z.record(z.string(), z.unknown()),
    ...statement,
    source: z.string().nullable(),
  })
  .openapi('Relation');
const Relations = z.object({ relations: z.array(Relation) });
const PutRelation = Relation.extend(put);
const hop = z.number();

const routes = {
  put: createRoute({
    method: 'put',
    path: '/v1/relations',
    summary: 'State a relation between two entities; other attributes than before close the old ones',
    request: body(NewRelation),
    responses: {
      201: json(PutRelation, 'The relation'),
      200: json(PutRelation, 'The relation that held already, confirmed'),
      ...mayNot,
      ...conflict,
      ...commonProblems,
    },
  }),
  list: createRoute({
    method: 'get',
    path: '/v1/relations',
    summary: 'Relations that hold, or held then; in a project, its own and those of no project',
    request: {
      query: z.strictObject({
        fromType: name().optional(),
        fromKey: key().optional(),
        relation: name().optional(),
        toType: name().optional(),
        toKey: key().optional(),
        project: askedProject,
        ...instants,
        ...page,
      }),
    },
    responses: { 200: json(Relations, 'The relations, what began last first'), ...commonProblems },
  }),
  neighbourhood: createRoute({
    method: 'get',
    path: '/v1/relations/neighbourhood',
    summary: 'What an entity is related to, up to three hops away',
    request: {
      query: z.strictObject({
        type: name(),
        key: key(),
        hops: z.coerce.number().int().min(1).max(MAX_HOPS).default(1).openapi({ type: 'integer' }),
        direction: z.enum(['out', 'in', 'both']).default('both'),
        project: askedProject,
        ...instants,
        limit: limit(1000, 200),
      }),
    },
    responses: {
      200: json(
        z.object({
          relations: z.array(Relation.extend({ hop })),
          entities: z.array(shown.extend({ hop })),
          /** whether there are more relations than `limit` */
          truncated: z.boolean(),
        }),
        'Each relation once, the nearest first, and the entities that were reached',
      ),
      ...commonProblems,
    },
  }),
  end: createRoute({
    method: 'post',
    path: '/v1/relations/end',
    summary: 'End a relation',
    request: body(
      z
        .strictObject({
          ...edge,
          project: askedProject,
          /** default: now */
          at: exactInstant().optional(),
          tier: z.enum(TIERS).optional(),
        })
        .openapi('RelationToEnd'),
    ),
    responses: {
      200: json(
        z.object({ relation: Relation.nullable() }),
        'What is left of it; null if it ends where it began',
      ),
      ...mayNot,
      ...noSuch,
      ...conflict,
      ...commonProblems,
    },
  }),
  undo: createRoute({
    method: 'post',
    path: '/v1/relations/undo',
    summary: 'Undo the last change of a relation: its earlier history stands again',
    request: body(
      z.strictObject({ ...edge, project: askedProject, id: z.guid().optional() }).openapi('RelationToUndo'),
    ),
    responses: {
      200: json(Relations, 'The periods of the relation that are believed now'),
      ...noSuch,
      ...conflict,
      ...commonProblems,
    },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/relations/{id}',
    summary: 'A relation, believed or not, with all that was ever believed of the same',
    request: { params: idOnly },
    responses: {
      200: json(Relation.extend({ history: z.array(Relation) }), 'The relation'),
      404: problem('No such relation'),
      409: problem('The id is ambiguous'),
      ...commonProblems,
    },
  }),
  erase: createRoute({
    method: 'delete',
    path: '/v1/relations/{id}',
    summary: 'Permanently erase a relation, with its whole history',
    request: { params: idOnly },
    responses: { 204: { description: 'Erased' }, ...noSuch, ...commonProblems },
  }),
};

export function relationRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  app.openapi(routes.put, async (c) => {
    const given = c.req.valid('json');
    const stated = prepareRelation({ ...given, tier: tierFor(c.get('caller').scope, given.tier) });
    const made = await changing(services, c, (tx) => putRelation(tx, stated));
    services.wake('embed');
    return c.json(made, made.outcome === 'opened' ? 201 : 200);
  });
  app.openapi(routes.list, async (c) => {
    const { fromType, fromKey, toType, toKey, ...filter } = c.req.valid('query');
    const ends = { from: { type: fromType, key: fromKey }, to: { type: toType, key: toKey } };
    const relations = await asCaller(services, c, (tx) => listRelations(tx, { ...filter, ...ends }));
    return c.json({ relations }, 200);
  });
  app.openapi(routes.neighbourhood, async (c) =>
    c.json(await asCaller(services, c, (tx) => neighbourhood(tx, c.req.valid('query'))), 200),
  );
  app.openapi(routes.end, async (c) => {
    const given = c.req.valid('json');
    const tier = tierFor(c.get('caller').scope, given.tier);
    return c.json(
      { relation: await changing(services, c, (tx) => endRelation(tx, { ...given, tier })) },
      200,
    );
  });
  app.openapi(routes.undo, async (c) => {
    const relations = await changing(services, c, (tx) => undoRelation(tx, c.req.valid('json')));
    services.wake('embed');
    return c.json({ relations }, 200);
  });
  app.openapi(routes.get, async (c) =>
    c.json(await asCaller(services, c, (tx) => getRelation(tx, c.req.valid('param').id)), 200),
  );
  app.openapi(routes.erase, async (c) => {
    await asCaller(services, c, (tx) => eraseStatement(tx, 'relation', c.req.valid('param').id));
    return c.body(null, 204);
  });
  return app;
}
