import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem, wire } from '../http/schemas.ts';
import { editLearning } from '../learnings/edit.ts';
import { approveLearning, getLearning, lessonToChange, mayBeEverywhere } from '../learnings/learnings.ts';
import { Admitted, Learning, noSuch, reference } from '../learnings/schemas.ts';
import { ProjectName } from '../sessions/projects.ts';
import { confirmGuard, guardLiterally } from './guard-lesson.ts';
import { stateLesson } from './state-lesson.ts';

const words = z.array(z.string().trim().min(1).max(200)).max(30);

const NewLearning = z
  .strictObject({
    project: ProjectName,
    lesson: z.string().trim().min(1).max(2000),
    /** when the lesson applies */
    context: z.string().trim().max(2000).default(''),
    why: z.string().trim().max(2000).optional(),
    keywords: words.default([]),
    appliesTo: words.default([]),
    confidence: z.number().min(0).max(1).default(0.8),
    agent: z.string().max(200).optional(),
    /** told in all projects of the user */
    everywhere: z.boolean().default(false),
  })
  .openapi('NewLearning');

const LearningChange = z
  .strictObject({
    lesson: z.string().trim().min(1).max(2000).optional(),
    context: z.string().trim().max(2000).optional(),
    why: z.string().trim().max(2000).nullable().optional(),
    keywords: words.optional(),
    appliesTo: words.optional(),
    everywhere: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must change something')
  .openapi('LearningChange');

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
};

type Needs = { db: Database; embedder: Embedder; wake(worker: 'embed' | 'baselines'): void };

/** The routes by which a lesson is put in words; and approved; those that read and move lessons are in `learnings/routes.ts`. */
export function lessonRoutes(services: Needs): Router {
  const app = router();
  app.openapi(routes.create, async (c) => {
    const admission = await stateLesson(services, c.get('caller'), c.req.valid('json'));
    services.wake('embed');
    services.wake('baselines');
    const { learningId, decision, reason } = admission;
    const learning =
      learningId === null ? null : await asCaller(services, c, (tx) => getLearning(tx, learningId));
    return c.json({ decision, reason, learning: wire(learning) }, decision === 'stored' ? 201 : 200);
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
    const learning = await asCaller(services, c, async (tx) => {
      const found = await lessonToChange(tx, c.req.valid('param').id);
      await mayBeEverywhere(tx, c.req.valid('json').everywhere);
      const id = await editLearning(tx, found.id, c.req.valid('json'));
      await guardLiterally(tx, id, true);
      return getLearning(tx, id);
    });
    services.wake('embed');
    services.wake('baselines');
    return c.json(wire(learning), 200);
  });
  return app;
}
