import { createRoute } from '@hono/zod-openapi';
import { type Router, router } from '../http/router.ts';
import { commonProblems, json } from '../http/schemas.ts';
import { ModelStatus, type Models } from './choose.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/model',
  summary: 'Which language model may be asked for the caller, how it does, and what was spent today',
  responses: { 200: json(ModelStatus, 'The model'), ...commonProblems },
});

/** The route that says which model is asked. */
export function modelRoutes({ models }: { models: Pick<Models, 'status'> }): Router {
  const app = router();
  app.openapi(route, async (c) => c.json(await models.status(c.get('caller')), 200));
  return app;
}
