import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { storableText } from '../facts/values.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem } from '../http/schemas.ts';
import { findProject, ProjectName } from '../sessions/projects.ts';
import { Answer } from './answer.ts';
import { answerWaiting, nextWaiting } from './waiting.ts';

const Waiting = z
  .object({
    /** how many sessions wait to be looked back on by an agent */
    waiting: z.number().int(),
    /** the one that has waited longest; null if none does */
    next: z
      .object({
        id: z.string(),
        /** what is asked about it, and the form of the answer */
        instructions: z.string(),
        /** what happened in it, redacted */
        record: z.record(z.string(), z.unknown()),
      })
      .nullable(),
  })
  .openapi('WaitingAudits');

const routes = {
  next: createRoute({
    method: 'get',
    path: '/v1/audits/waiting',
    summary:
      'The session that has waited longest to be looked back on by an agent, because no model is set up',
    request: { query: z.strictObject({ project: ProjectName.optional() }) },
    responses: { 200: json(Waiting, 'What waits'), ...commonProblems },
  }),
  answer: createRoute({
    method: 'post',
    path: '/v1/audits/{id}/answer',
    summary: 'Hand in what an agent found in a session that waits; its lessons wait for a person',
    request: {
      params: z.object({ id: z.guid() }),
      ...body(z.strictObject({ ...Answer.shape, agent: storableText(200) }).openapi('AuditAnswer')),
    },
    responses: {
      200: json(z.object({ waiting: z.number().int() }), 'How many sessions wait still'),
      404: problem('No such session waits'),
      ...commonProblems,
    },
  }),
};

/** The routes by which agents look back on sessions where no model is set up. */
export function auditRoutes(services: {
  db: Database;
  embedder: Embedder;
  wake(worker: 'embed'): void;
}): Router {
  const app = router();
  app.openapi(routes.next, async (c) => {
    const { project } = c.req.valid('query');
    const found =
      project === undefined ? undefined : await asCaller(services, c, (tx) => findProject(tx, project));
    if (project !== undefined && found === undefined) return c.json({ waiting: 0, next: null }, 200);
    return c.json(await nextWaiting(services.db, c.get('caller'), found?.id), 200);
  });
  app.openapi(routes.answer, async (c) => {
    const { id } = c.req.valid('param');
    const waiting = await answerWaiting(services, c.get('caller'), id, c.req.valid('json'));
    services.wake('embed');
    return c.json({ waiting }, 200);
  });
  return app;
}
