import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Problem } from '../base/errors/problem.ts';
import { indexable, MAX_INDEXED_BYTES } from '../db/columns.ts';
import { query, type Tx } from '../db/open.ts';
import { redactText } from '../redaction/redact.ts';
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
  const [own] = await query<Project>(tx)`select id, name from projects where id = ${projectId}::uuid`;
  return new Problem({
    status: 403,
    title: 'Key of another project',
    detail: `This key is only for ${own?.name ?? 'a project that is gone'}, and this is not of that project. Run lore init in the project that it is of.`,
  });
}

const noProject = (name: string): Problem =>
  new Problem({
    status: 404,
    title: 'Project not found',
    detail: `You have no project ${name}. lore projects lists yours; lore init in its folder, or POST /v1/projects, makes one.`,
  });

export type Permissions = NonNullable<(typeof projects.$inferSelect)['permissions']>;

/** Returns the projects that have a setting of their own for what answers to calls may say. */
export const ownPermissions = (tx: Tx) =>
  query<Project & { permissions: Permissions }>(
    tx,
  )`select id, name, permissions from projects where permissions is not null order by name`;

/** Sets what the answers to calls may say in a project; null: as in all projects. */
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

/** Returns SQL for the forms in which names may be stored: what was written before names were composed is found too. */
export const formsOf = (...names: string[]): SQL => {
  const forms = names.flatMap((name) => [name, composed(name), composed(name).normalize('NFD')]);
  return sql`${sql.param([...new Set(forms.map(indexable))])}::text[]`;
};

/** Returns the project that has a name, or had it, in any of its forms; undefined if none has. */
export async function projectWithName(tx: Tx, name: string): Promise<Found | undefined> {
  // those that were named before remotes were compared without case
  const anyCase = GITHUB.test(name) ? sql`or lower(name) = ${indexable(sameRemote(name))}` : sql``;
  const [project] = await query<Found>(tx)`select id, name, own_project() as own from projects
    where user_id = auth.uid() and (name = any(${formsOf(name)}) or also && ${formsOf(name)} ${anyCase})
    order by name = ${indexable(name)} desc, name = any(${formsOf(name)}) desc, last_activity desc limit 1`;
  return project;
}

/** Returns the project of that name, or that had it; it is created on first use. */
export async function ensureProject(tx: Tx, given: string): Promise<Project> {
  const name = (await projectWithName(tx, given))?.name ?? composed(given);
  const [project] = await query<Project>(tx)`insert into projects (name) values (${indexable(name)})
    on conflict (user_id, name) do update set last_activity = now() returning id, name`;
  return project as Project;
}

/**
 * Returns the project that a person or an agent means by a name, as {@link findProject} does, so that what is written
 * under a name is found under it. A folder or a remote that nobody knows yet becomes one, and so does the first name.
 *
 * @param isNew whether any other name becomes one too
 * @throws Problem (404) when there are others and none of that name: it may be mistyped
 * @throws Problem (403) when the key of the caller is for another project
 */
export async function projectNamed(tx: Tx, given: string, isNew = /[\\/]/.test(given)): Promise<Project> {
  const name = redactText(given);
  const found = await findProject(tx, name);
  if (found) return ensureProject(tx, found.name);
  const own = await idOfProject(tx, undefined);
  if (own !== null) throw await otherProject(tx, own);
  if (!isNew && (await query(tx)`select from projects limit 1`).length > 0) throw noProject(name);
  return ensureProject(tx, name);
}

/** Returns the project that a name means. @throws Problem (404) when there is none */
export async function theProject(tx: Tx, name: string): Promise<Project> {
  const found = await findProject(tx, name);
  if (found) return found;
  throw noProject(name);
}

/**
 * Returns the ids of the rows' projects by name; some rows may have none. Each project is created on first use.
 *
 * @param find {@link projectNamed} if people or agents wrote the names; what is restored has exact ones
 */
export async function ensureProjects(
  tx: Tx,
  rows: { project?: string | null }[],
  find: (tx: Tx, name: string) => Promise<Project> = ensureProject,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  // Always in the same order, or two transactions could deadlock.
  for (const name of [...new Set(rows.flatMap(({ project }) => project ?? []))].sort())
    ids.set(name, (await find(tx, name)).id);
  return ids;
}

/**
 * Returns the project that a person or an agent means by a name: its exact name, else a folder that its sessions run in,
 * else the last part of either, if only one project has it. Returns undefined when there is none.
 *
 * @throws Problem (403) when the key of the caller is for another project
 */
export async function findProject(tx: Tx, given: string): Promise<Project | undefined> {
  const found =
    (await projectWithName(tx, given)) ?? (await projectAt(tx, [given])) ?? (await projectEnding(tx, given));
  if (found?.own && found.own !== found.id) throw await otherProject(tx, found.own);
  return found;
}

/**
 * Returns the project of the longest of some folders that is of any, and that folder: of those with the same one, the one
 * whose own it is, else the one that is named by it, else that of the first session in it, from before projects had folders.
 *
 * @param only where sessions of other projects ran counts nothing for a key that is for this one
 */
export async function projectAt(
  tx: Tx,
  folders: string[],
  only: string | null = null,
): Promise<(Found & { root: string }) | undefined> {
  const [found] = await query<Found & { root: string }>(tx)`
    select f.id, f.name, f.root, own_project() as own from (
      select p.id, p.name, r.root, 0 as rank, p.created_at as at from projects p, unnest(p.roots) r(root)
      union all select p.id, p.name, r.root, 1, p.created_at from projects p, unnest(p.also || p.name) r(root)
      union all select p.id, p.name, s.root, 2, s.started_at from sessions s join projects p on p.id = s.project_id
        where s.root is not null and (${only}::uuid is null or p.id = ${only}::uuid)) f
    where f.root = any(${formsOf(...folders)})
    order by length(f.root) desc, f.rank, f.at limit 1`;
  return found;
}

/** Returns the only project whose name or folder ends in a text. */
async function projectEnding(tx: Tx, given: string): Promise<Found | undefined> {
  const tail = `/${given}`;
  const found = await query<Found>(tx)`select p.id, p.name, own_project() as own from projects p
    where right(p.name, length(${tail})) = ${tail} or exists (
      select from sessions s where s.project_id = p.id and right(s.root, length(${tail})) = ${tail})
    limit 2`;
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the id of the project that something is written for: of the named one, else of that of the caller's key. */
export async function idOfProject(tx: Tx, name: string | undefined): Promise<string | null> {
  if (name !== undefined) return (await projectNamed(tx, name)).id;
  const [row] = await query<{ own: string | null }>(tx)`select own_project() as own`;
  return row?.own ?? null;
}

/** Runs a list query within the named project, or over all projects when none is named. An unknown project has none. */
export async function listInProject<T>(
  tx: Tx,
  name: string | undefined,
  list: (projectId: string | undefined) => Promise<T[]>,
): Promise<T[]> {
  if (name === undefined) return list(undefined);
  const project = await findProject(tx, name);
  return project ? list(project.id) : [];
}
