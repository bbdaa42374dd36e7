import { z } from '@hono/zod-openapi';
import { runConsole } from '../../db/console.ts';
import type { Database } from '../../db/open.ts';
import { ownerOnly } from '../../http/owner-only.ts';
import { type Router, router } from '../../http/router.ts';
import { wire } from '../../http/schemas.ts';
import { serve } from '../../kinds/records/serve.ts';

const Query = z.strictObject({ query: z.string().min(1).max(100_000) }).openapi('SqlQuery');

const Result = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.record(z.string(), z.unknown())),
    /** what is missing of the result, in words; null if nothing is */
    cut: z.string().nullable(),
  })
  .openapi('SqlResult');

export function consoleRoutes(services: { db: Database }): Router {
  const app = router();
  serve(app, services)(
    'POST /v1/sql',
    'One SQL statement that reads, as the owner, under row level security',
    { body: Query, answer: Result, problems: { 403: 'Only the owner has a console' } },
    async ({ caller, body: { query } }) => {
      // Free SQL needs somebody who is trusted not to look for ways around row level security (docs/tenancy.md).
      ownerOnly(caller, 'has a console');
      return wire(await runConsole(services.db, caller, query));
    },
  );
  return app;
}
