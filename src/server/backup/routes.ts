import { z } from '@hono/zod-openapi';
import { ownerOnly } from '../../http/owner-only.ts';
import { type Router, router } from '../../http/router.ts';
import { serve } from '../../kinds/records/serve.ts';
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

/** The route that writes a backup. */
export function backupRoutes(services: BackupServices): Router {
  const app = router();
  serve(app, services)(
    'POST /v1/backup',
    'Write a backup into a folder of the server’s machine, and verify it (owner only)',
    {
      body: z.strictObject({ folder: z.string().min(1).max(4_000) }),
      answer: Made,
      problems: { 403: 'Owner only', 409: 'The database is PostgreSQL, which has its own tools' },
    },
    async ({ caller, body: { folder } }) => {
      ownerOnly(caller, 'backs it up');
      return { folder, ...(await writeBackup(services, folder)) };
    },
  );
  return app;
}
