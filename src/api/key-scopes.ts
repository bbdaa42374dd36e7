import type { MiddlewareHandler } from 'hono';
import { Problem } from '../errors/problem.ts';
import type { Env } from '../http/env.ts';
import type { Scope } from '../http/key-scope.ts';
import type { Log } from '../log.ts';

// Which keys may use which route. An agent's shell sees the key of its hooks, so with that key it must not be able to
// approve what Lore denied, nor to get at a key that could. This is the whole list.

type OtherThanPerson = Exclude<Scope, 'person'>;

/**
 * The scopes of keys that may use a route, besides the keys of a person, which may use every route. A route
 * that is not listed here is for a person only.
 */
const OPEN_TO: Readonly<Record<string, readonly OtherThanPerson[]>> = {
  // what the hooks of a project and the agent in it do
  'POST /v1/hooks': ['hooks'],
  'POST /v1/transcripts': ['hooks'],
  'POST /v1/commands/check': ['hooks'],
  'POST /v1/commands/stops': ['hooks'],
  'POST /v1/notes': ['hooks'],
  'POST /v1/freshness': ['hooks'],
  'POST /v1/projects/first-commit': ['hooks'],
  'POST /v1/projects/which': ['hooks'],
  'POST /v1/findings': ['hooks'],
  'PATCH /v1/findings/{id}': ['hooks', 'device'],
  'PUT /v1/findings/{id}/links/{kind}/{other}': ['hooks', 'device'],
  'DELETE /v1/findings/{id}/links/{kind}/{other}': ['hooks', 'device'],
  'POST /v1/plans': ['hooks', 'device'],
  'PATCH /v1/plans/{id}': ['hooks', 'device'],
  'POST /v1/plans/{id}/steps': ['hooks', 'device'],
  'PATCH /v1/plans/{id}/steps/{number}': ['hooks', 'device'],
  'POST /v1/plans/{id}/steps/{number}/claim': ['hooks'],
  'POST /v1/plans/{id}/steps/{number}/complete': ['hooks', 'device'],
  'POST /v1/plans/{id}/steps/{number}/fail': ['hooks', 'device'],
  'POST /v1/plans/{id}/steps/{number}/release': ['hooks', 'device'],
  'POST /v1/plans/{id}/steps/{number}/notes': ['hooks', 'device'],
  // an agent's tiers only (tierFor in src/facts), so what a person stated stays
  'PUT /v1/facts': ['hooks'],
  'POST /v1/facts/end': ['hooks', 'device'],
  'PUT /v1/relations': ['hooks'],
  'POST /v1/relations/end': ['hooks', 'device'],
  'POST /v1/decisions': ['hooks'],
  'POST /v1/decisions/{id}/end': ['hooks', 'device'],
  // An agent uses skills. Their texts instruct agents, also of other projects, so a person writes
  // them.
  'POST /v1/skills/{name}/activate': ['hooks'],
  // kept only until a person or an outcome confirms it
  'POST /v1/proposals': ['hooks'],
  'POST /v1/proposals/rules': ['hooks'],
  'POST /v1/audits/{id}/answer': ['hooks'],

  // reading
  'GET /v1/me': ['hooks', 'device'],
  'GET /v1/hooks/unchecked': ['hooks', 'device'],
  'POST /v1/search': ['hooks', 'device'],
  'POST /v1/search/{id}/feedback': ['hooks', 'device'],
  'GET /v1/notes': ['hooks', 'device'],
  'GET /v1/notes/{id}': ['hooks', 'device'],
  'GET /v1/channels': ['hooks', 'device'],
  'GET /v1/agents': ['hooks', 'device'],
  'GET /v1/freshness': ['hooks', 'device'],
  'GET /v1/findings': ['hooks', 'device'],
  'GET /v1/findings/{id}': ['hooks', 'device'],
  'GET /v1/episodes': ['hooks', 'device'],
  'GET /v1/episodes/{id}': ['hooks', 'device'],
  'GET /v1/plans': ['hooks', 'device'],
  'GET /v1/plans/{id}': ['hooks', 'device'],
  'GET /v1/plans/{id}/history': ['hooks', 'device'],
  'GET /v1/facts': ['hooks', 'device'],
  'GET /v1/facts/history': ['hooks', 'device'],
  'GET /v1/facts/{id}': ['hooks', 'device'],
  'GET /v1/relations': ['hooks', 'device'],
  'GET /v1/relations/neighbourhood': ['hooks', 'device'],
  'GET /v1/relations/{id}': ['hooks', 'device'],
  'GET /v1/decisions': ['hooks', 'device'],
  'GET /v1/decisions/{id}': ['hooks', 'device'],
  'GET /v1/observations': ['hooks', 'device'],
  'GET /v1/observations/{id}': ['hooks', 'device'],
  'GET /v1/skills': ['hooks', 'device'],
  'GET /v1/skills/{name}': ['hooks', 'device'],
  'GET /v1/skills/{name}/history': ['hooks', 'device'],
  'GET /v1/patterns': ['hooks', 'device'],
  'GET /v1/patterns/{id}': ['hooks', 'device'],
  'GET /v1/learnings': ['hooks', 'device'],
  'GET /v1/learnings/{id}': ['hooks', 'device'],
  'GET /v1/guards': ['hooks', 'device'],
  'GET /v1/guards/{id}': ['hooks', 'device'],
  'GET /v1/amendments': ['hooks', 'device'],
  'GET /v1/incidents': ['hooks', 'device'],
  'GET /v1/projects': ['hooks', 'device'],
  'GET /v1/sessions': ['hooks', 'device'],
  'GET /v1/sessions/{id}': ['hooks', 'device'],
  'GET /v1/sessions/{id}/offers': ['hooks', 'device'],
  'GET /v1/calls/{id}': ['hooks'],
  'GET /v1/audits/waiting': ['hooks'],
  'GET /v1/index': ['hooks', 'device'],
  'GET /v1/metrics': ['hooks', 'device'],
  'GET /v1/model': ['hooks', 'device'],
  'GET /v1/dead-letters': ['hooks', 'device'],
  'GET /v1/consolidation/runs': ['hooks', 'device'],
  'GET /v1/consolidation/runs/{id}': ['hooks', 'device'],

  // an agent has no use for the live page
  'POST /v1/token': ['device'],

  // what a person decides, on the phone as well
  'GET /v1/commands/checks': ['device'],
  'POST /v1/commands/overrule': ['device'],
  'PUT /v1/commands/checks/{code}/judgement': ['device'],
  'GET /v1/commands/verdicts': ['device'],
  'DELETE /v1/commands/verdicts/{code}': ['device'],
  'GET /v1/settings': ['device'],
  'PUT /v1/settings': ['device'],
  'GET /v1/commands/rules': ['device'],
  'GET /v1/dashboard': ['device'],
  'PATCH /v1/learnings/{id}': ['device'],
  // an agent may read what would stop it, and change nothing about it
  'PATCH /v1/guards/{id}': ['device'],
  'PUT /v1/guards/{id}': ['device'],
  'POST /v1/learnings/{id}/approve': ['device'],
  'POST /v1/learnings/{id}/retire': ['device'],
  'POST /v1/learnings/{id}/feedback': ['device'],
  // this does only what the next night would do anyway
  'POST /v1/consolidation/runs': ['device'],
  // these change what agents are told
  'PATCH /v1/patterns/{id}': ['device'],
  'POST /v1/amendments/{id}/undo': ['device'],
  'POST /v1/amendments/{id}/restore': ['device'],
  'POST /v1/consolidation/runs/{id}/undo': ['device'],
  'POST /v1/dead-letters/retry': ['device'],
  // the owner's, and only reading
  'POST /v1/sql': ['device'],

  // a device can add another one, and lock out one that was lost
  'POST /v1/pairings': ['device'],
  'GET /v1/keys': ['device'],
  'DELETE /v1/keys/{id}': ['device'],
  // each device has pushes sent to itself
  'GET /v1/push': ['device'],
  'PUT /v1/push': ['device'],
  'DELETE /v1/push': ['device'],
};

/** Agents' tools ask the routes above in the caller's name, so each of them needs the scope of its route. */
const ALL_METHODS = ['GET', 'POST', 'DELETE'].map((method) => [`${method} /mcp`, ['hooks']] as const);

const routes = [...Object.entries(OPEN_TO), ...ALL_METHODS].map(([route, scopes]) => {
  const [method, path = ''] = route.split(' ');
  return { method, path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), scopes };
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
