import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { MAX_BYTES, tooLarge } from '../http/middleware.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, limit } from '../http/schemas.ts';
import { findProject } from '../sessions/projects.ts';
import { exportPage, restoreSorted, sortRecords } from './transfer.ts';

const Exported = z
  .object({
    records: z.array(z.record(z.string(), z.unknown())),
    /** the `after` of the next page; null at the end */
    next: z.string().nullable(),
  })
  .openapi('Exported');

const Imported = z
  .object({
    imported: z.number(),
    skipped: z.number(),
    failed: z.array(z.object({ line: z.number(), reason: z.string() })),
  })
  .openapi('Imported');

const routes = {
  export: createRoute({
    method: 'get',
    path: '/v1/export',
    summary:
      'Notes, findings, plans, logs, every version of lessons, skills, facts, relations and decisions, and observations if asked for, page by page',
    request: {
      query: z.object({
        project: z.string().min(1).max(4096).optional(),
        after: z.string().min(1).max(500).optional(),
        observations: z.enum(['true', 'false']).default('false'),
        limit: limit(1000, 500),
      }),
    },
    responses: { 200: json(Exported, 'A page'), ...commonProblems },
  }),
  import: createRoute({
    method: 'post',
    path: '/v1/import',
    summary: 'Restore up to 1,000 records of an export; those already there are left as they are',
    request: body(
      z
        .strictObject({ records: z.array(z.record(z.string(), z.unknown())).min(1).max(1000) })
        .openapi('RecordsToImport'),
    ),
    responses: {
      200: json(Imported, 'What became of them; `line` counts the records from 1 on'),
      ...commonProblems,
    },
  }),
};

/** Routes that export and import a user's records. */
export function transferRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  app.openapi(routes.export, async (c) => {
    const { project, observations, ...rest } = c.req.valid('query');
    const options = { ...rest, observations: observations === 'true' };
    const page = await asCaller(services, c, async (tx) => {
      if (project === undefined) return exportPage(tx, options);
      const found = await findProject(tx, project);
      return found ? exportPage(tx, { ...options, projectId: found.id }) : { records: [], next: null };
    });
    return c.json(page, 200);
  });
  app.openapi(routes.import, async (c) => {
    const { records } = c.req.valid('json');
    // a skill with its files may be longer, but it comes alone
    if (records.length > 1 && (await c.req.arrayBuffer()).byteLength > MAX_BYTES) throw tooLarge(MAX_BYTES);
    const sorted = await sortRecords(records);
    const imported = await asCaller(services, c, (tx) => restoreSorted(tx, c.get('caller').userId, sorted));
    services.wake('embed');
    return c.json(imported, 200);
  });
  return app;
}
