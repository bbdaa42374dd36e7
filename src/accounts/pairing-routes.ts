import { getConnInfo } from '@hono/node-server/conninfo';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isLoopback, lanAddresses, listensEverywhere } from '../addresses.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/open.ts';
import { dropOldest } from '../drop-oldest.ts';
import type { Env } from '../http/env.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem, time } from '../http/schemas.ts';
import { Problem } from '../problem.ts';
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
    responses: { 201: json(Pairing, 'The code, shown this once'), ...commonProblems },
  }),
  redeem: createRoute({
    method: 'post',
    path: '/v1/pairings/redeem',
    summary: 'Get a key of scope device for a code',
    security: [],
    request: body(
      z.strictObject({
        code: z.string().regex(/^[\w-]{1,100}$/, 'must be a code as lore pair shows it'),
        /** of the device, as its user will find it in the list of devices */
        name: z.string().trim().min(1).max(100),
      }),
    ),
    responses: {
      201: json(Paired, 'The key, shown this once'),
      400: problem('The request does not fit its schema'),
      404: problem('The code is unknown, used or expired'),
      429: problem('Too many wrong codes from this address'),
    },
  }),
};

/** Returns the route that makes codes. */
export function pairingRoutes(services: {
  db: Database;
  config: Pick<Config, 'url' | 'host' | 'port'>;
}): Router {
  const app = router();
  app.openapi(routes.create, async (c) => {
    const pairing = await asCaller(services, c, (tx) => createPairing(tx, c.get('caller').keyId));
    return c.json({ ...pairing, url: `${publicBase(services.config, c)}/#pair=${pairing.code}` }, 201);
  });
  return app;
}

/**
 * Returns the address under which a phone finds the page: LORE_URL, unless that is this machine's own; else an address
 * in the local network, if the server listens there; else the one that the caller asked.
 */
function publicBase({ url, host, port }: Pick<Config, 'url' | 'host' | 'port'>, c: Context<Env>): string {
  if (!isLoopback(new URL(url).hostname)) return url;
  const asked = new URL(c.req.url);
  const [address] = listensEverywhere(host) ? lanAddresses() : [];
  return address === undefined ? asked.origin : `http://${address}:${port || asked.port}`;
}

/** Wrong codes from one address within a minute. Codes cannot be guessed; this keeps the log and the database quiet. */
const MAX_WRONG = 20;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 1_000;

/** Returns the route that takes codes. It needs no key. */
export function redeemRoutes(services: { db: Database }): Router {
  const app = router();
  /** the tries of the last minute that did not work, or have not ended yet, by address */
  const tries = new Map<string, { count: number; since: number }>();
  app.openapi(routes.redeem, async (c) => {
    const address = addressOf(c);
    const now = Date.now();
    const before = tries.get(address);
    const counted = before && now - before.since < MINUTE_MS ? before : { count: 0, since: now };
    if (counted.count >= MAX_WRONG) {
      throw new Problem({
        status: 429,
        title: 'Too many wrong codes',
        detail: 'Too many codes from this address did not work. Try again in a minute.',
      });
    }
    tries.set(address, counted);
    dropOldest(tries, MAX_ADDRESSES);
    counted.count += 1;
    const paired = await redeemPairing(services.db, c.req.valid('json'));
    counted.count -= 1;
    return c.json(paired, 201);
  });
  return app;
}

/** Returns the address that a request came from; that of the proxy, if there is one. */
function addressOf(c: Context<Env>): string {
  try {
    return getConnInfo(c).remote.address ?? '';
  } catch {
    // a request that came by no connection, as in a start's warm-up
    return '';
  }
}
