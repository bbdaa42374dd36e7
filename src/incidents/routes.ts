import { z } from '@hono/zod-openapi';
import type { Database, Tx } from '../db/open.ts';
import { type Router, router } from '../http/router.ts';
import { limit, time } from '../http/schemas.ts';
import { serve } from '../kinds/records/serve.ts';
import { listInProject } from '../sessions/projects.ts';
import { listIncidents } from './incidents.ts';

const Incident = z
  .object({
    id: z.string(),
    project: z.string(),
    sessionId: z.string().nullable(),
    agentId: z.string().nullable(),
    toolName: z.string(),
    target: z.string().nullable(),
    /** the whole line of a shell, else the target */
    call: z.string().nullable(),
    error: z.string(),
    errorType: z.string().nullable(),
    signature: z.string(),
    status: z.enum(['open', 'resolved', 'unresolved']),
    resolution: z
      .object({
        /** how the call that worked resembles the one that failed: same, arguments, other */
        kind: z.string(),
        toolUseId: z.string().nullable(),
        /** the call that worked */
        command: z.string().nullable(),
        edits: z.array(
          z.object({ file: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
        ),
        commands: z.array(z.string()),
        /** what did not help */
        attempts: z.array(z.string()),
        /** what the person said in between, and what the agent said at the end of the turn */
        said: z.string().nullable(),
        lastMessage: z.string().nullable(),
        /** the session in which it worked, if it is another one */
        sessionId: z.string().nullable(),
      })
      .nullable(),
    /** what was done in vain, and the error in which the last try ended */
    tried: z.object({ steps: z.array(z.string()), end: z.string() }).nullable(),
    /** how often it came in the project; with `session`: in that session */
    times: z.number(),
    /** of the last time */
    openedAt: time,
    resolvedAt: time.nullable(),
  })
  .openapi('Incident');

const filters = z.object({
  project: z.string().min(1).max(4096).optional(),
  limit: limit(500, 50),
  /** unsolved: open or unresolved */
  status: z.enum(['open', 'resolved', 'unresolved', 'unsolved']).optional(),
  /** the client's session id, or Lore's */
  session: z.string().min(1).max(200).optional(),
});

export function incidentRoutes(services: { db: Database }): Router {
  const app = router();
  serve(app, services)(
    'GET /v1/incidents',
    'Errors seen and what resolved them, the newest first; one that came again is one',
    { query: filters, answer: z.object({ incidents: z.array(Incident) }) },
    async ({ as, query: { project, ...filter } }) => {
      const list = (tx: Tx) =>
        listInProject(tx, project, (projectId) => listIncidents(tx, { ...filter, projectId }));
      return { incidents: await as(list) };
    },
  );
  return app;
}
