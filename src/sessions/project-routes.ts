import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { badRequest } from '../base/errors/problem.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { served } from '../http/serve.ts';
import { kindOf, type Row } from '../kinds/kind.ts';
import { redactValue } from '../redaction/redact.ts';
import {
  type Project as OneProject,
  otherProject,
  ProjectName,
  projectNamed,
  theProject,
} from './projects.ts';
import { projects } from './schema.ts';
import { claimPlace, whichProject } from './which-project.ts';

/** `also`: names that lead to it too; `roots`: the work trees of its sessions */
const shownProjects = kindOf<Row & { name: string; roots: string[] }>(
  'project',
  projects,
  ['id', 'permissions'],
  {
    roots: {
      as: z.array(z.string()),
      sql: sql`array(select s.root from sessions s where s.project_id = t.id and s.root is not null
        group by s.root order by max(s.last_activity) desc)`,
    },
  },
  'last_activity',
);
const Project = z.object(shownProjects.shape).openapi('Project');

/** Returns all the caller's projects, the last active first. */
export const listProjects = (tx: Tx) => shownProjects.read(tx, sql`true`, sql`order by t.last_activity desc`);

/** how many rows of each kind were (or with dryRun would be) moved, and stayed */
const Counts = z.record(z.string(), z.number());
const Joined = z
  .object({ from: z.string(), into: z.string(), moved: Counts, stayed: Counts })
  .openapi('JoinedProjects');
/** `joined`: the project that turned out to be this one, and was joined */
const Made = z.object({ name: z.string(), joined: z.string().nullable() });

const name = z.string().min(1).max(4096);
const folder = name.refine((path) => !path.includes('\0'), 'holds a NUL character');
const Place = z.strictObject({
  cwd: folder,
  /** the work tree around it */
  root: folder.optional(),
  /** the normalised remote of its repository */
  repo: z.string().min(1).max(500).optional(),
  /** the main work tree of the repository, if `root` is a linked one */
  main: folder.optional(),
});
const Wanted = z.union([z.strictObject({ name: ProjectName }), Place]);

export const projectRoutes = served<{
  db: Database;
  /** events that wait are stored before their project is joined to another one */
  journal: { drained(userId?: string): Promise<unknown> } | null;
  /** what is remembered of a user's sessions and plans names their project */
  sessions: { forget(userId: string): void };
  plans: { forget(userId: string): void };
}>((route, services) => {
  const forget = (userId: string) => {
    services.sessions.forget(userId);
    services.plans.forget(userId);
  };
  route(
    'POST /v1/projects/which',
    'Which project a folder is, as for the sessions in it; `exists` is false if nobody has worked there yet',
    {
      body: Place,
      answer: z.object({ name: z.string(), exists: z.boolean() }),
      problems: { 403: 'Of another project than the key is for' },
    },
    ({ as, body, caller: { projectId } }) =>
      as(async (tx) => {
        const { project, name, disputed } = await whichProject(tx, body, projectId);
        if (projectId && (disputed || project?.id !== projectId)) throw await otherProject(tx, projectId);
        return { name, exists: project !== null };
      }),
  );
  route(
    'POST /v1/projects',
    'Make a folder, or a name, that of a project; the project is made on first use',
    { body: Wanted, answer: Made },
    async ({ as, body, caller }) => {
      const made = await as((tx) => makeProject(tx, redactValue(body)));
      if (made.joined !== null) forget(caller.userId);
      return made;
    },
  );
  route(
    'GET /v1/projects',
    'Projects, the last active first',
    { answer: z.object({ projects: z.array(Project) }) },
    async ({ as }) => ({ projects: await as(listProjects) }),
  );
  route(
    'POST /v1/projects/join',
    'Permanently move all that a project has to another one; dryRun only counts',
    {
      body: z.strictObject({ from: name, into: name, dryRun: z.boolean().default(false) }),
      answer: Joined,
      problems: { 404: 'No such project' },
    },
    async ({ as, body: { dryRun, ...names }, caller: { userId } }) => {
      await services.journal?.drained(userId);
      const undo = { joined: undefined as z.infer<typeof Joined> | undefined };
      await as(async (tx) => {
        const [from, into] = [await theProject(tx, names.from), await theProject(tx, names.into)];
        if (from.id === into.id)
          throw badRequest('into', `${names.from} and ${names.into} are one project already`);
        undo.joined = await join(tx, from, into);
        if (dryRun) throw undo;
      }).catch((error) => {
        if (error !== undo) throw error;
      });
      if (!dryRun) forget(userId);
      return undo.joined as z.infer<typeof Joined>;
    },
  );
});

async function makeProject(tx: Tx, wanted: z.infer<typeof Wanted>): Promise<z.infer<typeof Made>> {
  if ('name' in wanted) return { name: (await projectNamed(tx, wanted.name, true)).name, joined: null };
  const { project, stray } = await claimPlace(tx, wanted);
  if (stray) await join(tx, stray, project);
  return { name: project.name, joined: stray?.name ?? null };
}

/** Moves all that one of the caller's projects has to another one, for good. From then on its names lead there. */
async function join(tx: Tx, from: OneProject, into: OneProject): Promise<z.infer<typeof Joined>> {
  const rows = await query<{ kind: string; moved: number; stayed: number }>(tx)`
    select * from join_projects(${from.id}::uuid, ${into.id}::uuid)`;
  const counts = (which: 'moved' | 'stayed') =>
    Object.fromEntries(rows.filter((row) => row[which] > 0).map((row) => [row.kind, row[which]]));
  return { from: from.name, into: into.name, moved: counts('moved'), stayed: counts('stayed') };
}
