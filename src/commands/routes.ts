import { createRoute, z } from '@hono/zod-openapi';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { asFarAs } from '../http/distant.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, limit, problem } from '../http/schemas.ts';
import { redactText } from '../redaction/redact.ts';
import { listProjects } from '../sessions/project-routes.ts';
import { readLine } from '../shell/line.ts';
import { type CheckServices, checkCommand, surroundings } from './check.ts';
import {
  judgeHold,
  listChecks,
  listVerdicts,
  overrule,
  ShownCheck,
  ShownVerdict,
  takeBack,
} from './checks.ts';
import { openFiles, workTreeAround } from './files.ts';
import { asTold } from './permissions.ts';
import { builtinPolicy } from './policy/index.ts';
import { policyFor, ShownRule, shownRules } from './rule-files.ts';
import { type Check, CheckedCommand, CheckRequest } from './verdict.ts';

/** Makes a schema again, because only those that are made after the OpenAPI extension was loaded have `openapi`. */
const named = <Shape extends z.ZodRawShape>(name: string, { shape }: { shape: Shape }) =>
  z.object(shape).openapi(name);

const code = z.string().regex(/^[0-9a-f]{16}$/, 'must be the sixteen characters that lore allow lists');
const name = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => !text.includes('\0'), 'must not hold a NUL');

const Overruling = z
  .strictObject({ code, decision: z.enum(['allow', 'deny']), once: z.boolean().default(false) })
  .openapi('Overruling');
/** `null` takes it back */
const Judged = z.strictObject({ judged: z.enum(['right', 'wrong']).nullable() }).openapi('HoldJudgement');

const routes = {
  check: createRoute({
    method: 'post',
    path: '/v1/commands/check',
    summary: 'The verdict on a shell command; ask means no opinion',
    request: body(z.strictObject(CheckRequest.shape).openapi('Command')),
    responses: { 200: json(named('CheckedCommand', CheckedCommand), 'The verdict'), ...commonProblems },
  }),
  list: createRoute({
    method: 'get',
    path: '/v1/commands/checks',
    summary: 'What was checked last, each command once, with the code by which a person overrules it',
    request: {
      query: z.strictObject({
        code: code.optional(),
        /** held: stopped by a rule of a person or by a lesson */
        decision: z.enum(['allow', 'deny', 'ask', 'hold', 'held']).optional(),
        project: name.optional(),
        limit: limit(100, 10),
      }),
    },
    responses: {
      200: json(
        z.object({ checks: z.array(named('ShownCheck', ShownCheck)) }),
        'The checks, the newest first',
      ),
      ...commonProblems,
    },
  }),
  judge: createRoute({
    method: 'put',
    path: '/v1/commands/checks/{code}/judgement',
    summary: 'Say whether it was right to hold a call, the latest time that it was held',
    request: { params: z.object({ code }), ...body(Judged) },
    responses: {
      200: json(Judged, 'What is kept'),
      404: problem('No call was held under that code'),
      ...commonProblems,
    },
  }),
  overrule: createRoute({
    method: 'post',
    path: '/v1/commands/overrule',
    summary: "A person's verdict on a command that was checked, for the next time or from now on",
    request: body(Overruling),
    responses: {
      200: json(z.object({ command: z.string(), cwd: z.string() }), 'The command it is about'),
      404: problem('No such code'),
      409: problem('A catastrophic rule stands against it, or part of the command cannot be shown'),
      ...commonProblems,
    },
  }),
  rules: createRoute({
    method: 'get',
    path: '/v1/commands/rules',
    summary:
      "The rules that apply, the gravest first; with a project also those of its folder (the owner's only)",
    request: { query: z.strictObject({ project: name.optional() }) },
    responses: {
      200: json(
        z.object({
          rules: z.array(named('ShownRule', ShownRule)),
          /** ids of built-in rules that the owner switched off */
          off: z.array(z.string()),
          /** what is wrong with a rule file */
          problems: z.array(z.string()),
        }),
        'The rules',
      ),
      ...commonProblems,
    },
  }),
  verdicts: createRoute({
    method: 'get',
    path: '/v1/commands/verdicts',
    summary: 'The verdicts of people and of the model that hold now, and the shapes that people allowed',
    request: { query: z.strictObject({ code: code.optional(), limit: limit(500, 50) }) },
    responses: {
      200: json(z.object({ verdicts: z.array(named('ShownVerdict', ShownVerdict)) }), 'The newest first'),
      ...commonProblems,
    },
  }),
  takeBack: createRoute({
    method: 'delete',
    path: '/v1/commands/verdicts/{code}',
    summary: 'Take a verdict back: the command is judged anew the next time',
    request: { params: z.object({ code }) },
    responses: {
      204: { description: 'Taken back' },
      404: problem('No verdict holds under that code'),
      ...commonProblems,
    },
  }),
};

type CommandServices = CheckServices & {
  db: Database;
  /** Stores a check, usually after the answer has been sent. Does not throw and does not wait for long. */
  keepCheck(claims: Claims, check: Check, remember: boolean): Promise<void>;
};

/** Returns the routes of `/v1/commands`. */
export function commandRoutes(services: CommandServices): Router {
  const app = router();
  app.openapi(routes.check, async (c) => {
    const { command, cwd, root } = c.req.valid('json');
    const caller = asFarAs(services, c.get('caller'));
    // nobody says here that another process was told a verdict
    if (services.distant) await services.verdicts.refresh(caller.userId);
    const own = caller.role === 'owner' ? workTreeAround(cwd) : null;
    const asked = { line: readLine(command), place: surroundings(cwd, root ?? own, services) };
    const { checked: judged, check, remember } = await checkCommand(services, caller, asked);
    // what the hook says, where a person has set nothing else
    const checked = asTold('allow', judged);
    const { decision, source, reason } = checked;
    await services.keepCheck(caller, { ...check, decision, source, reason: redactText(reason) }, remember);
    if (caller.scope !== 'hooks') return c.json(checked, 200);
    const { code: _, ...told } = checked;
    return c.json(told, 200);
  });
  app.openapi(routes.list, async (c) => {
    const wanted = c.req.valid('query');
    return c.json({ checks: await asCaller(services, c, (tx) => listChecks(tx, wanted)) }, 200);
  });
  app.openapi(routes.judge, async (c) => {
    const { judged } = c.req.valid('json');
    await asCaller(services, c, (tx) => judgeHold(tx, c.req.valid('param').code, judged));
    return c.json({ judged }, 200);
  });
  app.openapi(routes.overrule, async (c) => {
    const { code, ...verdict } = c.req.valid('json');
    const { key, known, ...about } = await asCaller(services, c, (tx) => overrule(tx, code, verdict));
    services.verdicts.add(c.get('caller').userId, key, known);
    return c.json(about, 200);
  });
  app.openapi(routes.rules, async (c) => {
    // rule files lie on the owner's machine, and no other caller's commands are judged by them
    if (asFarAs(services, c.get('caller')).role !== 'owner') {
      return c.json({ rules: shownRules({ policy: builtinPolicy, files: [] }), off: [], problems: [] }, 200);
    }
    const { project } = c.req.valid('query');
    const known = project === undefined ? [] : await asCaller(services, c, listProjects);
    const { home: personal, port } = services.config;
    const root = known.find(({ name }) => name === project)?.roots[0] ?? '';
    const inForce = policyFor({ root, personal, port }, openFiles());
    const off = inForce.files.flatMap((file) => file.off);
    return c.json({ rules: shownRules(inForce), off, problems: inForce.problems }, 200);
  });
  app.openapi(routes.verdicts, async (c) => {
    const wanted = c.req.valid('query');
    return c.json({ verdicts: await asCaller(services, c, (tx) => listVerdicts(tx, wanted)) }, 200);
  });
  app.openapi(routes.takeBack, async (c) => {
    const { code } = c.req.valid('param');
    const keys = await asCaller(services, c, (tx) => takeBack(tx, code));
    for (const key of keys) services.verdicts.forget(c.get('caller').userId, key);
    return c.body(null, 204);
  });
  return app;
}
