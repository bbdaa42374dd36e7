import { createRoute, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Config } from '../config.ts';
import type { Database } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import type { Caller } from '../http/env.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json } from '../http/schemas.ts';
import { endpointOf, pushKey, subscribe, unsubscribe } from './push.ts';
import { refusal } from './send.ts';

/** as a browser's PushSubscription tells it */
const Subscription = z
  .strictObject({
    endpoint: z.url({ protocol: /^https?$/ }).max(2_000),
    keys: z.strictObject({
      p256dh: z.string().regex(/^[\w-]{87}=?$/, 'must be a key of a browser: 65 bytes in base64url'),
      auth: z.string().regex(/^[\w-]{22}(?:==)?$/, 'must be a secret of a browser: 16 bytes in base64url'),
    }),
  })
  .openapi('PushSubscription');

const routes = {
  read: createRoute({
    method: 'get',
    path: '/v1/push',
    summary: 'The key to subscribe for, and where pushes to this device go',
    responses: {
      200: json(
        z
          .object({
            /** the installation's public key (VAPID) */
            publicKey: z.string(),
            /** null: nothing is sent to this device */
            endpoint: z.string().nullable(),
          })
          .openapi('Push'),
        'The key',
      ),
      ...commonProblems,
    },
  }),
  subscribe: createRoute({
    method: 'put',
    path: '/v1/push',
    summary: 'Send what comes to wait for the caller to this device',
    request: body(Subscription),
    responses: { 204: { description: 'Subscribed' }, ...commonProblems },
  }),
  unsubscribe: createRoute({
    method: 'delete',
    path: '/v1/push',
    summary: 'Send nothing more to this device',
    responses: { 204: { description: 'Nothing is sent to it' }, ...commonProblems },
  }),
};

/** Returns the key of the device that asks. @throws Problem (403) for somebody who signed in without one */
function deviceOf({ keyId }: Caller): string {
  if (keyId !== null) return keyId;
  throw new Problem({
    status: 403,
    title: 'Push needs a paired device',
    detail:
      'Pushes go to a device until its key is revoked, and who signed in has no key. Pair the device: lore pair.',
  });
}

/** Returns the routes of `/v1/push`. */
export function pushRoutes(services: { db: Database; config: Pick<Config, 'pushServices'> }): Router {
  const app = router();
  app.openapi(routes.read, async (c) => {
    const keyId = deviceOf(c.get('caller'));
    const { publicKey } = await pushKey(services.db);
    return c.json({ publicKey, endpoint: await asCaller(services, c, (tx) => endpointOf(tx, keyId)) }, 200);
  });
  app.openapi(routes.subscribe, async (c) => {
    const { endpoint, keys } = c.req.valid('json');
    const refused = refusal(endpoint, services.config.pushServices);
    if (refused !== null) {
      throw new Problem({
        status: 400,
        title: 'Bad request',
        detail: `endpoint: ${refused}. LORE_PUSH_SERVICES names a push service of your own.`,
        errors: [{ field: 'endpoint', message: refused }],
      });
    }
    const keyId = deviceOf(c.get('caller'));
    await asCaller(services, c, (tx) => subscribe(tx, keyId, { endpoint, ...keys }));
    return c.body(null, 204);
  });
  app.openapi(routes.unsubscribe, async (c) => {
    const keyId = deviceOf(c.get('caller'));
    await asCaller(services, c, (tx) => unsubscribe(tx, sql`key_id = ${keyId}`));
    return c.body(null, 204);
  });
  return app;
}
