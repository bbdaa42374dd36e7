import { z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { type Router, router } from '../http/router.ts';
import { limit, time } from '../http/schemas.ts';
import { serve } from '../kinds/records/serve.ts';
import { listInProject } from '../sessions/projects.ts';
import { listAmendments, setUndone } from './amendments.ts';

const Side = z.object({ id: z.string(), content: z.string() });

export const Amendment = z
  .object({
    id: z.string(),
    kind: z.string(),
    project: z.string().nullable(),
    newer: Side,
    older: Side,
    evidence: z.object({
      words: z.string(),
      similarity: z.number().nullable(),
      model: z.string().nullable(),
    }),
    createdAt: time,
    undoneAt: time.nullable(),
  })
  .openapi('Amendment');

const Query = z.object({
  project: z.string().min(1).max(4096).optional(),
  /** only links from or to this record */
  record: z.guid().optional(),
  limit: limit(500, 50),
});

export function amendmentRoutes(services: { db: Database }): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'GET /v1/amendments',
    'Which records amend which older ones, and why; the newest link first, those that were undone too',
    { query: Query, answer: z.object({ amendments: z.array(Amendment) }) },
    async ({ query: { project, record, limit }, as }) => {
      const records = record === undefined ? undefined : [record];
      const amendments = await as((tx) =>
        listInProject(tx, project, (projectId) => listAmendments(tx, { projectId, records, limit })),
      );
      return { amendments };
    },
  );
  const change = {
    params: z.object({ id: z.string().min(8).max(45) }),
    answer: Amendment,
    problems: { 404: 'No such link', 409: 'The id is ambiguous' },
  };
  const set =
    (
      undone: boolean,
    ): Parameters<typeof route<typeof change.params, undefined, undefined, typeof Amendment>>[3] =>
    ({ params, as }) =>
      as((tx) => setUndone(tx, params.id, undone));
  route('POST /v1/amendments/{id}/undo', 'Undo a link; search no longer follows it', change, set(true));
  route('POST /v1/amendments/{id}/restore', 'Let a link hold again that was undone', change, set(false));
  return app;
}
