import { z } from '@hono/zod-openapi';
import type { Config } from '../base/config.ts';
import { badRequest } from '../base/errors/problem.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Caller } from '../http/env.ts';
import { type Writer, writerOf } from '../http/key-scope.ts';
import { limit } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { listInProject, ProjectName } from '../sessions/projects.ts';
import { addStep, changePlan, changeStep, createPlanIn } from './plans.ts';
import { Change, getPlan, listed, listPlans, planHistory } from './read-plans.ts';
import { Acted, type End, type Fault, tryClaim, tryEnd, tryNote, tryStep } from './steps.ts';
import { Plan, status } from './view.ts';

const text = (max: number) => z.string().trim().min(1).max(max);
const numbers = z.array(z.number().int().min(1).max(100_000)).max(1000);
/** who makes or changes it */
const agent = text(200).optional();
/** the version that the caller saw: when the plan has another one meanwhile, nothing is changed (409) */
const version = z.number().int().min(1).max(2_147_483_647).optional();
const constraints = z.array(text(2000)).max(100).optional();

const NewStep = z.strictObject({
  description: text(4000),
  /** numbers of the steps that must be completed before it */
  dependencies: numbers.default([]),
  proposed: z.boolean().default(false),
  /** the agent that is to do it; whoever claims it is named instead */
  assignedTo: agent,
});
const NewPlan = z
  .strictObject({
    project: ProjectName,
    goal: text(4000),
    constraints,
    agent,
    /** the client's id of the session that it is for, or the beginning of it */
    session: text(200).optional(),
    /** they get the numbers 1, 2, … */
    steps: z.array(NewStep).max(1000).default([]),
  })
  .openapi('NewPlan');
const PlanChange = z
  .strictObject({ goal: text(4000).optional(), constraints, status: status.optional(), agent, version })
  .openapi('PlanChange');
const StepChange = z
  .strictObject({
    description: text(4000).optional(),
    dependencies: numbers.optional(),
    /** what it waits for besides other steps, such as a person; null: nothing any more */
    waitingFor: text(2000).nullable().optional(),
    /** accepts a proposed step */
    proposed: z.literal(false).optional(),
    agent,
    version,
  })
  .openapi('PlanStepChange');

const id = z.string().min(4).max(45);
const plan = z.object({ id });
const step = z.object({ id, number: z.coerce.number().int().min(1).max(100_000) });

const problems = {
  404: 'No such plan or step',
  409: 'It has changed meanwhile or cannot be done; `current` is how it stands. Or the id is ambiguous',
};

/** Returns who makes a change: the agent that is named, else the owner of the key. */
const maker = ({ scope }: Caller, agent: string | undefined): string =>
  agent ?? (scope === 'hooks' ? 'agent' : 'person');

/** What is told with a verb, and who says it. `lease`: how long a claim holds, in seconds. */
type Told = Partial<Record<'agent' | 'outcome' | 'text', string | undefined>>;
type By = { by: string; lease: number; writer: Writer };
type Act = (tx: Tx, at: [plan: string, step: number], told: Told, by: By) => Promise<Fault | null>;

const end =
  (to: End['to']): Act =>
  (tx, at, { agent, outcome }, { by }) =>
    tryEnd(tx, ...at, { to, holder: agent ?? null, agent: by, outcome });
const giving = z.strictObject({ agent });
const ending = giving.extend({ outcome: text(20_000).optional() });

/** What can be done with a step. */
const verbs: Record<string, [summary: string, told: z.ZodType<Told>, act: Act]> = {
  claim: [
    'Claim a step whose dependencies are completed, or keep it; no two agents ever hold one',
    z.strictObject({ agent: text(200) }),
    (tx, at, _, { by, lease }) => tryClaim(tx, ...at, { holder: by, agent: by, leaseSeconds: lease }),
  ],
  complete: ['Complete a step; the last one completes the plan', ending, end('completed')],
  fail: ['Fail a step; what comes after it is blocked', ending, end('failed')],
  release: ['Give a step back, or let a failed one be tried again', giving, end('pending')],
  notes: [
    'Add a note to a step',
    giving.extend({ text: text(20_000) }),
    (tx, at, { text = '' }, { by, writer }) => tryNote(tx, ...at, { agent: by, text, writtenBy: writer }),
  ],
};

export const planRoutes = served<{
  db: Database;
  config: Pick<Config, 'stepLeaseSeconds'>;
  journal: { drained(userId?: string): Promise<unknown> } | null;
}>((route, services) => {
  route(
    'POST /v1/plans',
    'Make a plan',
    { body: NewPlan, answer: Plan, created: true, problems },
    async ({ as, body, caller }) => {
      const { project, agent, session, ...plan } = redactValue(body, WHOLE);
      if (plan.constraints) await services.journal?.drained(caller.userId);
      const by = { session, agent: caller.scope === 'hooks' };
      return as((tx) => createPlanIn(tx, project, { ...plan, draftedBy: maker(caller, agent) }, by));
    },
  );
  const filters = z.strictObject({
    project: z.string().min(1).max(4096).optional(),
    /** whether it is completed or failed */
    closed: z.enum(['true', 'false']).optional(),
    /** the last id of the previous page */
    before: z.guid().optional(),
    limit: limit(500, 50),
  });
  route(
    'GET /v1/plans',
    'Plans, the newest first',
    {
      query: filters,
      answer: z.object({ plans: z.array(z.object(listed.shape).openapi('PlanSummary')) }),
      problems,
    },
    async ({ as, query: { project, ...filter } }) => {
      const listIn = (tx: Tx) => listInProject(tx, project, (id) => listPlans(tx, id, filter));
      return { plans: await as(listIn) };
    },
  );
  route(
    'GET /v1/plans/{id}',
    'A plan by its id or the beginning of it',
    { params: plan, answer: Plan, problems },
    ({ as, params }) => as((tx) => getPlan(tx, params.id)),
  );
  const page = z.strictObject({
    /** the last version of the previous page */
    before: z.coerce.number().int().min(1).max(100_000_000).optional().openapi({ type: 'integer' }),
    limit: limit(1000, 100),
  });
  route(
    'GET /v1/plans/{id}/history',
    'Every change of a plan, the newest first',
    { params: plan, query: page, answer: z.object({ changes: z.array(Change) }), problems },
    async ({ as, params, query }) => ({ changes: await as((tx) => planHistory(tx, params.id, query)) }),
  );
  route(
    'PATCH /v1/plans/{id}',
    'Change a plan',
    { params: plan, body: PlanChange, answer: Plan, problems },
    ({ as, params, body, caller }) => {
      const { agent, version: seen, ...to } = redactValue(body, WHOLE);
      if (to.constraints && caller.scope === 'hooks')
        throw badRequest('constraints', 'only a person changes them');
      return as((tx) => changePlan(tx, { plan: params.id, by: maker(caller, agent), seen }, to));
    },
  );
  route(
    'POST /v1/plans/{id}/steps',
    'Add a step behind the others',
    { params: plan, body: NewStep.extend({ agent, version }), answer: Plan, created: true, problems },
    ({ as, params, body, caller }) => {
      const { agent, version: seen, ...step } = redactValue(body, WHOLE);
      return as((tx) => addStep(tx, { plan: params.id, by: maker(caller, agent), seen }, step));
    },
  );
  route(
    'PATCH /v1/plans/{id}/steps/{number}',
    'Change a step: its words, what comes before it, what it waits for; accept a proposed one',
    { params: step, body: StepChange, answer: Plan, problems },
    ({ as, params: { id, number }, body, caller }) => {
      const { agent, version: seen, ...to } = redactValue(body, WHOLE);
      return as((tx) => changeStep(tx, { plan: id, by: maker(caller, agent), seen }, number, to));
    },
  );
  for (const [verb, [summary, told, act]] of Object.entries(verbs))
    route(
      `POST /v1/plans/{id}/steps/{number}/${verb}`,
      summary,
      { params: step, body: told, answer: Acted, problems },
      ({ as, params: { id, number }, body, caller }) => {
        const given = redactValue(body, WHOLE);
        const { stepLeaseSeconds: lease } = services.config;
        const by = { by: maker(caller, given.agent), lease, writer: writerOf(caller.scope) };
        return as((tx) => tryStep(tx, id, number, (plan) => act(tx, [plan, number], given, by)));
      },
    );
});
