import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { JsonValue, storableText as text } from '../facts/values.ts';
import { wellFormed } from '../facts/wire.ts';
import { type Router, router } from '../http/router.ts';
import { body, commonProblems, json } from '../http/schemas.ts';
import { propose } from './propose.ts';
import { ProposedRule, proposeRule } from './propose-rule.ts';

const Proposal = z
  .strictObject({
    kind: z.enum(['lesson', 'fact', 'decision']),
    project: wellFormed,
    agent: text(200),
    /** the client's id of the session in which it was learned; what it names is looked for there */
    session: text(200).optional(),
    /** the lesson, or what to do */
    text: text(2000).optional(),
    when: text(2000).optional(),
    why: text(2000).optional(),
    appliesTo: z.array(text(200)).max(30).optional(),
    /** the error that a lesson answers */
    error: text(4000).optional(),
    /** of a fact */
    type: text(200).optional(),
    key: text(1000).optional(),
    value: JsonValue.optional(),
  })
  .openapi('Proposal');

const RuleProposal = ProposedRule.extend({ project: wellFormed, agent: text(200), session: text(200) })
  .refine((rule) => !JSON.stringify(rule).includes('\\u0000'), 'must hold no NUL character')
  .openapi('RuleProposal');

const Proposed = z
  .object({
    /** the kind and the beginning of the id of the record; null if nothing was kept */
    id: z.string().nullable(),
    /** proposed, merged, inferred, confirmed, discarded or refused */
    state: z.string(),
    reason: z.string(),
  })
  .openapi('Proposed');

const routes = {
  propose: createRoute({
    method: 'post',
    path: '/v1/proposals',
    summary: 'Propose a lesson, fact or decision, as an agent: kept until a person or an outcome confirms it',
    request: body(Proposal),
    responses: { 200: json(Proposed, 'What became of it'), ...commonProblems },
  }),
  rule: createRoute({
    method: 'post',
    path: '/v1/proposals/rules',
    summary:
      "Propose a rule from a person's words, as the agent that heard them: it asks at most until it is confirmed",
    request: body(RuleProposal),
    responses: { 200: json(Proposed, 'What became of it'), ...commonProblems },
  }),
};

/** The route by which agents propose what is worth keeping. */
export function proposalRoutes(services: {
  db: Database;
  embedder: Embedder;
  wake(worker: 'embed'): void;
}): Router {
  const app = router();
  app.openapi(routes.propose, async (c) => {
    const proposed = await propose(services, c.get('caller'), c.req.valid('json'));
    services.wake('embed');
    return c.json(proposed, 200);
  });
  app.openapi(routes.rule, async (c) => {
    const proposed = await proposeRule(services, c.get('caller'), c.req.valid('json'));
    services.wake('embed');
    return c.json(proposed, 200);
  });
  return app;
}
