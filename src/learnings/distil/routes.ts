import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Database } from '../../db/open.ts';
import type { Env } from '../../http/env.ts';
import { asCaller, type Router, router } from '../../http/router.ts';
import { body, commonProblems, json, problem, wire } from '../../http/schemas.ts';
import { projectToState, storableText as text } from '../../kinds/values.ts';
import { redactValue } from '../../redaction/redact.ts';
import { ProjectName } from '../../sessions/projects.ts';
import { newVersion } from '../admit.ts';
import { approveLearning, getLearning, lessonToChange, mayBeEverywhere } from '../learnings.ts';
import { Admitted, Learning, noSuch, reference } from '../schemas.ts';
import { Remember, Rule } from './form.ts';
import { agentIn, keepRule, remember } from './hand-in.ts';
import { confirmGuard, guardLiterally, keyOf, stateLesson } from './said.ts';

// The routes by which a lesson is put in words, by a person or an agent; those that read and move lessons are in
// `learnings/routes.ts`.

const words = z.array(z.string().trim().min(1).max(200)).max(30);

const parts = {
  lesson: z.string().trim().min(1).max(2000),
  /** when the lesson applies */
  context: z.string().trim().max(2000),
  why: z.string().trim().max(2000),
  keywords: words,
  appliesTo: words,
  /** told in all projects of the user */
  everywhere: z.boolean(),
};
const NewLearning = z
  .strictObject({
    project: ProjectName,
    lesson: parts.lesson,
    context: parts.context.default(''),
    why: parts.why.optional(),
    keywords: words.default([]),
    appliesTo: words.default([]),
    confidence: z.number().min(0).max(1).default(0.8),
    agent: z.string().max(200).optional(),
    everywhere: parts.everywhere.default(false),
  })
  .openapi('NewLearning');

/** A part that is left out stays as it is; null removes the reason. */
const LearningChange = z
  .strictObject({ ...parts, why: parts.why.nullable() })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must change something')
  .openapi('LearningChange');

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
  create: createRoute({
    method: 'post',
    path: '/v1/learnings',
    summary: 'State a lesson: a person’s is active at once, an agent’s is proposed',
    request: body(NewLearning),
    responses: {
      201: json(Admitted, 'Stored'),
      200: json(Admitted, 'Not stored as a new lesson: merged or discarded, with the reason'),
      ...commonProblems,
    },
  }),
  approve: createRoute({
    method: 'post',
    path: '/v1/learnings/{id}/approve',
    summary: 'Accept a lesson that is proposed: it becomes active',
    request: { params: reference },
    responses: {
      200: json(Learning, 'The lesson'),
      ...noSuch,
      409: problem('The id is ambiguous, or the lesson has ended'),
      ...commonProblems,
    },
  }),
  change: createRoute({
    method: 'patch',
    path: '/v1/learnings/{id}',
    summary: 'Word a lesson anew, as a person: a new version takes its place',
    request: { params: reference, ...body(LearningChange) },
    responses: {
      200: json(Learning, 'The new version'),
      404: problem('No such learning'),
      409: problem('The id is ambiguous, or the lesson has ended'),
      ...commonProblems,
    },
  }),
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

export function lessonRoutes(services: { db: Database; wake(worker: 'embed' | 'baselines'): void }): Router {
  const app = router();
  const show = (c: Context<Env>, id: string) => asCaller(services, c, (tx) => getLearning(tx, id));

  app.openapi(routes.create, async (c) => {
    const { learningId, ...decided } = await stateLesson(services.db, c.get('caller'), c.req.valid('json'));
    services.wake('embed');
    services.wake('baselines');
    const learning = learningId === null ? null : await show(c, learningId);
    return c.json({ ...decided, learning: wire(learning) }, decided.decision === 'stored' ? 201 : 200);
  });

  app.openapi(routes.approve, async (c) => {
    const learning = await asCaller(services, c, async (tx) => {
      const { id } = await lessonToChange(tx, c.req.valid('param').id);
      await approveLearning(tx, id);
      await confirmGuard(tx, id);
      return getLearning(tx, id);
    });
    services.wake('embed');
    return c.json(wire(learning), 200);
  });

  app.openapi(routes.change, async (c) => {
    const { lesson, ...change } = redactValue(c.req.valid('json'));
    const learning = await asCaller(services, c, async (tx) => {
      const found = await lessonToChange(tx, c.req.valid('param').id);
      await mayBeEverywhere(tx, change.everywhere);
      const worded = lesson === undefined ? {} : { lesson, sameKey: keyOf(lesson) };
      const id = await newVersion(tx, found.id, { ...change, ...worded });
      await guardLiterally(tx, id, true);
      return getLearning(tx, id);
    });
    services.wake('embed');
    services.wake('baselines');
    return c.json(wire(learning), 200);
  });

  app.openapi(routes.propose, async (c) => {
    const { project, agent, session, ...given } = c.req.valid('json');
    const giver = await agentIn(services, c.get('caller'), { project, agent, session });
    const proposed = await remember(services, c.get('caller'), given, giver);
    services.wake('embed');
    return c.json(proposed, 200);
  });

  app.openapi(routes.rule, async (c) => {
    const { project, agent, session, ...rule } = c.req.valid('json');
    const giver = await agentIn(services, c.get('caller'), { project, agent, session });
    const proposed = await keepRule(services, c.get('caller'), rule, giver);
    services.wake('embed');
    return c.json(proposed, 200);
  });
  return app;
}
