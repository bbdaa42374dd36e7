import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest, Problem } from '../errors/problem.ts';
import { findProject, type Project, projectWithName } from './projects.ts';
import { claimPlace, type Place } from './which-project.ts';

// Two projects become one: because a person says so, or because a repository that nobody knew has the first commit of
// one that is known.

/** How many rows of each table were moved to the other project, and how many the other has already. */
export type Joined = {
  from: string;
  into: string;
  moved: Record<string, number>;
  stayed: Record<string, number>;
};

/**
 * Moves all that one of the caller's projects has to another one, for good. From then on its names lead there.
 *
 * @throws Problem (404) when there is no such project, (400) when both are one
 */
export async function joinProjects(tx: Tx, names: { from: string; into: string }): Promise<Joined> {
  const [from, into] = [await theProject(tx, names.from), await theProject(tx, names.into)];
  if (from.id === into.id)
    throw badRequest('into', `${names.from} and ${names.into} are one project already`);
  return join(tx, from, into);
}

async function theProject(tx: Tx, name: string): Promise<Project> {
  const found = await findProject(tx, name);
  if (found) return found;
  throw new Problem({ status: 404, title: 'Project not found', detail: `You have no project ${name}.` });
}

export async function join(tx: Tx, from: Project, into: Project): Promise<Joined> {
  const rows = await query<{ kind: string; moved: number; stayed: number }>(
    tx,
    sql`select * from join_projects(${from.id}::uuid, ${into.id}::uuid)`,
  );
  const counts = (which: 'moved' | 'stayed') =>
    Object.fromEntries(rows.filter((row) => row[which] > 0).map((row) => [row.kind, row[which]]));
  return { from: from.name, into: into.name, moved: counts('moved'), stayed: counts('stayed') };
}

/** Returns whether a project's hooks are to tell the first commit of its repository. */
export async function lacksFirstCommit(tx: Tx, projectId: string): Promise<boolean> {
  const [row] = await query<{ lacks: boolean }>(
    tx,
    sql`select first_commit is null as lacks from projects where id = ${projectId}::uuid`,
  );
  return row?.lacks ?? false;
}

/**
 * Keeps the first commit of a project's repository. If it is that of an older project, and this one is new and knows
 * nothing yet, it is the same project: one of them has no remote, or both remotes end in the same name. Others are only
 * listed (`lore projects`), because a template is the beginning of many.
 *
 * @returns the project that this one was joined to
 */
export async function keepFirstCommit(
  tx: Tx,
  projectId: string,
  commit: string,
  { mayJoin = true } = {},
): Promise<Joined | null> {
  const [own] = await query<Project & { fresh: boolean }>(
    tx,
    sql`update projects p set first_commit = ${commit}
        where p.id = ${projectId} and p.first_commit is null
        returning p.id, p.name,
          p.created_at > now() - interval '1 hour'
          and not exists (select from learnings l where l.project_id = p.id)
          and not exists (select from notes n where n.project_id = p.id)
          and not exists (select from facts f where f.project_id = p.id) as fresh`,
  );
  if (!own?.fresh || commit === '' || !mayJoin) return null;
  const others = await query<Project>(
    tx,
    sql`select id, name from projects where first_commit = ${commit} and id <> ${own.id}::uuid limit 2`,
  );
  const [other] = others;
  if (other === undefined || others.length > 1 || !mayBeOne(own.name, other.name)) return null;
  return join(tx, own, other);
}

/** Returns whether two names of repositories with the same first commit may be those of one. */
const mayBeOne = (a: string, b: string): boolean =>
  a.startsWith('/') || b.startsWith('/') || lastPart(a) === lastPart(b);

const lastPart = (name: string) => name.slice(name.lastIndexOf('/') + 1).toLowerCase();

/**
 * Joins projects that are named by their folder, because something was written there before anybody knew its remote, to
 * those of their remotes. Until 0.6 all hooks of such a folder were refused. Where sessions ran in both, a person decides.
 *
 * @param placeIn tells what the files of a folder on this machine say of its place
 */
export async function joinStrays(tx: Tx, placeIn: (folder: string) => Place): Promise<Joined[]> {
  const named = await query<Project & { worked: boolean }>(
    tx,
    sql`select id, name, exists (select from sessions s where s.project_id = p.id) as worked
        from projects p where starts_with(name, '/')`,
  );
  const joined: Joined[] = [];
  for (const { worked, ...stray } of named) {
    const place = placeIn(stray.name);
    if (place.root !== stray.name || place.repo === undefined) continue;
    const own = await projectWithName(tx, place.repo);
    if (own === undefined || (worked && (await hasSessions(tx, own.id)))) continue;
    const { project } = await claimPlace(tx, place);
    joined.push(await join(tx, stray, project));
  }
  return joined;
}

async function hasSessions(tx: Tx, projectId: string): Promise<boolean> {
  const rows = await query(tx, sql`select from sessions where project_id = ${projectId}::uuid limit 1`);
  return rows.length > 0;
}
