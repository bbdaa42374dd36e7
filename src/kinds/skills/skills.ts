import { and, asc, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { badRequest, Problem } from '../../base/errors/problem.ts';
import { clip } from '../../base/text/clip.ts';
import { estimateTokens } from '../../base/text/tokens.ts';
import type { Erased, Erasure } from '../../db/erasure.ts';
import { query, type Tx } from '../../db/open.ts';
import { eraseOffers } from '../../offers/offers.ts';
import { eraseDocuments } from '../../search/erase.ts';
import { findProject, projectNamed, projectNameOf } from '../../sessions/projects.ts';
import { STATISTICS } from './runs.ts';
import { type SkillKey, skills } from './schema.ts';
import { descriptionIn, splitSkillFile } from './skill-file.ts';
import type { SkillFile } from './skill-files.ts';

const MAX_DESCRIPTION = 2_000;

const isKey = ({ name, projectId }: SkillKey): SQL =>
  and(
    eq(skills.name, name),
    projectId === null ? isNull(skills.projectId) : eq(skills.projectId, projectId),
  ) as SQL;

/** SQL for whether a version held at an instant; null: now. */
const heldAt = (at: Date | null): SQL =>
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
    .selectDistinct(key)
    .from(skills)
    .where(and(eq(skills.name, name), at === 'ever' ? undefined : heldAt(at)));
  const ofProject = found ? rows.find(({ projectId }) => projectId === found.id) : undefined;
  const ofUser = rows.find(({ projectId }) => projectId === null);
  const others = project === undefined && !own && !ofUser ? rows : [];
  if (others.length > 1) {
    const detail = `Several projects have a skill ${name}. Say which with project.`;
    throw new Problem({ status: 409, title: 'Skill is ambiguous', detail });
  }
  const meant = own && project !== undefined ? ofProject : (ofProject ?? ofUser ?? others[0]);
  if (!meant) throw noSuch(name);
  return meant;
}

const { userId: _user, scope: _scope, projectId: _project, ...own } = getTableColumns(skills);
const columns = { ...own, project: projectNameOf(skills.projectId), statistics: STATISTICS };

/** Returns the version of a skill that held at an instant (null: now). @throws Problem (404) if there was none */
export async function getSkill(tx: Tx, key: SkillKey, at: Date | null = null) {
  const [found] = await tx
    .select(columns)
    .from(skills)
    .where(and(isKey(key), heldAt(at)))
    .limit(1);
  if (!found) throw noSuch(key.name);
  const { statistics, ...skill } = found;
  return { ...skill, ...statistics };
}

/** A skill as a caller gives it, redacted. */
export type GivenSkill = {
  name: string;
  project?: string | undefined;
  /** a whole SKILL.md */
  file: string;
  /** the text files beside it; undefined: they stay as they were */
  files?: SkillFile[] | undefined;
  /** id of the version that the change is based on; null: there must be none; undefined: any version is replaced */
  base?: string | null | undefined;
};

/**
 * Stores a skill: closes the version that holds and opens a new one, unless nothing changed.
 *
 * @throws Problem (400) naming what is missing, (409) if the version that holds is not `base`
 */
export async function putSkill(
  tx: Tx,
  { name, project, file, files, base }: GivenSkill,
): Promise<{ key: SkillKey; created: boolean }> {
  const key = { name, projectId: project === undefined ? null : (await projectNamed(tx, project)).id };
  const before = await current(tx, key, base);
  const { frontMatter, content } = splitSkillFile(file);
  // as in the client, a skill without a description has the first line of its text
  const line = content.split(/\r?\n/).find((one) => /[^#\s]/.test(one)) ?? '';
  const description = descriptionIn(frontMatter) ?? clip(line.replace(/^#+\s*/, '').trim(), 500);
  if (description === '') throw badRequest('file', 'has neither a description nor a text');
  if (description.length > MAX_DESCRIPTION)
    throw badRequest('file', `its description must have at most ${MAX_DESCRIPTION} characters`);
  const inOrder = (files ?? before?.files ?? []).sort((a, b) => (a.path < b.path ? -1 : 1));
  const next = { frontMatter, content, files: inOrder };
  if (before && said(before) === said(next)) return { key, created: false };
  const validFrom = await closeSkill(tx, key);
  await tx.insert(skills).values({ ...key, ...next, description, validFrom });
  return { key, created: before === null };
}

/**
 * Locks a skill, so that one transaction at a time changes it, and returns its current version; null if there is none.
 *
 * @throws Problem (409) if that is not the one that a change is based on
 */
async function current(tx: Tx, key: SkillKey, base: string | null | undefined) {
  await query(
    tx,
    sql`select pg_advisory_xact_lock(
          hashtextextended(concat_ws(' ', 'skill', auth.uid(), ${key.projectId}::uuid, ${key.name}::text), 0))`,
  );
  const before = await getSkill(tx, key).catch(() => null);
  if (base === undefined || base === (before?.id ?? null)) return before;
  const detail = `The skill ${key.name} is not as you knew it: its version is ${before?.id ?? 'none'}. Read it again.`;
  throw new Problem({ status: 409, title: 'Skill has changed', detail });
}

/** Returns all that a version says. The fields stand in its front matter. */
const said = (one: { frontMatter: string; content: string; files: SkillFile[] }) =>
  JSON.stringify([one.frontMatter, one.content, one.files.map((f) => [f.path, f.text, f.executable])]);

/** Closes the version of a skill that holds. Returns the instant from which a new one holds, behind all earlier ones. */
async function closeSkill(tx: Tx, key: SkillKey): Promise<Date> {
  const [row] = await tx
    .select({
      at: sql<string>`greatest(clock_timestamp(), max(${skills.validFrom}) + interval '1 microsecond', max(${skills.validUntil}))::text`,
    })
    .from(skills)
    .where(isKey(key));
  // a Date would lose the microseconds
  const at = sql`${row?.at}::timestamptz` as unknown as Date;
  await tx
    .update(skills)
    .set({ validUntil: at })
    .where(and(isKey(key), heldAt(null)));
  return at;
}

/** Ends a skill's validity. All of its versions stay for time travel. */
export async function retireSkill(tx: Tx, key: SkillKey, base: string | undefined): Promise<void> {
  if ((await current(tx, key, base)) === null) throw noSuch(key.name);
  await closeSkill(tx, key);
}

/**
 * Returns skills in the order of their names. In a project its own skills hide the user's of the same name; without a
 * project all are listed.
 */
export async function listSkills(tx: Tx, projectId: string | undefined, limit: number) {
  const rows = await tx
    .select(columns)
    .from(skills)
    .where(
      and(
        heldAt(null),
        projectId === undefined
          ? undefined
          : sql`(${skills.projectId} = ${projectId} or ${skills.projectId} is null and not exists (
              select from skills own
              where own.name = ${skills.name} and own.project_id = ${projectId} and own.valid_until is null))`,
      ),
    )
    .orderBy(asc(skills.name), asc(skills.scope))
    .limit(limit);
  return rows.map(({ statistics, ...row }) => ({ ...inShort(row), ...statistics }));
}

/** Returns the newest versions of a skill, without their texts. */
export async function skillHistory(tx: Tx, key: SkillKey) {
  const { statistics: _, ...version } = columns;
  const rows = await tx
    .select(version)
    .from(skills)
    .where(isKey(key))
    .orderBy(desc(skills.validFrom))
    .limit(100);
  return rows.map(inShort);
}

const inShort = <T extends { frontMatter: string; content: string; files: SkillFile[] }>(version: T) => {
  const { frontMatter, content, files: _, ...row } = version;
  return { ...row, tokens: estimateTokens(frontMatter + content) };
};

/** Erases the runs of sessions, and the skills and runs of a project or from before an instant. `keepLearned` keeps skills. */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { sessions, projectId, before, keepLearned } = erasure;
  const fits = sql`project_id = ${keepLearned ? null : projectId}::uuid`;
  const erased = keepLearned
    ? { skills: 0, searchDocuments: 0, offers: 0 }
    : await eraseVersions(tx, sql`(${fits} or valid_from < ${before}::timestamptz)`);
  const logs = await query(
    tx,
    sql`delete from skill_logs
        where session_id = any (${sql.param(sessions)}::uuid[]) or at < ${before}::timestamptz or ${fits}
        returning 1`,
  );
  return { ...erased, skillLogs: logs.length };
}

/** Erases a skill for good: every version of it, and its runs. */
export async function eraseSkill(tx: Tx, { name, projectId }: SkillKey): Promise<void> {
  const own = sql`project_id is not distinct from ${projectId}::uuid`;
  await query(
    tx,
    sql`delete from skill_logs l where l.skill = ${name} and (${own}
          or ${projectId === null} and not exists (
            select from skills s where s.name = ${name} and s.project_id = l.project_id))`,
  );
  await eraseVersions(tx, sql`(name = ${name} and ${own})`);
}

async function eraseVersions(tx: Tx, fits: SQL): Promise<Erased> {
  const rows = await query<{ id: string }>(tx, sql`select id from skills where ${fits}`);
  const ids = rows.map(({ id }) => id);
  const offers = await eraseOffers(tx, ids);
  const searchDocuments = await eraseDocuments(tx, 'skill', ids);
  await query(tx, sql`delete from skills where id = any (${sql.param(ids)}::uuid[])`);
  return { skills: ids.length, searchDocuments, offers };
}
