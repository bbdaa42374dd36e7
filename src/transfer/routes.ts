import { z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { MAX_BYTES, tooLarge } from '../http/middleware.ts';
import { type Router, router } from '../http/router.ts';
import { limit } from '../http/schemas.ts';
import { serve } from '../records/serve.ts';
import { findProject } from '../sessions/projects.ts';
import { exportPage, restoreSorted, sortRecords } from './transfer.ts';

const record = z.record(z.string(), z.unknown());
const Exported = z
  .object({
    records: z.array(record),
    /** the `after` of the next page; null at the end */
    next: z.string().nullable(),
  })
  .openapi('Exported');
const Imported = z
  .object({
    imported: z.number(),
    skipped: z.number(),
    /** `line` counts the records from 1 on */
    failed: z.array(z.object({ line: z.number(), reason: z.string() })),
  })
  .openapi('Imported');

/** Routes that export and import a user's records. */
export function transferRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'GET /v1/export',
    'Notes, findings, plans, logs, every version of lessons, skills, facts, relations and decisions, and observations if asked for, page by page',
    {
      query: z.object({
        project: z.string().min(1).max(4096).optional(),
        after: z.string().min(1).max(500).optional(),
        observations: z.enum(['true', 'false']).default('false'),
        limit: limit(1000, 500),
      }),
      answer: Exported,
    },
    ({ as, query: { project, observations, ...rest } }) =>
      as(async (tx) => {
        const options = { ...rest, observations: observations === 'true' };
        if (project === undefined) return exportPage(tx, options);
        const found = await findProject(tx, project);
        return found ? exportPage(tx, { ...options, projectId: found.id }) : { records: [], next: null };
      }),
  );
  route(
    'POST /v1/import',
    'Restore up to 1,000 records of an export; those already there are left as they are',
    {
      body: z.strictObject({ records: z.array(record).min(1).max(1000) }).openapi('RecordsToImport'),
      answer: Imported,
    },
    async ({ as, caller, body: { records }, bytes }) => {
      // a skill with its files may be longer, but it comes alone
      if (records.length > 1 && (await bytes()) > MAX_BYTES) throw tooLarge(MAX_BYTES);
      const sorted = await sortRecords(records);
      const imported = await as((tx) => restoreSorted(tx, caller.userId, sorted));
      services.wake('embed');
      return imported;
    },
  );
  return app;
}
