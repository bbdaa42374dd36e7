// Longer than 400 lines because the routes of skills, their files and their memory share schemas.
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Database, Tx } from '../db/open.ts';
import type { Env } from '../http/env.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, instant, json, limit, problem, time, wire } from '../http/schemas.ts';
import { redactText, redactValue, WHOLE } from '../redaction/redact.ts';
import { listInProject, ProjectName, projectNamed } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { eraseSkill } from './erase.ts';
import { addLog, listLogs, sessionNamed, statisticsOf } from './logs.ts';
import { getMemory, writeMemory } from './memory.ts';
import { RESULTS, SKILL_NAME, type SkillKey, type Writer } from './schema.ts';
import { SkillFiles } from './skill-files.ts';
import {
  findSkill,
  fitted,
  getSkill,
  listSkills,
  lockSkill,
  MAX_DESCRIPTION,
  MAX_FILE,
  prepareSkill,
  putSkill,
  retireSkill,
  skillHistory,
} from './skills.ts';

const SkillName = z
  .string()
  .regex(
    SKILL_NAME,
    'must have 1 to 100 letters, digits, dots, hyphens and underscores, and begin with a letter or digit',
  )
  .refine((name) => redactText(name) === name, 'looks like a secret');

/** Default budget of a list, in tokens. It is what 59 skills may cost. */
const LIST_TOKENS = 2_500;

const NewSkill = z
  .strictObject({
    /** without it the skill is the user's, and found from every project */
    project: ProjectName.optional(),
    /** a whole SKILL.md, instead of the fields below */
    file: z.string().min(1).max(MAX_FILE).optional(),
    description: z.string().trim().min(1).max(MAX_DESCRIPTION).optional(),
    category: z.string().trim().min(1).max(200).optional(),
    /** the text behind the front matter */
    content: z.string().min(1).max(MAX_FILE).optional(),
    /** the text files beside it, all of them; 1 MB in total */
    files: SkillFiles.optional(),
    /** id of the version that the change is based on; null: there must be none */
    base: z.guid().nullable().optional(),
    /** the version of the memory that a memory in the text is based on */
    memoryBase: z.number().int().min(0).max(2_147_483_647).optional(),
  })
  .refine(
    ({ file, description, category, content }) => file === undefined || !(description || category || content),
    {
      message: 'holds description, category and content itself; give it alone',
      path: ['file'],
    },
  )
  .openapi('NewSkill');

const Statistics = z.object({
  runs: z.number(),
  /** of the runs with a known end; null if none is known */
  successRate: z.number().nullable(),
  lastRun: time.nullable(),
});

const Version = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string().nullable(),
  description: z.string(),
  category: z.string().nullable(),
  evaluatedBy: z.string(),
  sourceSubagent: z.string().nullable(),
  validFrom: time,
  validUntil: time.nullable(),
});

const Memory = z
  .object({
    version: z.number(),
    text: z.string(),
    tokens: z.number(),
    /** whether rules made it shorter; the version before it has all */
    compacted: z.boolean(),
    evaluatedBy: z.string().nullable(),
    sourceSubagent: z.string().nullable(),
    validFrom: time.nullable(),
    validUntil: time.nullable(),
  })
  .openapi('SkillMemory');

const Skill = Version.extend({
  ...Statistics.shape,
  /** the session in which this version was written */
  sourceSessionId: z.string().nullable(),
  config: z.record(z.string(), z.unknown()),
  frontMatter: z.string(),
  content: z.string(),
  /** where the section for the memory stands in the content; null: at its end */
  memoryPlace: z.object({ at: z.number(), before: z.string(), after: z.string() }).nullable(),
  memory: Memory,
  /** the text files beside it */
  files: z.array(
    z.object({
      path: z.string(),
      /** null: it was not asked for */
      text: z.string().nullable(),
      executable: z.boolean(),
    }),
  ),
}).openapi('Skill');

const Listed = z.object({ name: z.string(), description: z.string() });
const Details = Version.extend({
  sourceSessionId: z.string().nullable(),
  tokens: z.number(),
  memoryVersion: z.number(),
  ...Statistics.shape,
}).openapi('ListedSkill');

const History = z
  .object({
    versions: z.array(Version.extend({ tokens: z.number() })),
    memory: z.array(
      Memory.omit({ text: true, sourceSubagent: true }).extend({ added: z.string().nullable() }),
    ),
  })
  .openapi('SkillHistory');

const Activated = z
  .object({
    name: z.string(),
    description: z.string(),
    content: z.string(),
    memory: z.string(),
    /** to be named by later logs of this run */
    run: z.string(),
  })
  .openapi('ActivatedSkill');

const word = z.string().trim().min(1).max(200);

const NewLog = z
  .strictObject({
    skill: word,
    /** what was done with it, in a word of yours: `run`, `deploy` … */
    action: word,
    result: z.enum(RESULTS),
    durationMs: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    observationRef: z
      .string()
      .regex(/^obs:[0-9a-f]{12}$/, 'must be obs: and twelve hexadecimal digits, such as obs:0123456789ab')
      .optional(),
    project: ProjectName.optional(),
    /** a session, by Lore's id or the client's */
    session: z.string().min(1).max(200).optional(),
    agent: word.optional(),
    /** the run that an activation returned; its logs count as one run */
    run: z.guid().optional(),
  })
  .openapi('NewSkillLog');

const Log = z
  .object({
    id: z.string(),
    run: z.string(),
    skill: z.string(),
    action: z.string(),
    result: z.enum(RESULTS),
    durationMs: z.number().nullable(),
    observationRef: z.string().nullable(),
    project: z.string().nullable(),
    session: z.string().nullable(),
    agentId: z.string().nullable(),
    at: time,
  })
  .openapi('SkillLog');

const params = z.object({ name: z.string().min(1).max(200) });
const project = z.string().min(1).max(4096).optional();
const session = z.string().min(1).max(200).optional();
const agent = z.string().trim().min(1).max(200).optional();
const read = { 404: problem('No such skill'), 409: problem('Several projects have it'), ...commonProblems };
const change = { 404: problem('No such skill'), 409: problem('It has changed meanwhile'), ...commonProblems };

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/skills',
    summary: 'Skills by name: name and description only, or with details',
    request: {
      query: z.object({
        /** its own and the user's; without it all */
        project,
        /** the last name of the previous page */
        after: z.string().min(1).max(200).optional(),
        limit: limit(1000, 1000),
        /** where the list would have more, long descriptions are cut */
        tokenBudget: z.coerce
          .number()
          .int()
          .min(1)
          .max(1_000_000)
          .default(LIST_TOKENS)
          .openapi({ type: 'integer' }),
        details: z.enum(['true', 'false']).default('false'),
      }),
    },
    responses: {
      200: json(z.object({ skills: z.array(z.union([Details, Listed])) }), 'The skills'),
      ...commonProblems,
    },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/skills/{name}',
    summary: 'The whole text of a skill, without counting a run',
    request: {
      params,
      query: z.object({
        project,
        asOf: instant().optional(),
        /** whether to tell the texts of its files too */
        files: z.enum(['true', 'false']).default('false'),
      }),
    },
    responses: { 200: json(Skill, 'The skill'), ...read },
  }),
  put: createRoute({
    method: 'put',
    path: '/v1/skills/{name}',
    summary: 'Make a skill, or a new version of it; what is not given stays as it was',
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
    summary: 'The whole text of a skill that is about to be used; counts as a run that started',
    request: { params, query: z.object({ project, session, agent }) },
    responses: { 200: json(Activated, 'The skill'), ...read },
  }),
  history: createRoute({
    method: 'get',
    path: '/v1/skills/{name}/history',
    summary: 'The versions of a skill and of its memory, the newest first, without their texts',
    request: { params, query: z.object({ project, limit: limit(500, 50) }) },
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
    summary: 'Permanently erase a skill: all versions, its memory and its logs',
    request: { params, query: z.object({ project }) },
    responses: { 204: { description: 'Erased' }, ...change },
  }),
  memory: createRoute({
    method: 'get',
    path: '/v1/skills/{name}/memory',
    summary: 'What was noted about using a skill, now or in a version',
    request: {
      params,
      query: z.object({
        project,
        version: z.coerce.number().int().min(1).max(1_000_000).optional().openapi({ type: 'integer' }),
      }),
    },
    responses: { 200: json(Memory, 'The memory; version 0 if nothing was noted'), ...read },
  }),
  putMemory: createRoute({
    method: 'put',
    path: '/v1/skills/{name}/memory',
    summary: "Write a skill's memory anew; above 1,000 tokens it is compacted",
    request: {
      params,
      ...body(
        z.strictObject({
          project,
          text: z.string().max(MAX_FILE),
          /** the version that the change is based on */
          base: z.number().int().min(0).max(2_147_483_647).optional(),
        }),
      ),
    },
    responses: { 200: json(Memory, 'The memory'), ...change },
  }),
  append: createRoute({
    method: 'post',
    path: '/v1/skills/{name}/memory',
    summary: "Add an entry to a skill's memory; above 1,000 tokens it is compacted",
    request: {
      params,
      ...body(z.strictObject({ project, entry: z.string().trim().min(1).max(2_000), session, agent })),
    },
    responses: { 200: json(Memory, 'The memory'), ...read },
  }),
  log: createRoute({
    method: 'post',
    path: '/v1/logs',
    summary: 'Log what was done with a skill, and what came of it',
    request: body(NewLog),
    responses: { 201: json(z.object({ id: z.string(), run: z.string() }), 'Logged'), ...commonProblems },
  }),
  logs: createRoute({
    method: 'get',
    path: '/v1/logs',
    summary: 'Logs of skills, the newest first',
    request: {
      query: z.object({
        project,
        skill: word.optional(),
        action: word.optional(),
        result: z.enum(RESULTS).optional(),
        session,
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
    },
    responses: { 200: json(z.object({ logs: z.array(Log) }), 'The logs'), ...commonProblems },
  }),
};

export function skillRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  const whole = async (tx: Tx, key: SkillKey, asOf?: Date, texts = false) => {
    const skill = await getSkill(tx, key, asOf ?? null);
    const [statistics] = await statisticsOf(tx, [key]);
    const memory = await getMemory(tx, key, asOf && { asOf });
    const files = skill.files.map((file) => ({ ...file, text: texts ? file.text : null }));
    return wire({ ...skill, ...(statistics as NonNullable<typeof statistics>), files, memory });
  };
  app.openapi(routes.list, async (c) => {
    const { project, details, tokenBudget, ...filter } = c.req.valid('query');
    const rows = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listSkills(tx, { ...filter, projectId })),
    );
    const skills = details === 'true' ? wire(rows) : fitted(rows, tokenBudget);
    return c.json({ skills: skills as z.infer<typeof Listed>[] }, 200);
  });
  app.openapi(routes.get, async (c) => {
    const { project, asOf, files } = c.req.valid('query');
    const skill = await asCaller(services, c, async (tx) => {
      const key = await findSkill(tx, c.req.valid('param').name, { project, at: asOf ?? null });
      return whole(tx, key, asOf, files === 'true');
    });
    return c.json(skill, 200);
  });
  app.openapi(routes.put, async (c) => {
    const prepared = prepareSkill({ ...c.req.valid('json'), name: c.req.valid('param').name });
    const [created, skill] = await asCaller(services, c, async (tx) => {
      const stored = await putSkill(tx, prepared, writerOf(c));
      return [stored.created, await whole(tx, stored.key)] as const;
    });
    services.wake('embed');
    return c.json(skill, created ? 201 : 200);
  });
  app.openapi(routes.activate, async (c) => {
    const { project, session, agent } = c.req.valid('query');
    const activated = await asCaller(services, c, async (tx) => {
      const key = await findSkill(tx, c.req.valid('param').name, { project });
      const place = await sessionNamed(tx, { session, project });
      const { name, description, content } = await getSkill(tx, key);
      const { run } = await addLog(tx, {
        ...{ skill: name, action: 'activate', result: 'started' as const, sessionId: place.sessionId },
        // a skill of the only project that has it was run there, wherever it was asked for
        projectId: place.projectId ?? key.projectId,
        agentId: agent && redactText(agent),
      });
      return { name, description, content, memory: (await getMemory(tx, key)).text, run };
    });
    return c.json(activated, 200);
  });
  app.openapi(routes.history, async (c) => {
    const { project, limit } = c.req.valid('query');
    const history = await asCaller(services, c, async (tx) =>
      skillHistory(tx, await findSkill(tx, c.req.valid('param').name, { project, at: 'ever' }), limit),
    );
    return c.json(wire(history), 200);
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
  app.openapi(routes.memory, async (c) => {
    const { project, version } = c.req.valid('query');
    const memory = await asCaller(services, c, async (tx) => {
      const key = await findSkill(tx, c.req.valid('param').name, { project });
      return getMemory(tx, key, version === undefined ? {} : { version });
    });
    return c.json(wire(memory), 200);
  });
  app.openapi(routes.putMemory, async (c) => {
    const { project, text, base } = c.req.valid('json');
    const clean = redactText(text);
    const memory = await asCaller(services, c, async (tx) => {
      const key = await findSkill(tx, c.req.valid('param').name, { project, own: true });
      await lockSkill(tx, key);
      await writeMemory(tx, key, { text: clean }, writerOf(c), base);
      return getMemory(tx, key);
    });
    return c.json(wire(memory), 200);
  });
  app.openapi(routes.append, async (c) => {
    const { project, session, ...given } = c.req.valid('json');
    const { entry, agent } = redactValue(given, WHOLE);
    const memory = await asCaller(services, c, async (tx) => {
      const key = await findSkill(tx, c.req.valid('param').name, { project });
      const { sessionId } = await sessionNamed(tx, { session, project });
      await lockSkill(tx, key);
      await writeMemory(tx, key, { entry }, { ...writerOf(c), agent, sessionId });
      return getMemory(tx, key);
    });
    return c.json(wire(memory), 200);
  });
  app.openapi(routes.log, async (c) => {
    const { project, session, agent, ...log } = redactValue(c.req.valid('json'), WHOLE);
    const stored = await asCaller(services, c, async (tx) => {
      if (project !== undefined) await projectNamed(tx, project);
      return addLog(tx, { ...log, agentId: agent, ...(await sessionNamed(tx, { session, project })) });
    });
    return c.json(stored, 201);
  });
  app.openapi(routes.logs, async (c) => {
    const { project, session, ...filter } = c.req.valid('query');
    const logs = await asCaller(services, c, async (tx) => {
      const sessionId = session === undefined ? undefined : (await getSession(tx, session))?.id;
      if (session !== undefined && sessionId === undefined) return [];
      return listInProject(tx, project, (projectId) => listLogs(tx, { ...filter, projectId, sessionId }));
    });
    return c.json({ logs: wire(logs) }, 200);
  });
  return app;
}

/** Returns who writes: with a key of hooks it is an agent, because an agent's shell sees that key. */
const writerOf = (c: Context<Env>): Writer => ({
  evaluatedBy: c.get('caller').scope === 'hooks' ? 'agent' : 'person',
  sessionId: null,
});
