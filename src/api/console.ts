import { createRoute, z } from '@hono/zod-openapi';
import { runConsole } from '../db/console.ts';
import type { Database } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { ownerOnly } from '../http/owner-only.ts';
import { type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem, wire } from '../http/schemas.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/sql',
  summary: "One SQL statement as the owner, under row level security; read-only unless 'write'",
  request: body(
    z
      .strictObject({ query: z.string().min(1).max(100_000), write: z.boolean().default(false) })
      .openapi('SqlQuery'),
  ),
  responses: {
    200: json(
      z
        .object({
          columns: z.array(z.string()),
          rows: z.array(z.record(z.string(), z.unknown())),
          affected: z.number().nullable(),
          /** what is missing of the result, in words; null if nothing is */
          cut: z.string().nullable(),
        })
        .openapi('SqlResult'),
      'The rows',
    ),
    403: problem('Only the owner has a console'),
    ...commonProblems,
  },
});

export function consoleRoutes(services: { db: Database }): Router {
  const app = router();
  app.openapi(route, async (c) => {
    const caller = c.get('caller');
    // Free SQL needs somebody who is trusted not to look for ways around row level security (docs/tenancy.md).
    ownerOnly(caller, 'has a console');
    const { query, write } = c.req.valid('json');
    // A phone is easily lost, and what it shows is easily tapped.
    if (write && caller.scope !== 'person') {
      throw new Problem({
        status: 403,
        title: 'Not allowed',
        detail: 'A device’s console only reads. lore sql --write writes, in a terminal.',
        errors: [{ field: 'write', message: 'must be false with this key' }],
      });
    }
    return c.json(
      wire(
        await runConsole(services.db, caller, query, {
          write,
          by: caller.scope === 'person' ? 'person' : 'device',
        }),
      ),
      200,
    );
  });
  return app;
}
