import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, limit, time, wire } from '../http/schemas.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { listInProject, ProjectName, projectNamed } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { addLog, hasRun, listLogs } from './logs.ts';
import { sessionNamed } from './named-session.ts';
import { RESULTS } from './schema.ts';

const name = z.string().trim().min(1).max(200);

const NewLog = z
  .strictObject({
    skill: name,
    /** what was done with it, in a word of yours: `run`, `deploy` … */
    action: name,
    result: z.enum(RESULTS),
    durationMs: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    observationRef: z
      .string()
      .regex(/^obs:[0-9a-f]{12}$/, 'must be obs: and twelve hexadecimal digits, such as obs:0123456789ab')
      .optional(),
    project: ProjectName.optional(),
    /** a session, by Lore's id or the client's */
    session: z.string().min(1).max(200).optional(),
    agent: name.optional(),
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

const routes = {
  create: createRoute({
    method: 'post',
    path: '/v1/logs',
    summary: 'Log what was done with a skill, and what came of it',
    request: body(NewLog),
    responses: { 201: json(z.object({ id: z.string(), run: z.string() }), 'Logged'), ...commonProblems },
  }),
  list: createRoute({
    method: 'get',
    path: '/v1/logs',
    summary: 'Logs of skills, the newest first',
    request: {
      query: z.object({
        project: z.string().min(1).max(4096).optional(),
        skill: name.optional(),
        action: name.optional(),
        result: z.enum(RESULTS).optional(),
        session: z.string().min(1).max(200).optional(),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
    },
    responses: { 200: json(z.object({ logs: z.array(Log) }), 'The logs'), ...commonProblems },
  }),
};

export function skillLogRoutes(services: { db: Database }): Router {
  const app = router();
  app.openapi(routes.create, async (c) => {
    const { project, session, agent, ...log } = redactValue(c.req.valid('json'), WHOLE);
    const stored = await asCaller(services, c, async (tx) => {
      if (log.run !== undefined && !(await hasRun(tx, log.run, log.skill))) {
        const message = `you have no run ${log.run} of ${log.skill}`;
        const errors = [{ field: 'run', message }];
        throw new Problem({ status: 400, title: 'Bad request', detail: `run: ${message}`, errors });
      }
      if (project !== undefined) await projectNamed(tx, project);
      return addLog(tx, { ...log, agentId: agent, ...(await sessionNamed(tx, { session, project })) });
    });
    return c.json(stored, 201);
  });
  app.openapi(routes.list, async (c) => {
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
