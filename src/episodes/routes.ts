import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, limit, problem, time, wire } from '../http/schemas.ts';
import { listInProject, ProjectName } from '../sessions/projects.ts';
import { changeEpisode, getEpisode, keepPrivate, listEpisodes } from './episodes.ts';
import { COMPLEXITIES, OUTCOMES, TASK_TYPES } from './schema.ts';

const type = z.enum(TASK_TYPES);
const outcome = z.enum(OUTCOMES);
const id = z.string().min(8).max(45);

const Listed = z
  .object({
    id: z.string(),
    project: z.string(),
    /** the client's session id; null: it was imported */
    session: z.string().nullable(),
    description: z.string(),
    type,
    complexity: z.enum(COMPLEXITIES),
    branch: z.string().nullable(),
    workItems: z.array(z.string()),
    toolsUsed: z.record(z.string(), z.number()),
    filesModified: z.array(z.string()),
    outcome,
    testsPassed: z.boolean().nullable(),
    buildPassed: z.boolean().nullable(),
    error: z.string().nullable(),
    lastMessage: z.string().nullable(),
    startedAt: time,
    /** null: it goes on */
    endedAt: time.nullable(),
    durationMs: z.number().nullable(),
    tokens: z.number().nullable(),
    findings: z.array(z.string()),
    learnings: z.array(z.string()),
    private: z.boolean(),
  })
  .openapi('ListedEpisode');

const Episode = Listed.extend({
  steps: z.array(
    z.object({
      thought: z.string().nullable(),
      action: z.string(),
      tool: z.string(),
      targetKind: z.string().nullable(),
      ok: z.boolean().nullable(),
      stopped: z.literal(true).optional(),
    }),
  ),
}).openapi('Episode');

const Change = z
  .strictObject({
    description: z.string().trim().min(1).max(500).optional(),
    type: type.optional(),
    /** whether it stays in its project, also when a search asks for all of them */
    private: z.boolean().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'name at least one field to change',
    path: ['(body)'],
  })
  .openapi('EpisodeChange');

const noSuch = { 404: problem('No such episode'), 409: problem('The id is ambiguous') };
const reference = z.object({ id });

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/episodes',
    summary: 'Episodes without their steps, the newest first',
    request: {
      query: z.strictObject({
        project: z.string().min(1).max(4096).optional(),
        type: type.optional(),
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
    request: { params: reference },
    responses: { 200: json(Episode, 'The episode'), ...noSuch, ...commonProblems },
  }),
  change: createRoute({
    method: 'patch',
    path: '/v1/episodes/{id}',
    summary: 'Correct an episode, or keep it in its project',
    request: { params: reference, ...body(Change) },
    responses: { 200: json(Episode, 'The episode'), ...noSuch, ...commonProblems },
  }),
  keepPrivate: createRoute({
    method: 'put',
    path: '/v1/projects/private-episodes',
    summary: "Say whether a project's episodes stay in it: those that it has and those to come",
    request: body(z.strictObject({ project: ProjectName, private: z.boolean() }).openapi('EpisodePrivacy')),
    responses: {
      200: json(z.object({ changed: z.number() }), 'How many episodes changed'),
      ...commonProblems,
    },
  }),
};

export function episodeRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  app.openapi(routes.keepPrivate, async (c) => {
    const { project, private: value } = c.req.valid('json');
    const changed = await asCaller(services, c, (tx) => keepPrivate(tx, project, value));
    return c.json({ changed }, 200);
  });
  app.openapi(routes.list, async (c) => {
    const { project, session, ...filter } = c.req.valid('query');
    // an agent works in one project, and sees what is private to another only if it asks for that one
    const elsewhere = c.get('caller').scope === 'hooks' && project === undefined && session === undefined;
    const episodes = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) =>
        listEpisodes(tx, { ...filter, projectId, sessionId: session, elsewhere }),
      ),
    );
    return c.json({ episodes: wire(episodes) }, 200);
  });
  app.openapi(routes.get, async (c) => {
    return c.json(wire(await asCaller(services, c, (tx) => getEpisode(tx, c.req.valid('param').id))), 200);
  });
  app.openapi(routes.change, async (c) => {
    const { id } = c.req.valid('param');
    const episode = await asCaller(services, c, (tx) => changeEpisode(tx, id, c.req.valid('json')));
    services.wake('embed');
    return c.json(wire(episode), 200);
  });
  return app;
}
