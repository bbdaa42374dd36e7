import { and, desc, eq, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable, MAX_INDEXED_BYTES } from '../db/columns.ts';
import type { Tx } from '../db/open.ts';
import { query } from '../db/open.ts';
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

export type Project = { id: string; name: string; root: string | null };

/** Returns SQL for a project's name, by the column that holds the project's id. */
export const projectNameOf = (projectId: SQLWrapper): SQL<string> =>
  sql<string>`(select p.name from projects p where p.id = ${projectId})`;

/** What is known of where a session runs. `root` and `repo` come from the session-start hook. */
export type Place = { cwd?: string | undefined; root?: string | undefined; repo?: string | undefined };

/** Returns the project of that name; it is created on first use. */
export async function ensureProject(tx: Tx, name: string, root?: string): Promise<Project> {
  // Plain SQL, because every note comes through here and Drizzle needs 0.3 ms to build this statement.
  const [project] = await query<Project>(
    tx,
    sql`insert into projects as p (name, root) values (${indexable(name)}, ${root === undefined ? null : indexable(root)})
        on conflict (user_id, name) do update set last_activity = now(), root = coalesce(excluded.root, p.root)
        returning id, name, root`,
  );
  return project as Project;
}

/** Returns the ids of the rows' projects by name. Each project is created on first use. */
export async function ensureProjects(tx: Tx, rows: { project: string }[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  // Always in the same order, or two transactions could deadlock.
  for (const name of [...new Set(rows.map(({ project }) => project))].sort()) {
    ids.set(name, (await ensureProject(tx, name)).id);
  }
  return ids;
}

/**
 * Returns the project that a session belongs to. It is named by the repository's normalised remote if there is one, so
 * that clones share their lessons, else by the folder. Without `repo` and `root` from the session-start hook, it is the
 * known project whose folder contains `cwd`, else a project named by `cwd`.
 */
export async function projectOfPlace(tx: Tx, place: Place): Promise<Project> {
  if (place.repo !== undefined) {
    await adoptFolderProject(tx, place.repo, place.root);
    return ensureProject(tx, place.repo, place.root);
  }
  if (place.root !== undefined) return ensureProject(tx, place.root, place.root);
  const cwd = indexable(place.cwd ?? 'unknown');
  const [known] = await query<Project>(
    tx,
    sql`select id, name, root from projects where root is not null and (root = ${cwd} or starts_with(${cwd}, root || '/'))
        order by length(root) desc, last_activity desc limit 1`,
  );
  return known ?? ensureProject(tx, cwd, cwd);
}

/** Renames a project known by its folder when the folder turns out to have a remote, so that it keeps its lessons. */
async function adoptFolderProject(tx: Tx, repo: string, root: string | undefined) {
  if (root === undefined) return;
  const taken = await tx.select({ id: projects.id }).from(projects).where(eq(projects.name, repo)).limit(1);
  if (taken.length > 0) return;
  await tx
    .update(projects)
    .set({ name: repo })
    .where(eq(projects.name, indexable(root)));
}

/** Returns all the caller's projects, the most recently active first. */
export const listProjects = (tx: Tx) =>
  tx
    .select({
      name: projects.name,
      root: projects.root,
      createdAt: projects.createdAt,
      lastActivity: projects.lastActivity,
    })
    .from(projects)
    .orderBy(desc(projects.lastActivity));

/**
 * Returns the project that a person means by a name: its exact name, else its folder, else the last part of either, if
 * only one project has it. Returns undefined when there is none.
 */
export async function findProject(tx: Tx, given: string): Promise<Project | undefined> {
  const name = indexable(given);
  const exact = await tx
    .select({ id: projects.id, name: projects.name, root: projects.root })
    .from(projects)
    .where(or(eq(projects.name, name), eq(projects.root, name)))
    .orderBy(desc(eq(projects.name, name)), desc(projects.lastActivity))
    .limit(1);
  if (exact[0]) return exact[0];
  const tail = sql`${`/${name}`}`;
  const byTail = await tx
    .select({ id: projects.id, name: projects.name, root: projects.root })
    .from(projects)
    .where(
      or(
        and(sql`right(${projects.name}, length(${tail})) = ${tail}`),
        sql`right(${projects.root}, length(${tail})) = ${tail}`,
      ),
    )
    .limit(2);
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
