import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json } from '../http/schemas.ts';
import { changeSettings, readSettings } from '../llm/settings.ts';

const Settings = z
  .strictObject({
    /** the kill switch: when it is off, the model is not asked any more */
    modelSpending: z.enum(['on', 'off']),
  })
  .openapi('Settings');

const routes = {
  read: createRoute({
    method: 'get',
    path: '/v1/settings',
    summary: "The caller's settings",
    responses: { 200: json(Settings, 'The settings'), ...commonProblems },
  }),
  change: createRoute({
    method: 'put',
    path: '/v1/settings',
    summary: "Change the caller's settings; turning spending off holds from the next call of the model on",
    request: body(Settings),
    responses: { 200: json(Settings, 'The settings as they are now'), ...commonProblems },
  }),
};

/** Returns the routes of `/v1/settings`. */
export function settingsRoutes(services: { db: Database }): Router {
  const app = router();
  app.openapi(routes.read, async (c) => c.json(await asCaller(services, c, readSettings), 200));
  app.openapi(routes.change, async (c) => {
    const wanted = c.req.valid('json');
    return c.json(await asCaller(services, c, (tx) => changeSettings(tx, wanted)), 200);
  });
  return app;
}
