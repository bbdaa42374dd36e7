import type { MiddlewareHandler } from 'hono';
import { Problem } from '../../base/errors/problem.ts';
import type { Log } from '../../base/log.ts';
import type { Env } from '../../http/env.ts';
import type { Scope } from '../../http/key-scope.ts';
import list from './key-scopes.txt' with { type: 'text' };

// Which keys may use which route. An agent's shell sees the key of its hooks, so with that key it must not be able to
// approve what Lore denied, nor to get at a key that could.

/** The rows of key-scopes.txt. Agents' tools ask those routes in the caller's name, so each needs the scope of its route. */
const routes = `${list.replace(/\n +/g, ' ')}hooks: GET /mcp\nhooks: POST /mcp\nhooks: DELETE /mcp`
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => {
    const [scopes = '', rest = ''] = line.split(': ');
    const [method, ...paths] = rest.split(' ');
    return paths.map((path) => ({
      method,
      scopes: scopes.split(' ') as Scope[],
      path: new RegExp(`^${path.startsWith('/') ? path : `/v1/${path}`}$`.replace(/\{\w+\}/g, '[^/]+')),
    }));
  });

/** Returns the scopes that a key needs one of for a request. */
export function scopesFor(method: string, path: string): Scope[] {
  // HEAD is answered like GET
  const asked = method === 'HEAD' ? 'GET' : method;
  const open = routes.find((route) => route.method === asked && route.path.test(path));
  return ['person', ...(open?.scopes ?? [])];
}

const TERMINAL = 'Only a person can do this, in a terminal of their own.';

/**
 * Lets requests pass whose key may use the route. Every refusal is logged.
 *
 * @throws Problem (403) that names the scope that the key has, and those that the route needs
 */
export const inScope =
  ({ log }: { log: Log }): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { scope, keyId } = c.get('caller');
    const needed = scopesFor(c.req.method, c.req.path);
    if (!needed.includes(scope)) {
      const { method, path } = c.req;
      log.warn({ requestId: c.get('requestId'), method, path, keyId, scope, needed }, 'refused');
      throw new Problem({
        status: 403,
        title: 'Key may not do this',
        detail: `${method} ${path} needs a key of scope ${needed.join(' or ')}, and this one has scope ${scope}. ${TERMINAL}`,
      });
    }
    await next();
  };
