import { isDeepStrictEqual } from 'node:util';
import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { badRequest, Problem } from '../../base/errors/problem.ts';
import { clip } from '../../base/text/clip.ts';
import { theOne } from '../../base/text/short-id.ts';
import { query, type Tx } from '../../db/open.ts';
import { exactInstant, limit, time } from '../../http/schemas.ts';
import { served } from '../../http/serve.ts';
import { redactText } from '../../redaction/redact.ts';
import { findProject, listInProject, ProjectName, projectNamed } from '../../sessions/projects.ts';
import { getSession } from '../../sessions/sessions.ts';
import { eraseKind } from '../erase.ts';
import { kindOf, type Row } from '../kind.ts';
import { type SkillKey, skillLogs, skills } from '../schema.ts';
import { ofRuns } from './runs.ts';
import { descriptionIn, SkillFile, SkillFiles, SkillName, splitSkillFile } from './skill-file.ts';

// Skills, each in versions of which one holds at a time. A request names one by its name, or by the id of any version.

const MAX_DESCRIPTION = 2_000;
/** Longest text of a SKILL.md, in UTF-16 units. */
const MAX_FILE = 200_000;

const NewSkill = z.strictObject({
  /** without it the skill is the user's, and found from every project */
  project: ProjectName.optional(),
  /** a whole SKILL.md */
  file: z.string().min(1).max(MAX_FILE),
  /** the text files beside it, all of them; 1 MB in total; without it they stay */
  files: SkillFiles.optional(),
  /** id of the version that the change is based on; null: there must be none */
  base: z.guid().nullable().optional(),
});
/** A skill as a caller gives it, redacted. */
type GivenSkill = z.output<typeof NewSkill> & { name: string };

const runs = {
  runs: { as: z.number(), sql: ofRuns(sql`count(*)::int`) },
  /** of the runs with a known end; null if none is known */
  successRate: {
    as: z.number().nullable(),
    sql: ofRuns(sql`avg(case l.result when 'succeeded' then 1 when 'failed' then 0 end)::float8`),
  },
  lastRun: { as: time.nullable(), sql: ofRuns(sql`to_json(max(l.at)) #>> '{}'`) },
};
/** As `estimateTokens` counts them. */
const tokens = {
  as: z.number(),
  sql: sql`ceil((octet_length(t.front_matter) + octet_length(t.content)) / 3.0)::int`,
};
const TEXTS = ['frontMatter', 'content', 'files'];
const files = { as: z.array(SkillFile), sql: sql`t.files` };
type SkillRow = Row & { frontMatter: string; content: string; files: SkillFile[] };
const listed = kindOf('skill', skills, ['scope', ...TEXTS], { tokens, ...runs });
const skill = kindOf<SkillRow>('skill', skills, ['scope'], { ...runs, files });
const Skill = z.object(skill.shape).openapi('Skill');
const Listed = z.object(listed.shape).openapi('ListedSkill');
const History = z.object({ versions: z.array(Listed) }).openapi('SkillHistory');

const isKey = ({ name, projectId }: SkillKey): SQL =>
  sql`t.name = ${name} and t.project_id is not distinct from ${projectId}::uuid`;
/** SQL for whether a version `t` held at an instant; not given: now. */
const heldAt = (at: string | undefined): SQL =>
  at === undefined
    ? sql`t.valid_until is null`
    : sql`tstzrange(t.valid_from, t.valid_until) @> ${at}::timestamptz`;

const noSuch = (name: string) => theOne<never>([], 'skill', name);

/**
 * Returns the skill that a name means. In a project it is the project's own, else the user's. Without a project it is the
 * user's, else that of the only project that has one.
 *
 * @param name or the id of one of its versions, by which records and offers name it
 * @param options.at when; default: now. `ever`: also one that was retired
 * @param options.own only the project's own; without a project, only the user's: it is to be changed
 * @throws Problem (404) if there is none, (409) if several projects have one
 */
async function findSkill(
  tx: Tx,
  name: string,
  options: { project?: string | undefined; at?: string | undefined; own?: boolean },
): Promise<SkillKey> {
  const { project, at, own = false } = options;
  const found = project === undefined ? null : await findProject(tx, project);
  const held = at === 'ever' ? sql`true` : heldAt(at);
  // a name may look like an id
  const rows = await query<SkillKey & { byId: boolean }>(tx)`
    select distinct t.name, t.project_id as "projectId", t.name <> ${name} as "byId" from skills t
    where t.user_id = auth.uid() and (t.name = ${name} and ${held} or not ${own} and t.id::text = lower(${name}))`;
  if (rows[0] && rows.every(({ byId }) => byId)) return rows[0];
  const ofProject = found ? rows.find(({ projectId }) => projectId === found.id) : undefined;
  const ofUser = rows.find(({ projectId }) => projectId === null);
  const others = project === undefined && !own && !ofUser ? rows : [];
  if (others.length > 1) {
    const detail = `Several projects have a skill ${name}. Say which with project.`;
    throw new Problem({ status: 409, title: 'Skill is ambiguous', detail });
  }
  const meant = own && project !== undefined ? ofProject : (ofProject ?? ofUser ?? others[0]);
  return meant ?? noSuch(name);
}

/** Returns the version of a skill that held at an instant (default: now). @throws Problem (404) if there was none */
async function getSkill(tx: Tx, key: SkillKey, at?: string): Promise<SkillRow> {
  const [found] = await skill.read(tx, sql`${isKey(key)} and ${heldAt(at)}`);
  return found ?? noSuch(key.name);
}

/**
 * Stores a skill: closes the version that holds and opens a new one, unless nothing changed.
 *
 * @throws Problem (400) naming what is missing, (409) if the version that holds is not `base`
 */
async function putSkill(tx: Tx, { name, project, file, files, base }: GivenSkill) {
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
  if (before && Object.entries(next).every(([name, value]) => isDeepStrictEqual(before[name], value)))
    return { key, created: false };
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
  await query(tx)`
    select pg_advisory_xact_lock(
      hashtextextended(concat_ws(' ', 'skill', auth.uid(), ${key.projectId}::uuid, ${key.name}::text), 0))`;
  const before = await getSkill(tx, key).catch(() => null);
  if (base === undefined || base === (before?.id ?? null)) return before;
  const detail = `The skill ${key.name} is not as you knew it: its version is ${before?.id ?? 'none'}. Read it again.`;
  throw new Problem({ status: 409, title: 'Skill has changed', detail });
}

/** Closes the version of a skill that holds. Returns the instant from which a new one holds, behind all earlier ones. */
async function closeSkill(tx: Tx, key: SkillKey): Promise<Date> {
  const [row] = await query<{ at: string }>(tx)`
    select greatest(clock_timestamp(), max(t.valid_from) + interval '1 microsecond', max(t.valid_until))::text as at
    from skills t where ${isKey(key)}`;
  // a Date would lose the microseconds
  const at = sql`${row?.at}::timestamptz`;
  await query(tx)`update skills t set valid_until = ${at} where ${isKey(key)} and ${heldAt(undefined)}`;
  return at as unknown as Date;
}

export const skillRoutes = served((route) => {
  const params = z.object({ name: z.string().min(1).max(200) });
  const project = z.string().min(1).max(4096).optional();
  const read = { 404: 'No such skill', 409: 'Several projects have it' };
  const change = { 404: 'No such skill', 409: 'It has changed meanwhile' };
  route(
    'GET /v1/skills',
    'Skills by name, without their texts',
    // `project`: its own and the user's; without it all
    {
      query: z.object({ project, limit: limit(1000, 1000) }),
      answer: z.object({ skills: z.array(Listed) }),
    },
    async ({ as, query: { project, limit } }) => ({
      skills: await as((tx) =>
        listInProject(tx, project, (id) => {
          // in a project its own hide the user's of the same name
          const where = sql`${heldAt(undefined)} and (${id ?? null}::uuid is null or t.project_id = ${id ?? null}::uuid
            or t.project_id is null and not exists (
              select from skills own
              where own.name = t.name and own.project_id = ${id ?? null}::uuid and own.valid_until is null))`;
          return listed.read(tx, where, sql`order by t.name, t.scope limit ${limit}::int`);
        }),
      ),
    }),
  );
  route(
    'GET /v1/skills/{name}',
    'The whole text of a skill, without counting a run',
    { params, query: z.object({ project, asOf: exactInstant().optional() }), answer: Skill, problems: read },
    ({ as, params: { name }, query: { project, asOf: at } }) =>
      as(async (tx) => getSkill(tx, await findSkill(tx, name, { project, at }), at)),
  );
  route(
    'PUT /v1/skills/{name}',
    'Make a skill, or a new version of it; the same text again changes nothing',
    {
      params: z.object({ name: SkillName }),
      body: NewSkill,
      answer: Skill,
      created: 'sometimes',
      wakes: ['embed'],
      problems: change,
    },
    ({ as, params: { name }, body: { file, files, ...given }, isNew }) => {
      // redacted before a transaction is opened, because that is slow for long texts
      const clean = {
        ...{ ...given, name, file: redactText(file) },
        files: files?.map((one) => ({ ...one, text: redactText(one.text) })),
      };
      return as(async (tx) => {
        const { key, created } = await putSkill(tx, clean);
        isNew(created);
        return getSkill(tx, key);
      });
    },
  );
  route(
    'POST /v1/skills/{name}/activate',
    'The text of a skill that is about to be used; counts as a run that started',
    {
      params,
      /** `session`: the one in which it is used, by Lore's id or the client's */
      query: z.object({ project, session: z.string().min(1).max(200).optional() }),
      answer: Skill,
      problems: read,
    },
    ({ as, params: { name }, query: { project, session } }) =>
      as(async (tx) => {
        const key = await findSkill(tx, name, { project });
        const used = session === undefined ? undefined : await getSession(tx, session);
        if (session !== undefined && !used) throw badRequest('session', `you have no session ${session}`);
        // a skill of the only project that has it was run there, wherever it was asked for
        const where = project ?? used?.project;
        const place = where === undefined ? undefined : await findProject(tx, where);
        const projectId = place?.id ?? key.projectId;
        const at = sql`clock_timestamp()` as unknown as Date;
        const run = { skill: key.name, projectId, sessionId: used?.id ?? null, at };
        await tx.insert(skillLogs).values({ ...run, result: 'started' });
        return getSkill(tx, key);
      }),
  );
  route(
    'GET /v1/skills/{name}/history',
    'The versions of a skill, the newest first, without their texts',
    { params, query: z.object({ project }), answer: History, problems: read },
    async ({ as, params: { name }, query: { project } }) => ({
      versions: await as(async (tx) => {
        const key = await findSkill(tx, name, { project, at: 'ever' });
        return listed.read(tx, isKey(key), sql`order by t.valid_from desc limit 100`);
      }),
    }),
  );
  route(
    'POST /v1/skills/{name}/retire',
    "End a skill's validity; it stays for time travel",
    { params, query: z.object({ project, base: z.guid().optional() }), problems: change },
    ({ as, params: { name }, query: { project, base } }) =>
      as(async (tx) => {
        const key = await findSkill(tx, name, { project, own: true });
        if ((await current(tx, key, base)) === null) noSuch(name);
        await closeSkill(tx, key);
      }),
  );
  route(
    'DELETE /v1/skills/{name}',
    'Permanently erase a skill: all versions and its runs',
    { params, query: z.object({ project }), problems: change },
    ({ as, params: { name }, query: { project } }) =>
      as(async (tx) => {
        const key = await findSkill(tx, name, { project, own: true, at: 'ever' });
        const { projectId } = key;
        await query(tx)`
          delete from skill_logs l where l.skill = ${key.name} and (l.project_id is not distinct from ${projectId}::uuid
            or ${projectId === null} and not exists (
              select from skills s where s.name = ${key.name} and s.project_id = l.project_id))`;
        await eraseKind(tx, 'skill', isKey(key));
      }),
  );
});
