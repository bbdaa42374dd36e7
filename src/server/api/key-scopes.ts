import type { MiddlewareHandler } from 'hono';
import { Problem } from '../../base/errors/problem.ts';
import type { Log } from '../../base/log.ts';
import type { Env } from '../../http/env.ts';
import type { Scope } from '../../http/key-scope.ts';
import list from './key-scopes.txt' with { type: 'text' };

// Which keys may use which route. An agent's shell sees the key of its hooks, so with that key it must not be able to
// approve what Lore denied, nor to get at a key that could.

<<<<<<< HEAD
/**
 * The routes under `/v1/` that keys may use, besides the keys of a person, which may use every route. A route that is not
 * listed here is for a person only.
 */
const OPEN_TO: [Exclude<Scope, 'person'>[], string][] = [
  // reading, and what an agent and its person both do. What a person stated stays: an agent's facts are of its tiers only
  [
    ['hooks', 'device'],
    `
    PATCH findings/{id} plans/{id} plans/{id}/steps/{number}
    PUT findings/{id}/links/{kind}/{other}
    DELETE findings/{id}/links/{kind}/{other}
    POST plans plans/{id}/steps plans/{id}/steps/{number}/complete plans/{id}/steps/{number}/fail
      plans/{id}/steps/{number}/release plans/{id}/steps/{number}/notes facts/end relations/end
      decisions/{id}/end search search/{id}/feedback
    GET me hooks/unchecked notes notes/{id} channels agents freshness findings findings/{id} episodes
      episodes/{id} plans plans/{id} plans/{id}/history facts facts/history facts/{id} relations
      relations/neighbourhood relations/{id} decisions decisions/{id} observations observations/{id} skills
      skills/{name} skills/{name}/history patterns patterns/{id} learnings learnings/{id} guards guards/{id}
      amendments incidents projects sessions sessions/{id} sessions/{id}/offers index metrics model
      dead-letters consolidation/runs consolidation/runs/{id}
    `,
  ],
  // what the hooks of a project and the agent in it do. Proposals are kept only until a person or an outcome confirms them.
  [
    ['hooks'],
    `
    POST hooks commands/check commands/stops notes freshness
      projects/which findings plans/{id}/steps/{number}/claim decisions skills/{name}/activate proposals
      proposals/rules
    PUT facts relations
    GET calls/{id}
    `,
  ],
  // what a person decides, on the phone as well; a device can add another one, and lock out one that was lost
  [
    ['device'],
    `
    POST token commands/overrule learnings/{id}/approve learnings/{id}/retire learnings/{id}/feedback
      consolidation/runs amendments/{id}/undo amendments/{id}/restore consolidation/runs/{id}/undo
      dead-letters/retry sql pairings
    GET commands/checks commands/verdicts settings commands/rules dashboard keys push
    PUT commands/checks/{code}/judgement settings guards/{id} push
    DELETE commands/verdicts/{code} keys/{id} push
    PATCH learnings/{id} guards/{id} patterns/{id}
    `,
  ],
];

/** Agents' tools ask the routes above in the caller's name, so each of them needs the scope of its route. */
const MCP = ['GET', 'POST', 'DELETE'].map((method) => ({
  method,
  path: /^\/mcp$/,
  scopes: ['hooks' as const],
}));

const routes = OPEN_TO.flatMap(([scopes, list]) => {
  let method = '';
  return list.split(/\s+/).flatMap((word) => {
    if (/^[A-Z]*$/.test(word)) {
      method = word;
      return [];
    }
    return [{ method, path: new RegExp(`^/v1/${word.replace(/\{\w+\}/g, '[^/]+')}$`), scopes }];
=======
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
>>>>>>> ea11d95a (Routes' scopes are a table; tests of routes are rows from the route list)
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
