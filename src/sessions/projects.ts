import { homedir } from 'node:os';
import { desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import { renameKeysProject } from '../accounts/keys.ts';
import { indexable, MAX_INDEXED_BYTES } from '../db/columns.ts';
import type { Tx } from '../db/open.ts';
import { query } from '../db/open.ts';
import type { HookEvent } from './hook-event.ts';
import { projects } from './schema.ts';

/** Schema of the name of a project that may be new. */
export const ProjectName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_INDEXED_BYTES)
  .refine(
    (name) => Buffer.byteLength(name) <= MAX_INDEXED_BYTES,
    `must have at most ${MAX_INDEXED_BYTES} bytes in UTF-8`,
  );

export type Project = { id: string; name: string };

/** Returns SQL for a project's name, by the column that holds the project's id. */
export const projectNameOf = (projectId: SQLWrapper): SQL<string> =>
  sql<string>`(select p.name from projects p where p.id = ${projectId})`;

/** Returns SQL for whether a project's episodes are private to it, by the column that holds the project's id. */
export const keepsEpisodes = (projectId: SQLWrapper): SQL<boolean> =>
  sql<boolean>`(select p.private_episodes from projects p where p.id = ${projectId})`;

/** Sets whether a project's episodes are private to it. */
export async function setPrivateEpisodes(tx: Tx, projectId: string, value: boolean): Promise<void> {
  await tx.update(projects).set({ privateEpisodes: value }).where(eq(projects.id, projectId));
}

export type Permissions = NonNullable<(typeof projects.$inferSelect)['permissions']>;

/** Returns the projects that have a setting of their own for what answers to calls may say. */
export const ownPermissions = (tx: Tx): Promise<(Project & { permissions: Permissions })[]> =>
  query(tx, sql`select id, name, permissions from projects where permissions is not null order by name`);

/** Sets what the answers to calls may say in a project, which is made on first use; null: as in all projects. */
export async function setPermissions(tx: Tx, name: string, permissions: Permissions | null): Promise<void> {
  const { id } = await projectNamed(tx, name);
  await tx.update(projects).set({ permissions }).where(eq(projects.id, id));
}

/**
 * What is known of where a session runs. `root`, `repo` and `main` come from the session-start hook: the work tree, the
 * remote, and the main work tree of the repository if `root` is a linked one.
 */
export type SessionPlace = {
  cwd?: string | undefined;
  root?: string | undefined;
  repo?: string | undefined;
  main?: string | undefined;
};

/** Returns where the session of a hook event runs. */
export const placeOf = ({ cwd, lore }: HookEvent): SessionPlace => ({
  cwd: cwd ?? undefined,
  root: lore?.root ?? undefined,
  repo: lore?.repo ? sameRemote(lore.repo) : undefined,
  main: lore?.main ?? undefined,
});

const GITHUB = /^(?:www\.)?github\.com\//i;

/** Returns a remote in the form in which remotes are compared: GitHub ignores case. */
const sameRemote = (repo: string): string =>
  GITHUB.test(repo) ? repo.toLowerCase().replace(GITHUB, 'github.com/') : repo;

/**
 * Returns a name or path in the form in which names are compared: file systems give the letters of one name in one
 * piece or in several.
 */
const composed = (name: string): string => name.normalize('NFC');

/** Returns the forms in which a name may be stored: what was written before names were composed is found too. */
const formsOf = (name: string): string[] => [...new Set([name, composed(name), name.normalize('NFD')])];

/** Returns the project that has a name, or had it, in any of its forms; undefined if none has. */
async function projectWithName(tx: Tx, name: string): Promise<Project | undefined> {
  const forms = sql.param(formsOf(name).map(indexable));
  // those that were named before remotes were compared without case
  const anyCase = GITHUB.test(name) ? sql`or lower(name) = ${indexable(sameRemote(name))}` : sql``;
  const [project] = await query<Project>(
    tx,
    sql`select id, name from projects
        where user_id = auth.uid() and (name = any(${forms}::text[]) or also && ${forms}::text[] ${anyCase})
        order by name = ${indexable(name)} desc, name = any(${forms}::text[]) desc, last_activity desc limit 1`,
  );
  return project;
}

/** Returns the project of that name; it is created on first use. */
export async function ensureProject(tx: Tx, given: string): Promise<Project> {
  const other =
    formsOf(given).length > 1 || GITHUB.test(given) ? await projectWithName(tx, given) : undefined;
  const name = other?.name ?? composed(given);
  // Plain SQL, because every note comes through here and Drizzle needs 0.3 ms to build this statement.
  const [project] = await query<Project>(
    tx,
    // A name that a project had, or that was joined to it, leads to it.
    sql`insert into projects (name)
        values (coalesce((select p.name from projects p where p.user_id = auth.uid() and p.also @> array[${indexable(name)}]
          and not exists (select from projects o where o.user_id = auth.uid() and o.name = ${indexable(name)})
          limit 1), ${indexable(name)}))
        on conflict (user_id, name) do update set last_activity = now() returning id, name`,
  );
  return project as Project;
}

/**
 * Returns the project that a person or an agent means by a name, as {@link findProject} does, so that what is written
 * under a name is found under it. If there is none, it is made with that name.
 */
export async function projectNamed(tx: Tx, name: string): Promise<Project> {
  const found = await findProject(tx, name);
  return ensureProject(tx, found?.name ?? name);
}

/**
 * Returns the ids of the rows' projects by name; some rows may have none. Each project is created on first use.
 *
 * @param find {@link projectNamed} if people or agents wrote the names; what is restored has exact ones
 */
export async function ensureProjects(
  tx: Tx,
  rows: { project: string | null }[],
  find: (tx: Tx, name: string) => Promise<Project> = ensureProject,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  // Always in the same order, or two transactions could deadlock.
  for (const name of [...new Set(rows.flatMap(({ project }) => project ?? []))].sort()) {
    ids.set(name, (await find(tx, name)).id);
  }
  return ids;
}

/**
 * Returns the project that a session belongs to, and the work tree that it runs in. The project is named by the
 * repository's normalised remote if there is one, so that clones share their lessons, else by the main work tree, else by
 * the folder. A project keeps its lessons when its remote is renamed, added or removed: a work tree that is known stays in
 * its project, which takes the new name over if no other has it.
 *
 * Without `repo` and `root` from the session-start hook, it is the project of the nearest folder at or above `cwd` in
 * which a session ran before, else a project named by `cwd`. A home folder includes nothing but itself.
 */
export async function projectOfPlace(
  tx: Tx,
  place: SessionPlace,
): Promise<Project & { root: string | null }> {
  const { name, root, renames } = await nameOfPlace(tx, place);
  if (renames) await renameProject(tx, renames, name);
  return { ...(await ensureProject(tx, name)), root };
}

type NameOfPlace = {
  /** it may be new */
  name: string;
  root: string | null;
  /** the project that takes this name */
  renames?: Project | undefined;
};

/** Returns the name of the project that a session there belongs to, and the work tree. */
async function nameOfPlace(tx: Tx, { repo, root, cwd, main }: SessionPlace): Promise<NameOfPlace> {
  if (repo !== undefined) {
    if (root === undefined) return { name: repo, root: cwd ?? null };
    if (await projectWithName(tx, repo)) return { name: repo, root };
    const known = (await projectAt(tx, root)) ?? (main === undefined ? undefined : await projectAt(tx, main));
    return { name: repo, root, renames: known };
  }
  if (root !== undefined) {
    const shared = await projectAt(tx, main ?? root);
    if (shared) return { name: shared.name, root };
    const linked = main === undefined ? undefined : await projectAt(tx, root);
    if (linked && composed(linked.name) !== composed(root)) return { name: linked.name, root };
    return { name: main ?? root, root, renames: linked };
  }
  if (cwd === undefined) return { name: 'unknown', root: null };
  const around = formsOf(cwd).flatMap((one) =>
    foldersAround(one).filter((folder) => folder === one || !isHome(folder)),
  );
  const [known] = await query<{ name: string; root: string }>(
    tx,
    sql`select p.name, s.root from sessions s join projects p on p.id = s.project_id
        where s.root = any(${sql.param(around)}::text[])
        order by length(s.root) desc, s.last_activity desc limit 1`,
  );
  return known ?? { name: cwd, root: cwd };
}

/** Returns the project of the last session in a work tree, else the one that is named by it; undefined if there is none. */
async function projectAt(tx: Tx, root: string): Promise<Project | undefined> {
  const [known] = await query<Project>(
    tx,
    sql`select p.id, p.name from sessions s join projects p on p.id = s.project_id
        where s.root = any(${sql.param(formsOf(root))}::text[])
        order by s.last_activity desc limit 1`,
  );
  return known ?? projectWithName(tx, root);
}

/** A folder that holds all that a person has, and belongs to no project. */
const isHome = (folder: string): boolean =>
  folder === homedir() || /^(?:\/(?:home|Users)(?:\/[^/]+)?|\/(?:root|tmp|var\/tmp))$/.test(folder);

/**
 * Gives a project another name. Its keys follow, and the remote that it had leads to it; what is named by a folder is
 * found by the sessions in it anyway.
 */
async function renameProject(tx: Tx, { id, name: before }: Project, name: string): Promise<void> {
  const also = before.startsWith('/') ? [] : [before];
  await tx
    .update(projects)
    .set({
      name: indexable(composed(name)),
      also: sql`array(select distinct n from unnest(also || ${sql.param(also)}::text[]) n where n <> ${indexable(composed(name))})`,
    })
    .where(eq(projects.id, id));
  if (!before.startsWith('/')) await renameKeysProject(tx, before, name);
}

/**
 * Returns whether a session, or the place where a new one runs, belongs to the project of that name. A folder without a
 * repository includes those in it.
 */
export async function belongsTo(
  tx: Tx,
  name: string,
  of: { projectId: string } | SessionPlace,
): Promise<boolean> {
  const own = await findProject(tx, name);
  if ('projectId' in of) {
    const [its] = await query<Project>(tx, sql`select id, name from projects where id = ${of.projectId}`);
    return its !== undefined && (its.id === own?.id || isIn(composed(its.name), composed(name)));
  }
  const { name: there, renames } = await nameOfPlace(tx, of);
  if (renames) return renames.id === own?.id || composed(renames.name) === composed(name);
  const its = composed((await projectWithName(tx, there))?.name ?? there);
  if (its === composed(own?.name ?? sameRemote(name)) || isIn(its, composed(name))) return true;
  // a repository that has a remote by now: its folder's project takes that name over, if no other has it
  if (of.repo === undefined || of.root === undefined || composed(of.root) !== composed(name)) return false;
  return (await projectWithName(tx, there)) === undefined;
}

/** Returns whether a path is below a folder. The name of a repository is no folder. */
export const isIn = (path: string, folder: string): boolean =>
  folder.startsWith('/') && path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Returns a folder and those above it, but not the root folder. A path has 4,096 characters at most. */
function foldersAround(folder: string): string[] {
  const folders = [folder];
  for (let at = folder.lastIndexOf('/'); at > 0; at = folder.lastIndexOf('/', at - 1))
    folders.push(folder.slice(0, at));
  return folders;
}

/** Returns the id of the caller's project that was worked on last; null if there is none. */
export async function lastProject(tx: Tx): Promise<string | null> {
  const [row] = await query<{ id: string }>(
    tx,
    sql`select id from projects where user_id = auth.uid() order by last_activity desc limit 1`,
  );
  return row?.id ?? null;
}

/** Returns all the caller's projects, the most recently active first, each with the work trees of its sessions. */
export const listProjects = (tx: Tx) =>
  tx
    .select({
      name: projects.name,
      also: projects.also,
      /** others that began with the same commit; they may be one project (`lore projects join`) */
      sameBeginning: sql<string[]>`array(select o.name from projects o
        where o.first_commit = ${projects}.first_commit and o.first_commit <> '' and o.id <> ${projects}.id)`,
      roots: sql<
        string[]
      >`array(select s.root from sessions s where s.project_id = ${projects}.id and s.root is not null
        group by s.root order by max(s.last_activity) desc)`,
      createdAt: projects.createdAt,
      lastActivity: projects.lastActivity,
    })
    .from(projects)
    .orderBy(desc(projects.lastActivity));

/**
 * Returns the project that a person means by a name: its exact name, else a folder that its sessions run in, else the
 * last part of either, if only one project has it. Returns undefined when there is none.
 */
export async function findProject(tx: Tx, given: string): Promise<Project | undefined> {
  const named = await projectWithName(tx, given);
  if (named) return named;
  const [exact] = await query<Project>(
    tx,
    sql`select p.id, p.name from projects p
        where exists (
          select from sessions s where s.project_id = p.id and s.root = any(${sql.param(formsOf(given))}::text[]))
        order by p.last_activity desc limit 1`,
  );
  if (exact) return exact;
  const tail = `/${given}`;
  const byTail = await query<Project>(
    tx,
    sql`select p.id, p.name from projects p
        where right(p.name, length(${tail})) = ${tail}
          or exists (select from sessions s where s.project_id = p.id and right(s.root, length(${tail})) = ${tail})
        limit 2`,
  );
  return byTail.length === 1 ? byTail[0] : undefined;
}

/**
 * Runs a list query within the named project, or over all projects when none is named, and returns its rows. An unknown
 * project has none.
 */
export async function listInProject<T>(
  tx: Tx,
  name: string | undefined,
  list: (projectId: string | undefined) => Promise<T[]>,
): Promise<T[]> {
  if (name === undefined) return list(undefined);
  const project = await findProject(tx, name);
  return project ? list(project.id) : [];
}
