import { z } from '@hono/zod-openapi';
import type { Database, Tx } from '../db/open.ts';
import { limit } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { listInProject } from '../sessions/projects.ts';
import { listIncidents, shownIncidents } from './incidents.ts';

const Incident = z.object(shownIncidents.shape).openapi('Incident');

const filters = z.object({
  project: z.string().min(1).max(4096).optional(),
  limit: limit(500, 50),
  /** unsolved: open or unresolved */
  status: z.enum(['open', 'resolved', 'unresolved', 'unsolved']).optional(),
  /** the client's session id, or Lore's */
  session: z.string().min(1).max(200).optional(),
});

export const incidentRoutes = served<{ db: Database }>((route) => {
  route(
    'GET /v1/incidents',
    'Errors seen and what resolved them, the newest first; one that came again is one',
    { query: filters, answer: z.object({ incidents: z.array(Incident) }) },
    async ({ as, query: { project, ...filter } }) => {
      const list = (tx: Tx) => listInProject(tx, project, (id) => listIncidents(tx, id, filter));
      return { incidents: await as(list) };
    },
  );
});
