import { and, asc, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest, Problem } from '../errors/problem.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { findProject, projectNamed, projectNameOf } from '../sessions/projects.ts';
import { clip, shorten } from '../text/clip.ts';
import { estimateTokens } from '../text/tokens.ts';
import { statisticsOf } from './logs.ts';
import { memoryHistory, writeMemory } from './memory.ts';
import { type SkillKey, skillMemories, skills, type Writer } from './schema.ts';
import { joinSkillFile, readFrontMatter, splitSkillFile, writeFrontMatter } from './skill-file.ts';
import type { SkillFile } from './skill-files.ts';

/** Longest text of a SKILL.md, in UTF-16 units. */
export const MAX_FILE = 200_000;
export const MAX_DESCRIPTION = 2_000;

const inScope = ({ projectId }: { projectId: string | null }): SQL =>
  projectId === null ? isNull(skills.projectId) : eq(skills.projectId, projectId);

/** SQL for whether a version held at an instant; null: now. */
const heldAt = (at: Date | null): SQL =>
  at === null
    ? isNull(skills.validUntil)
    : sql`tstzrange(${skills.validFrom}, ${skills.validUntil}) @> ${at.toISOString()}::timestamptz`;

const noSuch = (name: string) =>
  new Problem({ status: 404, title: 'Skill not found', detail: `You have no skill ${name}.` });
const hasChanged = (name: string, version: string | undefined) =>
  new Problem({
    status: 409,
    title: 'Skill has changed',
    detail: `The skill ${name} is not as you knew it: its version is ${version ?? 'none'}. Read it again.`,
  });

/**
 * Returns the skill that a name means. In a project it is the project's own, else the user's. Without a
 * project it is the user's, else that of the only project that has one.
 *
 * @param name or the id of one of its versions, by which records and offers name it
 * @param options.at when; null: now. `ever`: also one that was retired
 * @param options.own only the project's own; without a project, only the user's: it is to be changed
 * @throws Problem (404) if there is none, (409) if several projects have one
 */
export async function findSkill(
  tx: Tx,
  name: string,
  options: { project?: string | undefined; at?: Date | null | 'ever'; own?: boolean },
): Promise<SkillKey> {
  const { project, at = null, own = false } = options;
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
  const key = { name: skills.name, projectId: skills.projectId };
  const [version] = isId && !own ? await tx.select(key).from(skills).where(eq(skills.id, name)) : [];
  if (version) return version;
  const found = project === undefined ? null : await findProject(tx, project);
  const rows = await tx
    .selectDistinct({ ...key, project: projectNameOf(skills.projectId) })
    .from(skills)
    .where(and(eq(skills.name, name), at === 'ever' ? undefined : heldAt(at)));
  const ofProject = found ? rows.find(({ projectId }) => projectId === found.id) : undefined;
  const ofUser = rows.find(({ projectId }) => projectId === null);
  const others = project === undefined && !own && !ofUser ? rows : [];
  if (others.length > 1) {
    const names = others.map((row) => row.project).join(', ');
    const detail = `Several projects have a skill ${name}: ${names}. Say which with project.`;
    throw new Problem({ status: 409, title: 'Skill is ambiguous', detail });
  }
  const meant = own && project !== undefined ? ofProject : (ofProject ?? ofUser ?? others[0]);
  if (!meant) throw noSuch(name);
  return { name: meant.name, projectId: meant.projectId };
}

const { userId: _user, scope: _scope, projectId: _project, files, ...own } = getTableColumns(skills);
const columns = { ...own, project: projectNameOf(skills.projectId) };

/** Returns the version of a skill that held at an instant (null: now). @throws Problem (404) if there was none */
export async function getSkill(tx: Tx, key: SkillKey, at: Date | null = null) {
  const [found] = await tx
    .select({ ...columns, files })
    .from(skills)
    .where(and(eq(skills.name, key.name), inScope(key), heldAt(at)))
    .limit(1);
  if (!found) throw noSuch(key.name);
  return found;
}

/** A skill as a caller gives it: a whole SKILL.md, or fields; what is not given stays as it was. */
export type GivenSkill = {
  name: string;
  project?: string | undefined;
  file?: string | undefined;
  description?: string | undefined;
  category?: string | undefined;
  content?: string | undefined;
  /** the text files beside it */
  files?: SkillFile[] | undefined;
  /** id of the version that the change is based on; null: there must be none; undefined: any version is replaced */
  base?: string | null | undefined;
  /** the version of the memory that a memory in the text is based on */
  memoryBase?: number | undefined;
};

/** Redacts a skill. Call it before a transaction is opened, because it is slow for long texts. */
export function prepareSkill({ file, content, files, ...given }: GivenSkill): GivenSkill {
  return {
    ...redactValue(given, WHOLE),
    file: file && redactText(file),
    content: content && redactText(content),
    files: files
      ?.map((one) => ({ ...one, text: redactText(one.text) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/**
 * Stores a skill: closes the version that holds and opens a new one, unless nothing changed. What stands under
 * `## Memory` in the text becomes a version of the skill's memory; if nothing does, the memory stays.
 *
 * @throws Problem (400) naming what is missing, (409) if the version that holds is not `base`
 */
export async function putSkill(
  tx: Tx,
  given: GivenSkill,
  writer: Writer,
): Promise<{ key: SkillKey; created: boolean }> {
  const projectId = given.project === undefined ? null : (await projectNamed(tx, given.project)).id;
  const key = { name: given.name, projectId };
  await lockSkill(tx, key);
  const before = await getSkill(tx, key).catch(() => null);
  if (given.base !== undefined && given.base !== (before?.id ?? null))
    throw hasChanged(given.name, before?.id);
  const { memory, ...parts } = splitSkillFile(given.file ?? fileOf(given, before));
  const { config, ...fields } = readFrontMatter(parts.frontMatter);
  const description = fields.description ?? clip(firstLine(parts.content) ?? '', 500);
  if (description === '') throw badRequest('file', 'has neither a description nor a text');
  if (description.length > MAX_DESCRIPTION)
    throw badRequest('file', `its description must have at most ${MAX_DESCRIPTION} characters`);
  const values = { ...parts, files: given.files ?? before?.files ?? [] };
  if (before === null || said(before) !== said(values)) {
    const at = await nextInstant(tx, sql`skills s where s.name = ${key.name}`, key);
    await closeSkill(tx, key, at);
    await tx.insert(skills).values({
      ...key,
      ...values,
      description,
      category: fields.category && clip(fields.category, 200),
      config,
      evaluatedBy: writer.evaluatedBy,
      sourceSessionId: writer.sessionId,
      sourceSubagent: writer.agent ?? null,
      validFrom: at,
    });
  }
  // an empty section, as in a template, does not remove what was noted
  if (memory !== '') await writeMemory(tx, key, { text: memory }, writer, given.memoryBase);
  return { key, created: before === null };
}

type Stored = Awaited<ReturnType<typeof getSkill>>;

/** Returns the SKILL.md of fields, those of the version before where they are not given. */
function fileOf(given: GivenSkill, before: Stored | null): string {
  const { name, description, category, content } = given;
  if (before === null && (description === undefined || content === undefined))
    throw badRequest(description === undefined ? 'description' : 'content', 'is needed for a new skill');
  const frontMatter = writeFrontMatter(before?.frontMatter ?? '', { name, description, category });
  if (frontMatter === null)
    throw badRequest('(body)', 'the front matter of this skill is not valid YAML: send the whole `file`');
  const memoryPlace = content === undefined ? (before?.memoryPlace ?? null) : null;
  return joinSkillFile({ frontMatter, content: content ?? before?.content ?? '', memoryPlace, memory: '' });
}

/** What a description falls back to, as in the client: the first line of the text. */
const firstLine = (content: string): string | undefined =>
  content
    .split(/\r?\n/)
    .map((line) => line.replace(/^#+\s*/, '').trim())
    .find((line) => line !== '');

/** Returns all that a version says. The fields stand in its front matter. */
const said = ({
  frontMatter,
  content,
  memoryPlace: place,
  files,
}: Pick<Stored, 'frontMatter' | 'content' | 'memoryPlace' | 'files'>) =>
  JSON.stringify([
    ...[frontMatter, content, place && [place.at, place.before, place.after]],
    ...files.map(({ path, text, executable }) => [path, text, executable]),
  ]);

/** Returns the instant from which a new version holds: now, behind all earlier ones. */
async function nextInstant(tx: Tx, from: SQL, { projectId }: SkillKey): Promise<Date> {
  const [row] = await query<{ now: string }>(
    tx,
    sql`select greatest(clock_timestamp(), max(s.valid_from) + interval '1 microsecond', max(s.valid_until))::text as now
        from ${from} and s.project_id is not distinct from ${projectId}::uuid`,
  );
  return sql`${row?.now}::timestamptz` as unknown as Date;
}

/** Ends a skill's validity. All of its versions stay for time travel. */
export async function retireSkill(tx: Tx, key: SkillKey, base: string | undefined): Promise<void> {
  await lockSkill(tx, key);
  const { id } = await getSkill(tx, key);
  if (base !== undefined && base !== id) throw hasChanged(key.name, id);
  await closeSkill(tx, key, await nextInstant(tx, sql`skills s where s.name = ${key.name}`, key));
}

const closeSkill = (tx: Tx, key: SkillKey, at: Date) =>
  tx
    .update(skills)
    .set({ validUntil: at })
    .where(and(eq(skills.name, key.name), inScope(key), heldAt(null)));

/** Lets one transaction at a time change a skill or its memory. */
export async function lockSkill(tx: Tx, { name, projectId }: SkillKey): Promise<void> {
  await query(
    tx,
    sql`select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'skill', auth.uid(), ${projectId}::uuid, ${name}::text), 0))`,
  );
}

/**
 * Returns skills with their details, in the order of their names. In a project its own skills hide the user's of the
 * same name; without a project all are listed.
 *
 * @param filter.after the last name of the previous page
 */
export async function listSkills(
  tx: Tx,
  filter: { projectId?: string | undefined; after?: string | undefined; limit: number },
) {
  const { projectId, after } = filter;
  const rows = await tx
    .select({
      ...columns,
      projectId: skills.projectId,
      memoryVersion: sql<number>`coalesce((select max(m.version) from ${skillMemories} m
        where m.skill = ${skills.name} and m.scope = ${skills.scope}), 0)`,
    })
    .from(skills)
    .where(
      and(
        heldAt(null),
        after === undefined ? undefined : sql`${skills.name} > ${after}`,
        projectId === undefined
          ? undefined
          : sql`(${skills.projectId} = ${projectId} or ${skills.projectId} is null and not exists (
              select from skills own
              where own.name = ${skills.name} and own.project_id = ${projectId} and own.valid_until is null))`,
      ),
    )
    .orderBy(asc(skills.name), asc(skills.scope))
    .limit(filter.limit);
  const statistics = await statisticsOf(tx, rows);
  return rows.map(({ projectId: _, ...row }, i) => ({ ...inShort(row), ...statistics[i] }));
}

const inShort = <T extends Pick<Stored, 'config' | 'frontMatter' | 'content' | 'memoryPlace'>>(
  version: T,
) => {
  const { config: _, frontMatter, content, memoryPlace: __, ...row } = version;
  return { ...row, tokens: estimateTokens(frontMatter + content) };
};

/**
 * Returns names and descriptions, short enough for a client to read all of it: if they have more than `budget` tokens
 * as JSON, long descriptions are cut. No name is left out.
 */
export function fitted(listed: { name: string; description: string }[], budget: number) {
  for (let length = MAX_DESCRIPTION; ; length = Math.floor(length * 0.95)) {
    const skills = listed.map(({ name, description }) => ({
      name,
      description: length < 2 ? '' : shorten(description, length),
    }));
    if (length < 2 || estimateTokens(JSON.stringify({ skills })) <= budget) return skills;
  }
}

/** Returns the versions of a skill and of its memory, the newest first, without their texts. */
export async function skillHistory(tx: Tx, key: SkillKey, limit: number) {
  const versions = await tx
    .select(columns)
    .from(skills)
    .where(and(eq(skills.name, key.name), inScope(key)))
    .orderBy(desc(skills.validFrom))
    .limit(limit);
  return { versions: versions.map(inShort), memory: await memoryHistory(tx, key, limit) };
}
