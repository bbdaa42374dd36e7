import { createRoute, z } from '@hono/zod-openapi';
import { ownerOnly } from '../http/owner-only.ts';
import { type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem } from '../http/schemas.ts';
import { type BackupServices, writeBackup } from './backup.ts';

const Made = z
  .object({
    folder: z.string(),
    version: z.string(),
    at: z.string(),
    engine: z.string(),
    /** by table */
    rows: z.record(z.string(), z.number()),
  })
  .openapi('Backup');

const route = createRoute({
  method: 'post',
  path: '/v1/backup',
  summary: 'Write a backup into a folder of the server’s machine, and verify it (owner only)',
  request: body(z.strictObject({ folder: z.string().min(1).max(4_000) })),
  responses: {
    200: json(Made, 'What was written'),
    403: problem('Owner only'),
    409: problem('The database is PostgreSQL, which has its own tools'),
    ...commonProblems,
  },
});

/** The route that writes a backup. */
export function backupRoutes(services: BackupServices): Router {
  const app = router();
  app.openapi(route, async (c) => {
    ownerOnly(c.get('caller'), 'backs it up');
    const { folder } = c.req.valid('json');
    return c.json({ folder, ...(await writeBackup(services, folder)) }, 200);
  });
  return app;
}
