import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { findProject, projectNameOf } from '../sessions/projects.ts';
import { type SkillKey, skills } from './schema.ts';

/** SQL for whether a version is of this project; null: the user's. */
export const inScope = ({ projectId }: { projectId: string | null }): SQL =>
  projectId === null ? isNull(skills.projectId) : eq(skills.projectId, projectId);

/** SQL for whether a version held at an instant; null: now. */
export const heldAt = (at: Date | null): SQL =>
  at === null
    ? isNull(skills.validUntil)
    : sql`tstzrange(${skills.validFrom}, ${skills.validUntil}) @> ${at.toISOString()}::timestamptz`;

const noSuch = (name: string) =>
  new Problem({ status: 404, title: 'Skill not found', detail: `You have no skill ${name}.` });

/**
 * Returns the skill that a name means. In a project it is the project's own, else the user's. Without a
 * project it is the user's, else that of the only project that has one.
 *
 * @param name or the id of one of its versions, by which records and offers name it
 * @param at when; null: now
 * @throws Problem (404) if there is none, (409) if several projects have one
 */
export async function findSkill(
  tx: Tx,
  name: string,
  { project, at = null }: { project?: string | undefined; at?: Date | null },
): Promise<SkillKey> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)) {
    const [version] = await tx
      .select({ name: skills.name, projectId: skills.projectId })
      .from(skills)
      .where(eq(skills.id, name));
    if (version) return version;
  }
  const found = project === undefined ? undefined : await findProject(tx, project);
  const rows = await tx
    .select({ name: skills.name, projectId: skills.projectId, project: projectNameOf(skills.projectId) })
    .from(skills)
    .where(and(eq(skills.name, name), heldAt(at)))
    .orderBy(asc(skills.validFrom));
  const own = rows.find(({ projectId }) => projectId !== null && projectId === found?.id);
  const [only, ...others] = rows.filter(({ projectId }) => projectId !== null);
  const users = rows.find(({ projectId }) => projectId === null);
  const meant = own ?? users ?? (project === undefined ? only : undefined);
  if (!meant) throw noSuch(name);
  if (meant === only && others.length > 0 && !own) {
    const names = rows.map((row) => row.project).join(', ');
    throw new Problem({
      status: 409,
      title: 'Skill is ambiguous',
      detail: `Several projects have a skill ${name}: ${names}. Say which with project.`,
    });
  }
  return { name: meant.name, projectId: meant.projectId };
}

/**
 * Returns the skill that is to be changed: the project's own; without a project, the user's.
 *
 * @param options.retired also finds one that was retired
 * @throws Problem (404) if there is none
 */
export async function ownSkill(
  tx: Tx,
  name: string,
  project: string | undefined,
  options: { retired?: boolean } = {},
): Promise<SkillKey> {
  const found = project === undefined ? null : await findProject(tx, project);
  const key = { name, projectId: found?.id ?? null };
  const [row] =
    found === undefined
      ? []
      : await tx
          .select({ id: skills.id })
          .from(skills)
          .where(and(eq(skills.name, name), inScope(key), options.retired ? undefined : heldAt(null)))
          .limit(1);
  if (!row) throw noSuch(name);
  return key;
}

export const columns = {
  id: skills.id,
  name: skills.name,
  project: projectNameOf(skills.projectId),
  description: skills.description,
  category: skills.category,
  config: skills.config,
  frontMatter: skills.frontMatter,
  content: skills.content,
  memoryPlace: skills.memoryPlace,
  evaluatedBy: skills.evaluatedBy,
  sourceSessionId: skills.sourceSessionId,
  sourceSubagent: skills.sourceSubagent,
  validFrom: skills.validFrom,
  validUntil: skills.validUntil,
};

/** Returns the version of a skill that held at an instant (null: now). @throws Problem (404) if there was none */
export async function getSkill(tx: Tx, key: SkillKey, at: Date | null = null) {
  const [found] = await tx
    .select({ ...columns, files: skills.files })
    .from(skills)
    .where(and(eq(skills.name, key.name), inScope(key), heldAt(at)))
    .limit(1);
  if (!found) throw noSuch(key.name);
  return found;
}
export type Skill = Awaited<ReturnType<typeof getSkill>>;
