import { createHash } from 'node:crypto';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { projectNamed } from '../sessions/projects.ts';
import { clip } from '../text/clip.ts';
import { getSkill, inScope, type Skill } from './find-skill.ts';
import { type SkillKey, skills, type Writer } from './schema.ts';
import {
  firstLine,
  readFrontMatter,
  type SkillParts,
  splitSkillFile,
  writeFrontMatter,
} from './skill-file.ts';
import type { SkillFile } from './skill-files.ts';
import { writeMemory } from './skill-memory.ts';

/** Longest text of a SKILL.md, in UTF-16 units. */
export const MAX_FILE = 200_000;
export const MAX_DESCRIPTION = 2_000;

/** A skill as a caller gives it: a whole SKILL.md, or fields; what is not given stays as it was. */
export type GivenSkill = {
  name: string;
  project?: string | undefined;
  file?: string | undefined;
  description?: string | undefined;
  category?: string | null | undefined;
  config?: Record<string, unknown> | undefined;
  content?: string | undefined;
  /** the text files beside it */
  files?: SkillFile[] | undefined;
  /**
   * id of the version that the change is based on; null: there must be no version. Undefined: any version is
   * replaced.
   */
  base?: string | null | undefined;
  /** the version of the memory that a memory in the text is based on */
  memoryBase?: number | undefined;
};

/** Redacts a skill. Call it before a transaction is opened, because it is slow for long texts. */
export function prepareSkill(given: GivenSkill): GivenSkill {
  const { name, base, memoryBase, project, file, content, files, ...fields } = given;
  return {
    ...redactValue(fields, WHOLE),
    name,
    base,
    memoryBase,
    project: project === undefined ? undefined : redactText(project),
    file: file === undefined ? undefined : redactText(file),
    content: content === undefined ? undefined : redactText(content),
    files: files
      ?.map((one) => ({ ...one, text: redactText(one.text) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
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
  const projectId = given.project === undefined ? null : (await projectNamed(tx, given.project)).id;
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
  const files = given.files ?? before?.files ?? [];
  const values = { ...fields, frontMatter: parts.frontMatter, content: parts.content, files };
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
  // an empty section, as in a template, does not remove what was noted
  const noted =
    parts.memory !== ''
      ? await writeMemory(tx, key, { text: parts.memory }, writer, given.memoryBase)
      : false;
  return { key, created: before === null, changed: changed || noted };
}

type Fields = Pick<Skill, 'description' | 'category' | 'config'>;

/** Returns what is stored of a skill. Fields of a whole file come from its front matter. */
function toStore(given: GivenSkill, before: Skill | null): { parts: SkillParts; fields: Fields } {
  if (given.file !== undefined) {
    const parts = splitSkillFile(given.file);
    const { description, category, config } = readFrontMatter(parts.frontMatter);
    const line = firstLine(parts.content);
    const said = description ?? (line === null ? undefined : clip(line, 500));
    if (said === undefined) throw refused('file', 'has neither a description nor a text');
    if (said.length > MAX_DESCRIPTION)
      throw refused('file', `its description must have at most ${MAX_DESCRIPTION} characters`);
    return { parts, fields: { description: said, category: category ? clip(category, 200) : null, config } };
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

/** Returns the place of the memory: the same as before, if it still fits into the new text. */
const placeIn = (before: Skill | null, content: string) =>
  before?.content === content ? (before.memoryPlace ?? null) : null;

type Said = Omit<SkillParts, 'memory'> & Fields & Pick<Skill, 'files'>;

const sameSkill = (a: Skill, b: Said): boolean => fingerprint(a) === fingerprint(b);

/** Returns a hash of all that a version says. Fields of JSON may stand in any order. */
function fingerprint(skill: Said): string {
  const { description, category, config, frontMatter, content, memoryPlace: place } = skill;
  const files = skill.files.map(({ path, text, executable }) => [path, text, executable]);
  const said = [description, category, sorted(config), frontMatter, content];
  const where = place === null ? null : [place.at, place.before, place.after];
  return createHash('sha256')
    .update(JSON.stringify([...said, where, files]))
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
