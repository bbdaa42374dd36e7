import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { projectToState, storableText as text } from '../facts/values.ts';
import { type Router, router } from '../http/router.ts';
import { body, commonProblems, json } from '../http/schemas.ts';
import { Remember, Rule } from './form.ts';
import { agentIn, keepRule, remember } from './hand-in.ts';

const from = { project: projectToState, agent: text(200) };
const Proposal = Remember.extend({
  ...from,
  /** the client's id of the session in which it was learned; what it names is looked for there */
  session: text(200).optional(),
}).openapi('Proposal');
const RuleProposal = Rule.extend({ ...from, session: text(200) })
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
    summary: 'Propose a lesson or fact, as an agent: kept until a person or an outcome confirms it',
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

/** The routes by which agents propose what is worth keeping. */
export function proposalRoutes(services: {
  db: Database;
  embedder: Embedder;
  wake(worker: 'embed'): void;
}): Router {
  const app = router();
  app.openapi(routes.propose, async (c) => {
    const { project, agent, session, ...given } = c.req.valid('json');
    const caller = c.get('caller');
    const proposed = await remember(
      services,
      caller,
      given,
      await agentIn(services, caller, { project, agent, session }),
    );
    services.wake('embed');
    return c.json(proposed, 200);
  });
  app.openapi(routes.rule, async (c) => {
    const { project, agent, session, ...rule } = c.req.valid('json');
    const caller = c.get('caller');
    const proposed = await keepRule(
      services,
      caller,
      rule,
      await agentIn(services, caller, { project, agent, session }),
    );
    services.wake('embed');
    return c.json(proposed, 200);
  });
  return app;
}
