import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { findProject } from '../sessions/projects.ts';
import { clip } from '../text/clip.ts';
import { estimateTokens } from '../text/tokens.ts';
import { columns, findSkill, getSkill, heldAt, inScope } from './find-skill.ts';
import { statisticsOf } from './logs.ts';
import { MAX_DESCRIPTION } from './put-skill.ts';
import { type SkillKey, skillMemories, skills } from './schema.ts';

/** Returns a skill with what it was used for. */
export async function describeSkill(tx: Tx, key: SkillKey, at: Date | null) {
  const [skill, [statistics]] = await Promise.all([getSkill(tx, key, at), statisticsOf(tx, [key])]);
  return { ...skill, ...(statistics as NonNullable<typeof statistics>) };
}

type Listed = { name: string; description: string };
type Filter = {
  projectId?: string | undefined;
  category?: string | undefined;
  asOf?: Date | undefined;
  after?: string | undefined;
  limit: number;
};

/** In a project its own skills hide the user's of the same name; without a project all are listed. */
const listedWhere = ({ projectId, category, asOf, after }: Filter): SQL => {
  const held = heldAt(asOf ?? null);
  return and(
    held,
    after === undefined ? undefined : sql`${skills.name} > ${after}`,
    category === undefined ? undefined : eq(skills.category, category),
    projectId === undefined
      ? undefined
      : sql`(${skills.projectId} = ${projectId} or ${skills.projectId} is null and not exists (
          select from skills own where own.name = ${skills.name} and own.project_id = ${projectId}
            and ${asOf ? sql`tstzrange(own.valid_from, own.valid_until) @> ${asOf.toISOString()}::timestamptz` : sql`own.valid_until is null`}))`,
  ) as SQL;
};

/**
 * Returns names and descriptions, in the order of the names, short enough for a client to read all of it. If
 * the list has more than `budget` tokens as JSON, the longest descriptions are cut, no more than necessary.
 * No name is left out.
 */
export async function listSkills(tx: Tx, filter: Filter & { budget: number }): Promise<Listed[]> {
  const rows = await tx
    .select({ name: skills.name, description: skills.description })
    .from(skills)
    .where(listedWhere(filter))
    .orderBy(asc(skills.name), asc(skills.scope))
    .limit(filter.limit);
  return fitted(rows, filter.budget);
}

const sizeOf = (listed: Listed[]): number => estimateTokens(JSON.stringify({ skills: listed }));

function fitted(listed: Listed[], budget: number): Listed[] {
  if (sizeOf(listed) <= budget) return listed;
  let [low, high] = [0, MAX_DESCRIPTION];
  const cutTo = (length: number) =>
    listed.map(({ name, description }) => ({ name, description: shortened(description, length) }));
  while (low < high) {
    const length = Math.ceil((low + high) / 2);
    if (sizeOf(cutTo(length)) <= budget) low = length;
    else high = length - 1;
  }
  return cutTo(low);
}

/** Cuts a text at the end of a word. */
function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = clip(text, Math.max(0, length - 1));
  const word = head.replace(/\s+\S*$/, '');
  return head === '' ? '' : `${(word.length > head.length / 2 ? word : head).trimEnd()}…`;
}

/** Returns skills with all their details, for a person or a program, in the order of their names. */
export async function listSkillDetails(tx: Tx, filter: Filter) {
  const rows = await tx
    .select({
      ...columns,
      projectId: skills.projectId,
      memoryVersion: sql<number>`coalesce((select max(m.version) from skill_memories m
        where m.skill = ${skills.name} and m.scope = ${skills.scope}), 0)`,
    })
    .from(skills)
    .where(listedWhere(filter))
    .orderBy(asc(skills.name), asc(skills.scope))
    .limit(filter.limit);
  const statistics = await statisticsOf(tx, rows);
  return rows.map(({ projectId: _, config: __, frontMatter, content, memoryPlace: ___, ...row }, i) => ({
    ...row,
    tokens: estimateTokens(frontMatter + content),
    ...(statistics[i] as (typeof statistics)[number]),
  }));
}

/** Returns the versions of a skill and of its memory, the newest first, without their texts. */
export async function skillHistory(tx: Tx, name: string, project: string | undefined, limit: number) {
  const key = await everKnown(tx, name, project);
  const versions = await tx
    .select(columns)
    .from(skills)
    .where(and(eq(skills.name, name), inScope(key)))
    .orderBy(desc(skills.validFrom))
    .limit(limit);
  const memory = await tx
    .select({
      version: skillMemories.version,
      text: skillMemories.text,
      added: skillMemories.added,
      compacted: skillMemories.compacted,
      evaluatedBy: skillMemories.evaluatedBy,
      validFrom: skillMemories.validFrom,
      validUntil: skillMemories.validUntil,
    })
    .from(skillMemories)
    .where(
      and(
        eq(skillMemories.skill, name),
        key.projectId === null ? isNull(skillMemories.projectId) : eq(skillMemories.projectId, key.projectId),
      ),
    )
    .orderBy(desc(skillMemories.version))
    .limit(limit);
  return {
    versions: versions.map(
      ({ config: _, frontMatter, content, memoryPlace: __, sourceSessionId: ___, ...row }) => ({
        ...row,
        tokens: estimateTokens(frontMatter + content),
      }),
    ),
    memory: memory.map(({ text, ...row }) => ({ ...row, tokens: estimateTokens(text) })),
  };
}

/** Like `findSkill`, but also finds a skill that was retired. */
async function everKnown(tx: Tx, name: string, project: string | undefined): Promise<SkillKey> {
  try {
    return await findSkill(tx, name, { project });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    const found = project === undefined ? undefined : await findProject(tx, project);
    const [last] = await tx
      .select({ name: skills.name, projectId: skills.projectId })
      .from(skills)
      .where(
        and(
          eq(skills.name, name),
          project === undefined
            ? undefined
            : sql`(${skills.projectId} is null or ${skills.projectId} = ${found?.id ?? null}::uuid)`,
        ),
      )
      .orderBy(desc(skills.validFrom))
      .limit(1);
    if (!last) throw error;
    return last;
  }
}
