import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../../db/open.ts';
import { asCaller, type Router, router } from '../../http/router.ts';
import { commonProblems, json, limit, problem, time, wire } from '../../http/schemas.ts';
import { listInProject } from '../../sessions/projects.ts';
import { getEpisode, listEpisodes } from './episodes.ts';
import { EPISODE_OUTCOMES, TASK_TYPES } from './schema.ts';

const outcome = z.enum(EPISODE_OUTCOMES);

const Listed = z
  .object({
    id: z.string(),
    project: z.string(),
    /** the client's session id; null: it was imported */
    session: z.string().nullable(),
    description: z.string(),
    type: z.enum(TASK_TYPES),
    filesModified: z.array(z.string()),
    outcome,
    error: z.string().nullable(),
    lastMessage: z.string().nullable(),
    startedAt: time,
    /** null: it goes on */
    endedAt: time.nullable(),
  })
  .openapi('ListedEpisode');

const Episode = Listed.extend({
  steps: z.array(
    z.object({
      action: z.string(),
      tool: z.string(),
      targetKind: z.string().nullable(),
      ok: z.boolean().nullable(),
      stopped: z.literal(true).optional(),
    }),
  ),
}).openapi('Episode');

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/episodes',
    summary: 'Episodes without their steps, the newest first',
    request: {
      query: z.strictObject({
        project: z.string().min(1).max(4096).optional(),
        outcome: outcome.optional(),
        /** the client's session id, or Lore's */
        session: z.string().min(1).max(200).optional(),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
    },
    responses: { 200: json(z.object({ episodes: z.array(Listed) }), 'The episodes'), ...commonProblems },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/episodes/{id}',
    summary: 'An episode with its steps, by its id or the beginning of it',
    request: { params: z.object({ id: z.string().min(8).max(45) }) },
    responses: {
      200: json(Episode, 'The episode'),
      404: problem('No such episode'),
      409: problem('The id is ambiguous'),
      ...commonProblems,
    },
  }),
};

export function episodeRoutes(services: { db: Database }): Router {
  const app = router();
  app.openapi(routes.list, async (c) => {
    const { project, session, ...filter } = c.req.valid('query');
    const episodes = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) =>
        listEpisodes(tx, { ...filter, projectId, sessionId: session }),
      ),
    );
    return c.json({ episodes: wire(episodes) }, 200);
  });
  app.openapi(routes.get, async (c) => {
    return c.json(wire(await asCaller(services, c, (tx) => getEpisode(tx, c.req.valid('param').id))), 200);
  });
  return app;
}
