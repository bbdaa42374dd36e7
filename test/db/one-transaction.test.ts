import { OpenAPIHono } from '@hono/zod-openapi';
import { beforeEach, expect, test } from 'vitest';
import type { Claims } from '../../src/db/as-user.ts';
import type { Database, Tx } from '../../src/db/open.ts';
import type { Env } from '../../src/http/env.ts';
import { planRoutes } from '../../src/plans/routes.ts';
import { searchRoutes } from '../../src/search/routes.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
let transactions = 0;
beforeEach(() => {
  transactions = 0;
});

/** The server's database, which counts its transactions. */
const counted: Database = {
  ...server.db,
  drizzle: new Proxy(server.db.drizzle, {
    get(tx, name) {
      if (name === 'transaction') transactions++;
      const value = tx[name as keyof Tx] as unknown;
      return typeof value === 'function' ? value.bind(tx) : value;
    },
  }),
};

/** Answers requests of a caller by a room's routes alone. */
function calls(caller: Claims, routes: OpenAPIHono<Env>) {
  const app = new OpenAPIHono<Env>();
  app.use(async (c, next) => {
    c.set('caller', { ...caller, scope: 'person' } as Env['Variables']['caller']);
    await next();
  });
  app.route('/', routes);
  return async (path: string, body: object) => {
    const answer = await app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
    return { status: answer.status, body: (await answer.json()) as any };
  };
}

test('claiming, keeping and completing a step each take one transaction', async () => {
  const { key, userId } = await server.member();
  const made = await server.request('POST', '/v1/plans', {
    key,
    body: { project: '/home/dev/app', goal: 'Ship it', steps: [{ description: 'Build it' }] },
  });
  const post = calls(
    { userId, role: 'member' },
    planRoutes({ db: counted, config: { stepLeaseSeconds: 60 } }),
  );
  for (const [n, action] of ['claim', 'claim', 'complete'].entries()) {
    const { status, body } = await post(`/v1/plans/${made.body.id}/steps/1/${action}`, { agent: 'builder' });
    expect({ action, status, holder: body.step?.assignedTo }).toEqual({
      action,
      status: 200,
      holder: 'builder',
    });
    expect(transactions).toBe(n + 1);
  }
});

test('a search, explained or not, takes one transaction', async () => {
  const { key, userId } = await server.member();
  await server.request('POST', '/v1/notes', {
    key,
    body: {
      project: '/home/dev/app',
      agent: 'builder',
      content: 'The pool has twenty connections.',
    },
  });
  await server.settled();
  const post = calls(
    { userId, role: 'member' },
    searchRoutes({
      db: counted,
      inBackground: () => {},
      embedQuery: async () => null,
      finds: { found: () => {} },
      embedder: { status: () => ({ state: 'loading', model: null }) } as never,
      wake: () => {},
    }),
  );
  for (const [n, explain] of [false, true].entries()) {
    const { status, body } = await post('/v1/search', { query: 'pool connections', explain });
    expect(status).toBe(200);
    expect(body.results).toHaveLength(1);
    expect(body.results[0].metadata).toMatchObject({ project: expect.anything() });
    expect(transactions).toBe(n + 1);
  }
});
