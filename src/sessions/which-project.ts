import { homedir } from 'node:os';
import { sql } from 'drizzle-orm';
import { indexable } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import type { HookEvent } from './hook-event.ts';
import {
  composed,
  ensureProject,
  formsOf,
  type Project,
  projectAt,
  projectWithName,
  sameRemote,
} from './projects.ts';

// Which project a folder is: for hooks, HTTP, CLI and tools alike.

/**
 * What is known of a place. `root`, `repo` and `main` come from whoever sees its files: the work tree, the remote, and
 * the main work tree of the repository if `root` is a linked one.
 */
export type Place = Partial<Record<'cwd' | 'root' | 'repo' | 'main', string | undefined>>;

/** Returns where the session of a hook event runs. */
export const placeOf = ({ cwd, lore }: HookEvent): Place => ({
  cwd: cwd ?? undefined,
  root: lore?.root ?? undefined,
  repo: lore?.repo ?? undefined,
  main: lore?.main ?? undefined,
});

/** Which project a place is of. */
type Placed = {
  /** null: nobody knows it yet */
  project: Project | null;
  /** what the project is called from now on */
  name: string;
  /** the work tree, else the folder; null: nothing is known of the place */
  root: string | null;
  /** whether something that is known of the place is of another project than this one */
  disputed: boolean;
};

/**
 * Returns the project of a place. It is named by the repository's normalised remote if there is one, so that clones share
 * their lessons, else by the main work tree, else by the folder. A project keeps its lessons when its remote is renamed,
 * added or removed: a work tree that is known stays in its project, which takes the new name over if no other has it.
 *
 * Without a remote and a work tree, it is the project of the nearest folder at or above `cwd`. A home folder includes
 * nothing but itself.
 *
 * @param only the project of a key that is for one: what is not known yet is of it, if it lies in its folder
 */
export async function whichProject(
  tx: Tx,
  { cwd, root: tree, main, ...place }: Place,
  only: string | null = null,
): Promise<Placed> {
  const repo = place.repo === undefined ? undefined : sameRemote(place.repo);
  const byRemote = repo === undefined ? undefined : await projectWithName(tx, repo);
  const root = tree ?? cwd;
  const isTree = main !== undefined || tree !== undefined;
  const mains = main === undefined ? undefined : await projectAt(tx, [main]);
  const byTree = mains ?? (tree === undefined ? undefined : await projectAt(tx, [tree]));
  const known = byRemote ?? byTree;
  const here = { root: root ?? null, disputed: false };
  if (known) {
    // a linked work tree that was known before its main one
    const linked = !mains && main !== undefined && composed(known.name) === composed(root ?? '');
    const name = byRemote ? byRemote.name : (repo ?? (linked ? main : known.name));
    return {
      ...here,
      project: known,
      name,
      disputed: byRemote && byTree ? byRemote.id !== byTree.id : false,
    };
  }
  if (repo === undefined && (!isTree || only !== null)) {
    const around = root === undefined ? undefined : await projectAt(tx, foldersAround(root), only);
    if (around && (!isTree || around.id === only))
      return { ...here, project: around, name: around.name, root: isTree ? here.root : around.root };
  }
  return { ...here, project: null, name: repo ?? main ?? root ?? 'unknown' };
}

/**
 * Returns the project of a place as {@link whichProject} does, and the work tree. One that nobody knows is made. The
 * folder is the project's from then on, unless it is another's already.
 *
 * @param only the project of the key that the session came with; null: any
 */
export async function projectOfPlace(
  tx: Tx,
  place: Place,
  only: string | null = null,
): Promise<Project & { root: string | null }> {
  const { project: known, name, root } = await whichProject(tx, place, only);
  if (known && composed(known.name) !== composed(name)) await renameProject(tx, known, name);
  const project = await ensureProject(tx, name);
  const folder = place.main ?? root;
  if (folder !== null)
    await tx.execute(sql`update projects p set roots = roots || ${composed(folder)}::text
      where p.id = ${project.id} and not exists (select from projects o where o.roots && ${formsOf(folder)})`);
  return { ...project, root };
}

/** Returns whether a place is of a project, and of no other. */
export async function belongsTo(tx: Tx, projectId: string, place: Place): Promise<boolean> {
  const { project, disputed } = await whichProject(tx, place, projectId);
  return project?.id === projectId && !disputed;
}

/**
 * Makes a folder that of a project, whosever it was: a person says so. It returns the project, which is made on first
 * use. A project that was named by this folder, because something was written there before anybody knew its remote, is
 * to be joined to it.
 */
export async function claimPlace(tx: Tx, place: Place): Promise<{ project: Project; stray: Project | null }> {
  const { root, ...project } = await projectOfPlace(tx, place);
  const folder = place.main ?? root;
  if (folder === null) return { project, stray: null };
  await tx.execute(sql`update projects set roots = array(select r from unnest(roots) r where r <> all(${formsOf(folder)}))
      || case when id = ${project.id} then array[${composed(folder)}::text] else '{}' end
    where roots && ${formsOf(folder)} or id = ${project.id}`);
  const [stray] = await query<Project>(tx)`
    select id, name from projects where name = any(${formsOf(folder)}) and id <> ${project.id} limit 1`;
  return { project, stray: stray ?? null };
}

/** A folder that holds all that a person has, and belongs to no project. */
const isHome = (folder: string): boolean =>
  folder === homedir() || /^(?:\/(?:home|Users)(?:\/[^/]+)?|\/(?:root|tmp|var\/tmp))$/.test(folder);

/** Returns a folder and those above it that may be of a project. A path has 4,096 characters at most. */
function foldersAround(folder: string): string[] {
  const folders = [folder];
  for (let at = folder.lastIndexOf('/'); at > 0; at = folder.lastIndexOf('/', at - 1))
    folders.push(folder.slice(0, at));
  return folders.filter((above) => above === folder || !isHome(above));
}

/** Gives a project another name. The remote that it had leads to it; a folder that it was named by is one of its own. */
async function renameProject(tx: Tx, { id, name: before }: Project, name: string): Promise<void> {
  const [list, isFolder] = before.startsWith('/') ? [sql`roots`, true] : [sql`also`, false];
  const now = indexable(composed(name));
  const kept = sql`case when ${before} = any(${list}) then ${list} else ${list} || ${before}::text end`;
  await query(tx)`
    update projects set name = ${now}, ${list} = ${isFolder ? kept : sql`array_remove(${kept}, ${now})`}
    where id = ${id}`;
}
