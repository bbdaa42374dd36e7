import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Config } from '../config.ts';
import type { Database } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { isLoopback, lanAddresses, listensEverywhere } from '../http/addresses.ts';
import type { Env } from '../http/env.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem, time } from '../http/schemas.ts';
import { AccountName } from './account-name.ts';
import { createPairing, redeemPairing } from './pairings.ts';

const Pairing = z
  .object({
    code: z.string(),
    expiresAt: time,
    /** the page, with the code behind a #: what follows that is sent to no server */
    url: z.string(),
  })
  .openapi('Pairing');
const Paired = z.object({ key: z.string(), keyId: z.string(), name: z.string() }).openapi('Paired');

const routes = {
  create: createRoute({
    method: 'post',
    path: '/v1/pairings',
    summary: 'A code that signs a device of the caller in: once, within five minutes',
    responses: {
      201: json(Pairing, 'The code, shown this once'),
      403: problem('Only with a key'),
      ...commonProblems,
    },
  }),
  redeem: createRoute({
    method: 'post',
    path: '/v1/pairings/redeem',
    summary: 'Get a key of scope device for a code',
    security: [],
    request: body(
      z.strictObject({
        code: z.string().regex(/^[\w-]{1,100}$/, 'must be a code as lore pair shows it'),
        /** name of the device in its user's list of devices */
        name: AccountName,
      }),
    ),
    responses: {
      201: json(Paired, 'The key, shown this once'),
      400: problem('The request does not fit its schema'),
      404: problem('The code is unknown, used or expired'),
    },
  }),
};

type PublicAddress = Pick<Config, 'url' | 'host' | 'port' | 'tlsPort'>;

/** Returns the route that makes codes. */
export function pairingRoutes(services: {
  db: Database;
  config: PublicAddress;
  /** marks the codes as this server's */
  jwtSecret: string;
}): Router {
  const app = router();
  app.openapi(routes.create, async (c) => {
    const { keyId } = c.get('caller');
    if (keyId === null) {
      throw new Problem({
        status: 403,
        title: 'Sign in on the device itself',
        detail: 'A code is worth as much as the key that it was made with. Who signed in has none.',
      });
    }
    const pairing = await asCaller(services, c, (tx) => createPairing(tx, keyId, services.jwtSecret));
    return c.json({ ...pairing, url: `${publicBase(services.config, c)}/#pair=${pairing.code}` }, 201);
  });
  return app;
}

/**
 * Returns the address under which a phone finds the page: LORE_URL, unless it names only this machine; else
 * an address in the local network, if the server listens there, by https rather than by plain HTTP; else the address of the caller's request.
 */
function publicBase({ url, host, port, tlsPort }: PublicAddress, c: Context<Env>): string {
  if (!isLoopback(new URL(url).hostname)) return url;
  const asked = new URL(c.req.url);
  const [secure] = tlsPort === undefined ? [] : lanAddresses();
  if (secure !== undefined) return `https://${secure}:${tlsPort}`;
  const [address] = listensEverywhere(host) ? lanAddresses() : [];
  return address === undefined ? asked.origin : `http://${address}:${port || asked.port}`;
}

/** Returns the route that exchanges a code for a key. It needs no key itself. */
export function redeemRoutes(services: { db: Database; jwtSecret: string }): Router {
  const app = router();
  app.openapi(routes.redeem, async (c) =>
    c.json(await redeemPairing(services.db, c.req.valid('json'), services.jwtSecret), 201),
  );
  return app;
}
