import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem, time, wire } from '../http/schemas.ts';
import { joinProjects, keepFirstCommit } from './join-projects.ts';
import { listProjects } from './projects.ts';

const Project = z
  .object({
    name: z.string(),
    /** names that lead to it too */
    also: z.array(z.string()),
    /** projects whose repositories began with the same commit */
    sameBeginning: z.array(z.string()),
    roots: z.array(z.string()),
    createdAt: time,
    lastActivity: time,
  })
  .openapi('Project');

const Counts = z.record(z.string(), z.number());
const Joined = z
  .object({ from: z.string(), into: z.string(), moved: Counts, stayed: Counts })
  .openapi('JoinedProjects');

const name = z.string().min(1).max(4096);

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/projects',
    summary: 'Projects, the last active first',
    responses: { 200: json(z.object({ projects: z.array(Project) }), 'The projects'), ...commonProblems },
  }),
  join: createRoute({
    method: 'post',
    path: '/v1/projects/join',
    summary: 'Permanently move all that a project has to another one',
    request: body(
      z.strictObject({
        from: name,
        into: name,
        /** only count what would be moved */
        dryRun: z.boolean().default(false),
      }),
    ),
    responses: {
      200: json(Joined, 'How many rows of each kind were (or with dryRun would be) moved, and stayed'),
      404: problem('No such project'),
      ...commonProblems,
    },
  }),
  firstCommit: createRoute({
    method: 'post',
    path: '/v1/projects/first-commit',
    summary: 'Tell the first commit of the repository that a session runs in',
    request: body(
      z.strictObject({
        /** the client's id of the session */
        session: z.string().min(1).max(200),
        /** empty: it has none, or it was not found in time */
        commit: z
          .string()
          .regex(/^([0-9a-f]{40}([0-9a-f]{24})?)?$/, 'must be the whole id of a commit, or empty'),
      }),
    ),
    responses: {
      200: json(
        z.object({ joined: z.string().nullable() }),
        'The project that the session’s was joined to, because it is the same',
      ),
      ...commonProblems,
    },
  }),
};

export function projectRoutes(services: {
  db: Database;
  /** events that wait are stored before their project is joined to another one */
  journal: { drained(userId?: string): Promise<unknown> } | null;
  /** what is remembered of a user's sessions and plans names their project */
  sessions: { forget(userId: string): void };
  plans: { forget(userId: string): void };
}): Router {
  const app = router();
  const forget = (userId: string) => {
    services.sessions.forget(userId);
    services.plans.forget(userId);
  };
  app.openapi(routes.list, async (c) => {
    const rows = await asCaller(services, c, listProjects);
    return c.json({ projects: wire(rows) }, 200);
  });
  app.openapi(routes.join, async (c) => {
    const { dryRun, ...names } = c.req.valid('json');
    await services.journal?.drained(c.get('caller').userId);
    const undo = { joined: undefined as Awaited<ReturnType<typeof joinProjects>> | undefined };
    await asCaller(services, c, async (tx) => {
      undo.joined = await joinProjects(tx, names);
      if (dryRun) throw undo;
    }).catch((error) => {
      if (error !== undo) throw error;
    });
    if (!dryRun) forget(c.get('caller').userId);
    return c.json(undo.joined as NonNullable<typeof undo.joined>, 200);
  });
  app.openapi(routes.firstCommit, async (c) => {
    const { session, commit } = c.req.valid('json');
    await services.journal?.drained(c.get('caller').userId);
    const joined = await asCaller(services, c, (tx) => keepFirstCommit(tx, session, commit));
    if (joined) forget(c.get('caller').userId);
    return c.json({ joined: joined?.into ?? null }, 200);
  });
  return app;
}
