import { createRoute, z } from '@hono/zod-openapi';
import { badRequest } from '../../base/errors/problem.ts';
import type { Database, Tx } from '../../db/open.ts';
import { asCaller, type Router, router } from '../../http/router.ts';
import { body, commonProblems, instant, json, limit, problem, time, wire } from '../../http/schemas.ts';
import { redactText } from '../../redaction/redact.ts';
import { findProject, listInProject, ProjectName } from '../../sessions/projects.ts';
import { getSession } from '../../sessions/sessions.ts';
import { countRun } from './runs.ts';
import type { SkillKey } from './schema.ts';
import { SKILL_NAME, SkillFiles } from './skill-files.ts';
import {
  eraseSkill,
  findSkill,
  getSkill,
  listSkills,
  putSkill,
  retireSkill,
  skillHistory,
} from './skills.ts';

/** Longest text of a SKILL.md, in UTF-16 units. */
const MAX_FILE = 200_000;

const SkillName = z
  .string()
  .regex(
    SKILL_NAME,
    'must have 1 to 100 letters, digits, dots, hyphens and underscores, and begin with a letter or digit',
  )
  .refine((name) => redactText(name) === name, 'looks like a secret');

const NewSkill = z
  .strictObject({
    /** without it the skill is the user's, and found from every project */
    project: ProjectName.optional(),
    /** a whole SKILL.md */
    file: z.string().min(1).max(MAX_FILE),
    /** the text files beside it, all of them; 1 MB in total; without it they stay */
    files: SkillFiles.optional(),
    /** id of the version that the change is based on; null: there must be none */
    base: z.guid().nullable().optional(),
  })
  .openapi('NewSkill');

const Version = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string().nullable(),
  description: z.string(),
  validFrom: time,
  validUntil: time.nullable(),
});
const Statistics = z.object({
  runs: z.number(),
  /** of the runs with a known end; null if none is known */
  successRate: z.number().nullable(),
  lastRun: time.nullable(),
});
const Skill = Version.extend({
  ...Statistics.shape,
  frontMatter: z.string(),
  content: z.string(),
  /** the text files beside it */
  files: z.array(z.object({ path: z.string(), text: z.string(), executable: z.boolean() })),
}).openapi('Skill');
const Listed = Version.extend({ ...Statistics.shape, tokens: z.number() }).openapi('ListedSkill');
const History = z
  .object({ versions: z.array(Version.extend({ tokens: z.number() })) })
  .openapi('SkillHistory');

const params = z.object({ name: z.string().min(1).max(200) });
const project = z.string().min(1).max(4096).optional();
const read = { 404: problem('No such skill'), 409: problem('Several projects have it'), ...commonProblems };
const change = { 404: problem('No such skill'), 409: problem('It has changed meanwhile'), ...commonProblems };

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/skills',
    summary: 'Skills by name, without their texts',
    /** `project`: its own and the user's; without it all */
    request: { query: z.object({ project, limit: limit(1000, 1000) }) },
    responses: { 200: json(z.object({ skills: z.array(Listed) }), 'The skills'), ...commonProblems },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/skills/{name}',
    summary: 'The whole text of a skill, without counting a run',
    request: { params, query: z.object({ project, asOf: instant().optional() }) },
    responses: { 200: json(Skill, 'The skill'), ...read },
  }),
  put: createRoute({
    method: 'put',
    path: '/v1/skills/{name}',
    summary: 'Make a skill, or a new version of it',
    request: { params: z.object({ name: SkillName }), ...body(NewSkill) },
    responses: {
      201: json(Skill, 'Made'),
      200: json(Skill, 'A new version, or the same if nothing changed'),
      ...change,
    },
  }),
  activate: createRoute({
    method: 'post',
    path: '/v1/skills/{name}/activate',
    summary: 'The text of a skill that is about to be used; counts as a run that started',
    /** `session`: the one in which it is used, by Lore's id or the client's */
    request: { params, query: z.object({ project, session: z.string().min(1).max(200).optional() }) },
    responses: { 200: json(Skill, 'The skill'), ...read },
  }),
  history: createRoute({
    method: 'get',
    path: '/v1/skills/{name}/history',
    summary: 'The versions of a skill, the newest first, without their texts',
    request: { params, query: z.object({ project }) },
    responses: { 200: json(History, 'The versions'), ...read },
  }),
  retire: createRoute({
    method: 'post',
    path: '/v1/skills/{name}/retire',
    summary: "End a skill's validity; it stays for time travel",
    request: { params, query: z.object({ project, base: z.guid().optional() }) },
    responses: { 204: { description: 'Retired' }, ...change },
  }),
  erase: createRoute({
    method: 'delete',
    path: '/v1/skills/{name}',
    summary: 'Permanently erase a skill: all versions and its runs',
    request: { params, query: z.object({ project }) },
    responses: { 204: { description: 'Erased' }, ...change },
  }),
};

export function skillRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  const whole = async (tx: Tx, key: SkillKey, asOf?: Date) => wire(await getSkill(tx, key, asOf));
  app.openapi(routes.list, async (c) => {
    const { project, limit } = c.req.valid('query');
    const skills = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listSkills(tx, projectId, limit)),
    );
    return c.json({ skills: wire(skills) }, 200);
  });
  app.openapi(routes.get, async (c) => {
    const { project, asOf } = c.req.valid('query');
    const { name } = c.req.valid('param');
    const skill = await asCaller(services, c, async (tx) =>
      whole(tx, await findSkill(tx, name, { project, at: asOf ?? null }), asOf),
    );
    return c.json(skill, 200);
  });
  app.openapi(routes.put, async (c) => {
    const { file, files, ...given } = c.req.valid('json');
    // redacted before a transaction is opened, because that is slow for long texts
    const clean = {
      ...{ ...given, name: c.req.valid('param').name, file: redactText(file) },
      files: files?.map((one) => ({ ...one, text: redactText(one.text) })),
    };
    const [created, skill] = await asCaller(services, c, async (tx) => {
      const stored = await putSkill(tx, clean);
      return [stored.created, await whole(tx, stored.key)] as const;
    });
    services.wake('embed');
    return c.json(skill, created ? 201 : 200);
  });
  app.openapi(routes.activate, async (c) => {
    const { project, session } = c.req.valid('query');
    const activated = await asCaller(services, c, async (tx) => {
      const key = await findSkill(tx, c.req.valid('param').name, { project });
      const used = session === undefined ? undefined : await getSession(tx, session);
      if (session !== undefined && !used) throw badRequest('session', `you have no session ${session}`);
      // a skill of the only project that has it was run there, wherever it was asked for
      const where = project ?? used?.project;
      const place = where === undefined ? undefined : await findProject(tx, where);
      await countRun(tx, {
        skill: key.name,
        projectId: place?.id ?? key.projectId,
        sessionId: used?.id ?? null,
      });
      return whole(tx, key);
    });
    return c.json(activated, 200);
  });
  app.openapi(routes.history, async (c) => {
    const { project } = c.req.valid('query');
    const versions = await asCaller(services, c, async (tx) =>
      skillHistory(tx, await findSkill(tx, c.req.valid('param').name, { project, at: 'ever' })),
    );
    return c.json({ versions: wire(versions) }, 200);
  });
  app.openapi(routes.retire, async (c) => {
    const { project, base } = c.req.valid('query');
    await asCaller(services, c, async (tx) =>
      retireSkill(tx, await findSkill(tx, c.req.valid('param').name, { project, own: true }), base),
    );
    return c.body(null, 204);
  });
  app.openapi(routes.erase, async (c) => {
    const { project } = c.req.valid('query');
    await asCaller(services, c, async (tx) =>
      eraseSkill(tx, await findSkill(tx, c.req.valid('param').name, { project, own: true, at: 'ever' })),
    );
    return c.body(null, 204);
  });
  return app;
}
