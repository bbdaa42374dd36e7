import { createHash } from 'node:crypto';
import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../problem.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { ensureProject, findProject, projectNameOf } from '../sessions/projects.ts';
import { estimateTokens } from '../tokens.ts';
import { statisticsOf } from './logs.ts';
import { type SkillKey, skillMemories, skills, type Writer } from './schema.ts';
import {
  firstLine,
  readFrontMatter,
  type SkillParts,
  splitSkillFile,
  writeFrontMatter,
} from './skill-file.ts';
import { writeMemory } from './skill-memory.ts';

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

/**
 * Returns which skill a name means: in a project its own, else the user's. Without a project the user's, else that of
 * the only project that has one.
 *
 * @param at when; null: now
 * @throws Problem (404) if there is none, (409) if several projects have one
 */
export async function findSkill(
  tx: Tx,
  name: string,
  { project, at = null }: { project?: string | undefined; at?: Date | null },
): Promise<SkillKey> {
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
 * Returns the skill that is to be changed: the project's own, without a project the user's.
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

const columns = {
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
    .select(columns)
    .from(skills)
    .where(and(eq(skills.name, key.name), inScope(key), heldAt(at)))
    .limit(1);
  if (!found) throw noSuch(key.name);
  return found;
}
export type Skill = Awaited<ReturnType<typeof getSkill>>;

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
 * Returns names and descriptions, by name, and so little that a client may read all of it: where the whole list would
 * have more than `budget` tokens as JSON, the longest descriptions are cut, as little as need be. No name is left out.
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

/** Cuts a text behind a word. */
function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, Math.max(0, length - 1));
  const word = head.replace(/\s+\S*$/, '');
  return head === '' ? '' : `${(word.length > head.length / 2 ? word : head).toWellFormed().trimEnd()}…`;
}

/** Returns skills with what a person or a program wants to know of all of them, by name. */
export async function listSkillDetails(tx: Tx, filter: Filter) {
  const rows = await tx
    .select({ ...columns, projectId: skills.projectId })
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

/** A skill as a caller gives it: a whole SKILL.md, or fields; what is not given stays as it was. */
export type GivenSkill = {
  name: string;
  project?: string | undefined;
  file?: string | undefined;
  description?: string | undefined;
  category?: string | null | undefined;
  config?: Record<string, unknown> | undefined;
  content?: string | undefined;
  /** id of the version that the change is based on; null: there must be none. Undefined: whatever there is. */
  base?: string | null | undefined;
};

/** Redacts a skill. Call it before a transaction is opened, because it is slow for long texts. */
export function prepareSkill(given: GivenSkill): GivenSkill {
  const { name, base, project, file, content, ...fields } = given;
  return {
    ...redactValue(fields, WHOLE),
    name,
    base,
    project,
    file: file === undefined ? undefined : redactText(file),
    content: content === undefined ? undefined : redactText(content),
  };
}

const refused = (field: string, message: string) =>
  new Problem({
    status: 400,
    title: 'Bad request',
    detail: `${field}: ${message}`,
    errors: [{ field, message }],
  });

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
): Promise<{ key: SkillKey; created: boolean; changed: boolean }> {
  const projectId = given.project === undefined ? null : (await ensureProject(tx, given.project)).id;
  const key = { name: given.name, projectId };
  await lockSkill(tx, key);
  const before = await getSkill(tx, key).catch(() => null);
  if (given.base !== undefined && given.base !== (before?.id ?? null)) {
    throw new Problem({
      status: 409,
      title: 'Skill has changed',
      detail: `The skill ${given.name} is not as you knew it: its version is ${before?.id ?? 'none'}. Read it again.`,
    });
  }
  const { parts, fields } = toStore(given, before);
  const values = { ...fields, frontMatter: parts.frontMatter, content: parts.content };
  const place = parts.memoryPlace;
  const changed = before === null || !sameSkill(before, { ...values, memoryPlace: place });
  if (changed) {
    const [now] = await query<{ now: string }>(
      tx,
      sql`select greatest(clock_timestamp(), max(s.valid_from) + interval '1 microsecond',
            max(s.valid_until))::text as now
          from skills s where s.name = ${key.name} and s.project_id is not distinct from ${projectId}::uuid`,
    );
    const at = sql`${now?.now}::timestamptz`;
    await closeSkill(tx, key, at);
    await tx.insert(skills).values({
      ...key,
      ...values,
      memoryPlace: place,
      evaluatedBy: writer.evaluatedBy,
      sourceSessionId: writer.sessionId,
      sourceSubagent: writer.agent ?? null,
      validFrom: at as unknown as Date,
    });
  }
  // an empty section, as a template has it, says nothing about what was noted
  const noted = parts.memory !== '' ? await writeMemory(tx, key, { text: parts.memory }, writer) : false;
  return { key, created: before === null, changed: changed || noted };
}

type Fields = Pick<Skill, 'description' | 'category' | 'config'>;

/** Returns what is stored of a skill. Fields of a whole file come from its front matter. */
function toStore(given: GivenSkill, before: Skill | null): { parts: SkillParts; fields: Fields } {
  if (given.file !== undefined) {
    const parts = splitSkillFile(given.file);
    const { description, category, config } = readFrontMatter(parts.frontMatter);
    const said = description ?? firstLine(parts.content)?.slice(0, 500).toWellFormed();
    if (said === undefined) throw refused('file', 'has neither a description nor a text');
    if (said.length > MAX_DESCRIPTION)
      throw refused('file', `its description must have at most ${MAX_DESCRIPTION} characters`);
    return { parts, fields: { description: said, category: category?.slice(0, 200) ?? null, config } };
  }
  const fields = {
    description: given.description ?? before?.description,
    category: given.category === undefined ? (before?.category ?? null) : given.category,
    config: given.config ?? before?.config ?? {},
  };
  const { description } = fields;
  if (description === undefined) throw refused('description', 'is needed for a new skill');
  if (given.content === undefined && before === null) {
    throw refused('content', 'is needed for a new skill');
  }
  const changesFields = [given.description, given.category, given.config].some((f) => f !== undefined);
  const frontMatter =
    before !== null && !changesFields
      ? before.frontMatter
      : writeFrontMatter(before?.frontMatter ?? '', { name: given.name, ...fields, description });
  if (frontMatter === null) {
    throw refused('(body)', 'the front matter of this skill is not valid YAML: send the whole `file`');
  }
  const text = given.content === undefined ? null : splitSkillFile(`---\n---\n${given.content}`);
  const body = text ?? (before as Skill);
  const memoryPlace =
    text === null || text.memoryPlace === null ? placeIn(before, body.content) : text.memoryPlace;
  return {
    parts: { frontMatter, content: body.content, memoryPlace, memory: text?.memory ?? '' },
    fields: { ...fields, description },
  };
}

/** Where the memory stood stays, if it still fits. */
const placeIn = (before: Skill | null, content: string) =>
  before?.content === content ? (before.memoryPlace ?? null) : null;

const sameSkill = (a: Skill, b: Omit<SkillParts, 'memory'> & Fields): boolean =>
  fingerprint(a) === fingerprint(b);

/** Returns a hash of all that a version says. Fields of JSON may stand in any order. */
function fingerprint(skill: Omit<SkillParts, 'memory'> & Fields): string {
  const { description, category, config, frontMatter, content, memoryPlace: place } = skill;
  const said = [description, category, sorted(config), frontMatter, content];
  const where = place === null ? null : [place.at, place.before, place.after];
  return createHash('sha256')
    .update(JSON.stringify([...said, where]))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, item]) => [name, sorted(item)]);
}

/** Ends a skill's validity. All of its versions stay for time travel. */
export async function retireSkill(tx: Tx, key: SkillKey, base: string | undefined): Promise<void> {
  await lockSkill(tx, key);
  const { id } = await getSkill(tx, key);
  if (base !== undefined && base !== id) {
    throw new Problem({
      status: 409,
      title: 'Skill has changed',
      detail: `The skill ${key.name} is not as you knew it: its version is ${id}. Read it again.`,
    });
  }
  await closeSkill(tx, key, sql`greatest(clock_timestamp(), valid_from + interval '1 microsecond')`);
}

async function closeSkill(tx: Tx, key: SkillKey, at: SQL): Promise<void> {
  await tx
    .update(skills)
    .set({ validUntil: at as unknown as Date })
    .where(and(eq(skills.name, key.name), inScope(key), isNull(skills.validUntil)));
}

/** Lets one transaction at a time change a skill or its memory. */
export async function lockSkill(tx: Tx, { name, projectId }: SkillKey): Promise<void> {
  await query(
    tx,
    sql`select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'skill', auth.uid(), ${projectId}::uuid, ${name}::text), 0))`,
  );
}
