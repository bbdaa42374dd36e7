import { createRoute, z } from '@hono/zod-openapi';
import { type Router, router } from '../http/router.ts';
import { commonProblems, json } from '../http/schemas.ts';
import { FAULTS, type Fault } from './ask.ts';
import type { Models } from './choose.ts';

const faults = Object.keys(FAULTS) as [Fault, ...Fault[]];

const Model = z
  .object({
    provider: z.enum(['claude', 'gemini', 'openai', 'none']),
    model: z.string().nullable(),
    /** `none`: no model is set up; `ready`: the last call went well, or there was none; else why not */
    state: z.enum(['ready', 'none', ...faults]),
    detail: z.string().nullable(),
    advice: z.string().nullable(),
    /** whether the caller can let their own Claude Code login be used */
    claudeOffered: z.boolean(),
    dailyTokens: z.number(),
    tokensToday: z.number(),
    dailyCalls: z.number(),
    callsToday: z.number(),
  })
  .openapi('Model');

const route = createRoute({
  method: 'get',
  path: '/v1/model',
  summary: 'Which language model may be asked for the caller, how it does, and what was spent today',
  responses: { 200: json(Model, 'The model'), ...commonProblems },
});

/** The route that says which model is asked. */
export function modelRoutes({ models }: { models: Pick<Models, 'status'> }): Router {
  const app = router();
  app.openapi(route, async (c) => c.json(await models.status(c.get('caller')), 200));
  return app;
}
