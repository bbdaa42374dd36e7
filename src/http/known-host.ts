import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { MiddlewareHandler } from 'hono';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import { isLoopback } from './addresses.ts';
import type { Env } from './env.ts';

type Named = { url: string; host: string };

/** Returns a function that says whether a `host` header names this server, or is an address. */
export function hostsOf(config: Named): (header: string | undefined) => boolean {
  const names = new Set(
    [new URL(config.url).hostname, config.host, hostname()].map((name) => name.toLowerCase()),
  );
  return (header) => {
    const name = header?.replace(/:\d*$/, '').toLowerCase();
    return (
      name === undefined ||
      names.has(name) ||
      isLoopback(name) ||
      isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
    );
  };
}

/**
 * Refuses requests under a name that is not the server's. A stranger's page could make its own name resolve
 * to this machine (DNS rebinding); the browser would then take this server for the server of that page.
 * Addresses pass, because no name was resolved for them. So do the machine's own name, LORE_HOST and the host
 * of LORE_URL. Hooks pass under any name: a browser does not send them without a key, and if one were
 * refused, its command would not be judged.
 *
 * @throws Problem (421) that says what to set
 */
export function knownHost(services: { config: Named; log: Log }): MiddlewareHandler<Env> {
  const { config, log } = services;
  const isOurs = hostsOf(config);
  return async (c, next) => {
    const host = c.req.header('host');
    if (!isOurs(host) && c.req.path !== '/v1/hooks') {
      log.warn({ requestId: c.get('requestId'), path: c.req.path, host }, 'refused');
      throw new Problem({
        status: 421,
        title: 'Unknown host',
        detail:
          'This server is not known under that name. Use its address, or start it with LORE_URL set to the address that browsers use.',
      });
    }
    await next();
  };
}
