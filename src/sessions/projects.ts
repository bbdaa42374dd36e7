import { desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable, MAX_INDEXED_BYTES } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
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
/** `own`: the only project that the caller may name; null: any */
type Found = Project & { own: string | null };

/** Returns SQL for a project's name, by the column that holds the project's id. */
export const projectNameOf = (projectId: SQLWrapper): SQL<string> =>
  sql<string>`(select p.name from projects p where p.id = ${projectId})`;

/** Returns the refusal of what names, or comes from, another project than the key of the caller is for. */
export async function otherProject(tx: Tx, projectId: string): Promise<Problem> {
  const [own] = await query<Project>(tx, sql`select id, name from projects where id = ${projectId}::uuid`);
  return new Problem({
    status: 403,
    title: 'Key of another project',
    detail: `This key is only for ${own?.name ?? 'a project that is gone'}, and this is not of that project. Run lore init in the project that it is of.`,
  });
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

const GITHUB = /^(?:www\.)?github\.com\//i;

/** Returns a remote in the form in which remotes are compared: GitHub ignores case. */
export const sameRemote = (repo: string): string =>
  GITHUB.test(repo) ? repo.toLowerCase().replace(GITHUB, 'github.com/') : repo;

/**
 * Returns a name or path in the form in which names are compared: file systems give the letters of one name in one
 * piece or in several, and a folder is the same with a slash at its end.
 */
export const composed = (name: string): string => name.normalize('NFC').replace(/(?<=^\/.*[^/])\/+$/, '');

/** Returns the forms in which a name may be stored: what was written before names were composed is found too. */
export const formsOf = (name: string): string[] => [
  ...new Set([name, composed(name), composed(name).normalize('NFD')]),
];

/** Returns the project that has a name, or had it, in any of its forms; undefined if none has. */
export async function projectWithName(tx: Tx, name: string): Promise<Found | undefined> {
  const forms = sql.param(formsOf(name).map(indexable));
  // those that were named before remotes were compared without case
  const anyCase = GITHUB.test(name) ? sql`or lower(name) = ${indexable(sameRemote(name))}` : sql``;
  const [project] = await query<Found>(
    tx,
    sql`select id, name, own_project() as own from projects
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
  if (!found) {
    const own = await idOfProject(tx, undefined);
    if (own !== null) throw await otherProject(tx, own);
  }
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
 * Returns the project that a person or an agent means by a name: its exact name, else a folder that its sessions run in,
 * else the last part of either, if only one project has it. Returns undefined when there is none.
 *
 * @throws Problem (403) when the key of the caller is for another project
 */
export async function findProject(tx: Tx, given: string): Promise<Project | undefined> {
  const found = await named(tx, given);
  if (found?.own && found.own !== found.id) throw await otherProject(tx, found.own);
  return found;
}

/** Returns the id of the project that something is written for: of the named one, else of that of the caller's key. */
export async function idOfProject(tx: Tx, name: string | undefined): Promise<string | null> {
  if (name !== undefined) return (await projectNamed(tx, name)).id;
  const [row] = await query<{ own: string | null }>(tx, sql`select own_project() as own`);
  return row?.own ?? null;
}

async function named(tx: Tx, given: string): Promise<Found | undefined> {
  const called = await projectWithName(tx, given);
  if (called) return called;
  const [exact] = await query<Found>(
    tx,
    sql`select p.id, p.name, own_project() as own from projects p
        where p.roots && ${sql.param(formsOf(given))}::text[] or exists (
          select from sessions s where s.project_id = p.id and s.root = any(${sql.param(formsOf(given))}::text[]))
        order by p.roots && ${sql.param(formsOf(given))}::text[] desc, p.last_activity desc limit 1`,
  );
  if (exact) return exact;
  const tail = `/${given}`;
  const byTail = await query<Found>(
    tx,
    sql`select p.id, p.name, own_project() as own from projects p
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
