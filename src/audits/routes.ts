import { z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { storableText } from '../facts/values.ts';
import { type Router, router } from '../http/router.ts';
import { serve } from '../records/serve.ts';
import { findProject, ProjectName } from '../sessions/projects.ts';
import { Answer } from './form.ts';
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

type Needs = { db: Database; embedder: Embedder; wake(worker: 'embed'): void };

/** The routes by which agents look back on sessions where no model is set up. */
export function auditRoutes(services: Needs): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'GET /v1/audits/waiting',
    'The session that has waited longest to be looked back on by an agent, because no model is set up',
    { query: z.strictObject({ project: ProjectName.optional() }), answer: Waiting },
    async ({ as, caller, query: { project } }) => {
      const found = project === undefined ? undefined : await as((tx) => findProject(tx, project));
      if (project !== undefined && found === undefined) return { waiting: 0, next: null };
      return nextWaiting(services.db, caller, found?.id);
    },
  );
  route(
    'POST /v1/audits/{id}/answer',
    'Hand in what an agent found in a session that waits; its lessons wait for a person',
    {
      params: z.object({ id: z.guid() }),
      body: z.strictObject({ ...Answer.shape, agent: storableText(200) }).openapi('AuditAnswer'),
      answer: z.object({ waiting: z.number().int() }),
      problems: { 404: 'No such session waits' },
    },
    async ({ caller, params, body }) => {
      const waiting = await answerWaiting(services, caller, params.id, body);
      services.wake('embed');
      return { waiting };
    },
  );
  return app;
}
