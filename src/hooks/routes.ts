import { createRoute, z } from '@hono/zod-openapi';
import { type Router, router } from '../http/router.ts';
import { body, commonProblems, json } from '../http/schemas.ts';
import { HookEvent } from '../sessions/hook-event.ts';
import { type HookServices, handleHook } from './handle.ts';

const HookOutput = z
  .looseObject({
    hookSpecificOutput: z
      .object({
        hookEventName: z.string(),
        additionalContext: z.string().optional(),
        permissionDecision: z.enum(['allow', 'deny']).optional(),
        permissionDecisionReason: z.string().optional(),
      })
      .optional(),
  })
  .openapi('HookOutput');

const route = createRoute({
  method: 'post',
  path: '/v1/hooks',
  summary: 'Any hook event, as the client sends it',
  request: body(HookEvent.openapi('HookEvent')),
  responses: { 200: json(HookOutput, "The hook's output; {} is no opinion"), ...commonProblems },
});

export function hookRoutes(services: HookServices): Router {
  const app = router();
  app.openapi(route, async (c) =>
    c.json(await handleHook(services, c.get('caller'), c.req.valid('json')), 200),
  );
  return app;
}
