import { createRoute, z } from '@hono/zod-openapi';
import type { Database, Tx } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem, time, wire } from '../http/schemas.ts';
import { join, joinProjects, keepFirstCommit } from './join-projects.ts';
import { listProjects, otherProject, ProjectName, projectNamed } from './projects.ts';
import { findSession } from './sessions.ts';
import { claimPlace, whichProject } from './which-project.ts';

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

const folder = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.includes('\0'), 'holds a NUL character');
const Place = z.strictObject({
  cwd: folder,
  /** the work tree around it */
  root: folder.optional(),
  /** the normalised remote of its repository */
  repo: z.string().min(1).max(500).optional(),
  /** the main work tree of the repository, if `root` is a linked one */
  main: folder.optional(),
});
const commit = z
  .string()
  .regex(/^([0-9a-f]{40}([0-9a-f]{24})?)?$/, 'must be the whole id of a commit, or empty');

const routes = {
  which: createRoute({
    method: 'post',
    path: '/v1/projects/which',
    summary: 'Which project a folder is, as for the sessions in it',
    request: body(Place),
    responses: {
      200: json(
        z.object({
          name: z.string(),
          /** false: nobody has worked there yet */
          exists: z.boolean(),
        }),
        'The project',
      ),
      403: problem('Of another project than the key is for'),
      ...commonProblems,
    },
  }),
  make: createRoute({
    method: 'post',
    path: '/v1/projects',
    summary: 'Make a folder, or a name, that of a project; the project is made on first use',
    request: body(
      z.union([
        z.strictObject({ name: ProjectName }),
        Place.extend({
          /** the first commit of its repository */
          commit: commit.optional(),
        }),
      ]),
    ),
    responses: {
      200: json(
        z.object({
          name: z.string(),
          /** the project that turned out to be this one, and was joined */
          joined: z.string().nullable(),
        }),
        'The project',
      ),
      ...commonProblems,
    },
  }),
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
        commit,
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
  app.openapi(routes.which, async (c) => {
    const place = c.req.valid('json');
    const { projectId } = c.get('caller');
    const found = await asCaller(
      services,
      c,
      async (tx) => {
        const { project, name, disputed } = await whichProject(tx, place, projectId);
        if (projectId && (disputed || project?.id !== projectId)) throw await otherProject(tx, projectId);
        return { name, exists: project !== null };
      },
      { readOnly: true },
    );
    return c.json(found, 200);
  });
  app.openapi(routes.make, async (c) => {
    const wanted = c.req.valid('json');
    const made = await asCaller(services, c, (tx) => makeProject(tx, wanted));
    if (made.joined !== null) forget(c.get('caller').userId);
    return c.json(made, 200);
  });
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
    const joined = await asCaller(services, c, async (tx) => {
      const its = await findSession(tx, session);
      // whoever has the key of one project says nothing of another
      const { projectId } = c.get('caller');
      if (!its || (projectId && its.projectId !== projectId)) return null;
      return keepFirstCommit(tx, its.projectId, commit, { mayJoin: !projectId });
    });
    if (joined) forget(c.get('caller').userId);
    return c.json({ joined: joined?.into ?? null }, 200);
  });
  return app;
}

type Wanted = { name: string } | (z.infer<typeof Place> & { commit?: string | undefined });

async function makeProject(tx: Tx, wanted: Wanted): Promise<{ name: string; joined: string | null }> {
  if ('name' in wanted) return { name: (await projectNamed(tx, wanted.name)).name, joined: null };
  const { commit, ...place } = wanted;
  const { project, stray } = await claimPlace(tx, place);
  if (stray) await join(tx, stray, project);
  const older = commit === undefined ? null : await keepFirstCommit(tx, project.id, commit);
  return older
    ? { name: older.into, joined: older.from }
    : { name: project.name, joined: stray?.name ?? null };
}
