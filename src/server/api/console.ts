import { z } from '@hono/zod-openapi';
import { Problem } from '../../base/errors/problem.ts';
import { runConsole } from '../../db/console.ts';
import type { Database } from '../../db/open.ts';
import { ownerOnly } from '../../http/owner-only.ts';
import { type Router, router } from '../../http/router.ts';
import { wire } from '../../http/schemas.ts';
import { serve } from '../../kinds/records/serve.ts';

const Query = z
  .strictObject({ query: z.string().min(1).max(100_000), write: z.boolean().default(false) })
  .openapi('SqlQuery');

const Result = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.record(z.string(), z.unknown())),
    affected: z.number().nullable(),
    /** what is missing of the result, in words; null if nothing is */
    cut: z.string().nullable(),
  })
  .openapi('SqlResult');

export function consoleRoutes(services: { db: Database }): Router {
  const app = router();
  serve(app, services)(
    'POST /v1/sql',
    "One SQL statement as the owner, under row level security; read-only unless 'write'",
    { body: Query, answer: Result, problems: { 403: 'Only the owner has a console' } },
    async ({ caller, body: { query, write } }) => {
      // Free SQL needs somebody who is trusted not to look for ways around row level security (docs/tenancy.md).
      ownerOnly(caller, 'has a console');
      const by = caller.scope === 'person' ? 'person' : 'device';
      // A phone is easily lost, and what it shows is easily tapped.
      if (write && by === 'device') {
        throw new Problem({
          status: 403,
          title: 'Not allowed',
          detail: 'A device’s console only reads. lore sql --write writes, in a terminal.',
          errors: [{ field: 'write', message: 'must be false with this key' }],
        });
      }
      return wire(await runConsole(services.db, caller, query, { write, by }));
    },
  );
  return app;
}
