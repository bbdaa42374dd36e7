import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, exactInstant, json, problem } from '../http/schemas.ts';
import { Amendment } from '../search/amendment-routes.ts';
import {
  decisionHistory,
  endDecision,
  getDecision,
  listDecisions,
  makeDecision,
  prepareDecision,
} from './decisions.ts';
import { eraseStatement } from './erase.ts';
import { TIERS } from './schema.ts';
import { tierFor } from './statements.ts';
import { storableText } from './values.ts';
import {
  askedProject,
  changing,
  conflict,
  inOrder,
  instants,
  mayNot,
  noSuch,
  notInOrder,
  outcome,
  page,
  provenance,
  reference,
  statement,
} from './wire.ts';

const NewDecision = z
  .strictObject({
    /** when it applies: “the tests need a database” */
    condition: storableText(2000),
    /** what to do then: “run `npm run emulator` first” */
    action: storableText(4000),
    confidence: z.number().min(0).max(1).default(0.8),
    learnedFrom: storableText(1000).optional(),
    /** id of the decision that this one replaces, or its first 8 characters */
    supersedes: z.string().min(8).max(45).optional(),
    ...provenance,
  })
  .refine(inOrder, { ...notInOrder, when: ({ issues }) => issues.length === 0 })
  .openapi('NewDecision');

const Decision = z
  .object({
    condition: z.string(),
    action: z.string(),
    confidence: z.number(),
    learnedFrom: z.string().nullable(),
    ...statement,
  })
  .openapi('Decision');
const Stated = Decision.extend({ outcome });

const routes = {
  create: createRoute({
    method: 'post',
    path: '/v1/decisions',
    summary: 'State a decision: in this condition, do that; the same again confirms it',
    request: body(NewDecision),
    responses: {
      201: json(Stated, 'The decision'),
      200: json(Stated, 'The decision that is current already, confirmed'),
      ...mayNot,
      ...conflict,
      ...commonProblems,
    },
  }),
  list: createRoute({
    method: 'get',
    path: '/v1/decisions',
    summary: 'Current decisions, or those of that time; in a project, its own and those of no project',
    request: { query: z.strictObject({ project: askedProject, ...instants, ...page }) },
    responses: {
      200: json(z.object({ decisions: z.array(Decision) }), 'The decisions, what began last first'),
      ...commonProblems,
    },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/decisions/{id}',
    summary:
      'A decision, current or ended, with its history and the links to what it amends or what amends it',
    request: { params: reference, query: z.strictObject(instants) },
    responses: {
      200: json(
        Decision.extend({ history: z.array(Decision), amendments: z.array(Amendment) }),
        'The decision',
      ),
      404: problem('No such decision, or not at that time'),
      409: problem('The id is ambiguous'),
      ...commonProblems,
    },
  }),
  end: createRoute({
    method: 'post',
    path: '/v1/decisions/{id}/end',
    summary: 'End a decision, without a successor',
    request: {
      params: reference,
      ...body(
        z
          .strictObject({
            /** default: now */
            at: exactInstant().optional(),
            tier: z.enum(TIERS).optional(),
          })
          .openapi('DecisionToEnd'),
      ),
    },
    responses: { 200: json(Decision, 'The decision'), ...mayNot, ...noSuch, ...conflict, ...commonProblems },
  }),
  erase: createRoute({
    method: 'delete',
    path: '/v1/decisions/{id}',
    summary: 'Permanently erase a decision; what it had replaced applies again',
    request: { params: reference },
    responses: { 204: { description: 'Erased' }, ...noSuch, ...commonProblems },
  }),
};

export function decisionRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  app.openapi(routes.create, async (c) => {
    const given = c.req.valid('json');
    const stated = prepareDecision({ ...given, tier: tierFor(c.get('caller').scope, given.tier) });
    const made = await changing(services, c, (tx) => makeDecision(tx, stated));
    services.wake('embed');
    return c.json(made, made.outcome === 'opened' ? 201 : 200);
  });
  app.openapi(routes.list, async (c) => {
    const decisions = await asCaller(services, c, (tx) => listDecisions(tx, c.req.valid('query')));
    return c.json({ decisions }, 200);
  });
  app.openapi(routes.get, async (c) => {
    const found = await asCaller(services, c, async (tx) => {
      const decision = await getDecision(tx, c.req.valid('param').id, c.req.valid('query'));
      return { ...decision, ...(await decisionHistory(tx, decision.id)) };
    });
    return c.json(found, 200);
  });
  app.openapi(routes.end, async (c) => {
    const { tier: claimed, ...asked } = c.req.valid('json');
    const tier = tierFor(c.get('caller').scope, claimed);
    const ended = await changing(services, c, async (tx) =>
      endDecision(tx, await getDecision(tx, c.req.valid('param').id), { ...asked, tier }),
    );
    return c.json(ended, 200);
  });
  app.openapi(routes.erase, async (c) => {
    await asCaller(services, c, async (tx) =>
      eraseStatement(tx, 'decision', (await getDecision(tx, c.req.valid('param').id)).id),
    );
    return c.body(null, 204);
  });
  return app;
}
