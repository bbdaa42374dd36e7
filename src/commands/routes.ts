import { z } from '@hono/zod-openapi';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { asFarAs } from '../http/env.ts';
import { limit } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
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
const name = z.string().min(1).max(4096);

const Overruling = z
  .strictObject({ code, decision: z.enum(['allow', 'deny']), once: z.boolean().default(false) })
  .openapi('Overruling');
/** `null` takes it back */
const Judged = z.strictObject({ judged: z.enum(['right', 'wrong']).nullable() }).openapi('HoldJudgement');

type CommandServices = CheckServices & {
  db: Database;
  /** Stores a check, usually after the answer has been sent. Does not throw and does not wait for long. */
  keepCheck(claims: Claims, check: Check, remember: boolean): Promise<void>;
};

/** The routes of `/v1/commands`. */
export const commandRoutes = served((route, services: CommandServices) => {
  route(
    'POST /v1/commands/check',
    'The verdict on a shell command; ask means no opinion',
    {
      body: z.strictObject(CheckRequest.shape).openapi('Command'),
      answer: named('CheckedCommand', CheckedCommand),
    },
    async ({ body: { command, cwd, root }, ...given }) => {
      const caller = asFarAs(services, given.caller);
      // nobody says here that another process was told a verdict
      if (services.distant) await services.verdicts.refresh(caller.userId);
      const own = caller.role === 'owner' ? workTreeAround(cwd) : null;
      const asked = { line: readLine(command), place: surroundings(cwd, root ?? own, services) };
      const { checked: judged, check, remember } = await checkCommand(services, caller, asked);
      // what the hook says, where a person has set nothing else
      const checked = asTold('allow', judged);
      const { decision, source, reason } = checked;
      const kept = { ...check, decision, source, reason: redactText(reason) };
      await services.keepCheck(caller, kept, remember);
      if (caller.scope !== 'hooks') return checked;
      const { code: _, ...told } = checked;
      return told;
    },
  );
  route(
    'GET /v1/commands/checks',
    'What was checked last, each command once, with the code by which a person overrules it',
    {
      query: z.strictObject({
        code: code.optional(),
        /** held: stopped by a rule of a person or by a lesson */
        decision: z.enum(['allow', 'deny', 'ask', 'hold', 'held']).optional(),
        project: name.optional(),
        limit: limit(100, 10),
      }),
      answer: z.object({ checks: z.array(named('ShownCheck', ShownCheck)) }),
    },
    async ({ as, query }) => ({ checks: await as((tx) => listChecks(tx, query)) }),
  );
  route(
    'PUT /v1/commands/checks/{code}/judgement',
    'Say whether it was right to hold a call, the latest time that it was held',
    {
      params: z.object({ code }),
      body: Judged,
      answer: Judged,
      problems: { 404: 'No call was held under that code' },
    },
    async ({ as, params, body: { judged } }) => {
      await as((tx) => judgeHold(tx, params.code, judged));
      return { judged };
    },
  );
  route(
    'POST /v1/commands/overrule',
    "A person's verdict on a command that was checked, for the next time or from now on",
    {
      body: Overruling,
      answer: z.object({ command: z.string(), cwd: z.string() }),
      problems: {
        404: 'No such code',
        409: 'A catastrophic rule stands against it, or part of the command cannot be shown',
      },
    },
    async ({ as, body: { code, ...verdict }, caller }) => {
      const { key, known, ...about } = await as((tx) => overrule(tx, code, verdict));
      services.verdicts.add(caller.userId, key, known);
      return about;
    },
  );
  route(
    'GET /v1/commands/rules',
    "The rules that apply, the gravest first; with a project also those of its folder (the owner's only)",
    {
      query: z.strictObject({ project: name.optional() }),
      answer: z.object({
        rules: z.array(named('ShownRule', ShownRule)),
        /** ids of built-in rules that the owner switched off */
        off: z.array(z.string()),
        /** what is wrong with a rule file */
        problems: z.array(z.string()),
      }),
    },
    async ({ as, query: { project }, caller }) => {
      // rule files lie on the owner's machine, and no other caller's commands are judged by them
      if (asFarAs(services, caller).role !== 'owner')
        return { rules: shownRules({ policy: builtinPolicy, files: [] }), off: [], problems: [] };
      const known = project === undefined ? [] : await as(listProjects);
      const { home: personal, port } = services.config;
      const root = known.find(({ name }) => name === project)?.roots[0] ?? '';
      const inForce = policyFor({ root, personal, port }, openFiles());
      const off = inForce.files.flatMap((file) => file.off);
      return { rules: shownRules(inForce), off, problems: inForce.problems };
    },
  );
  route(
    'GET /v1/commands/verdicts',
    'The verdicts of people and of the model that hold now, and the shapes that people allowed',
    {
      query: z.strictObject({ code: code.optional(), limit: limit(500, 50) }),
      answer: z.object({ verdicts: z.array(named('ShownVerdict', ShownVerdict)) }),
    },
    async ({ as, query }) => ({ verdicts: await as((tx) => listVerdicts(tx, query)) }),
  );
  route(
    'DELETE /v1/commands/verdicts/{code}',
    'Take a verdict back: the command is judged anew the next time',
    { params: z.object({ code }), problems: { 404: 'No verdict holds under that code' } },
    async ({ as, params, caller }) => {
      for (const key of await as((tx) => takeBack(tx, params.code)))
        services.verdicts.forget(caller.userId, key);
    },
  );
});
