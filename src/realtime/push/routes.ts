import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Config } from '../../base/config.ts';
import { badRequest, Problem } from '../../base/errors/problem.ts';
import type { Database } from '../../db/open.ts';
import type { Caller } from '../../http/env.ts';
import { type Router, router } from '../../http/router.ts';
import { serve } from '../../kinds/records/serve.ts';
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

/** `publicKey`: the installation's (VAPID). `endpoint` null: nothing is sent to this device. */
const Push = z.object({ publicKey: z.string(), endpoint: z.string().nullable() }).openapi('Push');

/** Returns the key of the device that asks. @throws Problem (403) for somebody who signed in without one */
function deviceOf({ keyId }: Caller): string {
  if (keyId !== null) return keyId;
  throw new Problem({
    status: 403,
    title: 'Push needs a paired device',
    detail: 'Pushes go to a device until its key is revoked, and who signed in has none. Pair it: lore pair.',
  });
}

/** Returns the routes of `/v1/push`. */
export function pushRoutes(services: { db: Database; config: Pick<Config, 'pushServices'> }): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'GET /v1/push',
    'The key to subscribe for, and where pushes to this device go',
    { answer: Push },
    async ({ caller, as }) => {
      const keyId = deviceOf(caller);
      const { publicKey } = await pushKey(services.db);
      return { publicKey, endpoint: await as((tx) => endpointOf(tx, keyId)) };
    },
  );
  route(
    'PUT /v1/push',
    'Send what comes to wait for the caller to this device',
    { body: Subscription },
    async ({ caller, as, body: { endpoint, keys } }) => {
      const message = refusal(endpoint, services.config.pushServices);
      if (message !== null)
        throw badRequest('endpoint', `${message}. LORE_PUSH_SERVICES names a push service of your own`);
      const keyId = deviceOf(caller);
      await as((tx) => subscribe(tx, keyId, { endpoint, ...keys }));
    },
  );
  route('DELETE /v1/push', 'Send nothing more to this device', {}, async ({ caller, as }) => {
    const keyId = deviceOf(caller);
    await as((tx) => unsubscribe(tx, sql`key_id = ${keyId}`));
  });
  return app;
}
