import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Config } from '../config.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Env } from '../http/env.ts';
import { type Writer, writerOf } from '../http/key-scope.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, limit, problem } from '../http/schemas.ts';
import { listInProject, ProjectName } from '../sessions/projects.ts';
import { type About, addStep, changePlan, changeStep, createPlanIn, prepare } from './plans.ts';
import { Change, getPlan, listPlans, planHistory, Summary } from './read-plans.ts';
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

type Method = 'get' | 'post' | 'patch';
/** Describes a route of plans, with what each of them may answer. */
const route = <R, A>(method: Method, path: string, summary: string, request: R, answers: A) =>
  createRoute({
    method,
    path: `/v1/plans${path}`,
    summary,
    request: request as R & object,
    responses: {
      ...answers,
      404: problem('No such plan or step'),
      409: problem(
        'It has changed meanwhile or cannot be done; `current` is how it stands. Or the id is ambiguous',
      ),
      ...commonProblems,
    },
  });
const whole = { 200: json(Plan, 'The plan') };
const made = { 201: json(Plan, 'The plan') };

const routes = {
  create: route('post', '', 'Make a plan', body(NewPlan), made),
  list: route(
    'get',
    '',
    'Plans, the newest first',
    {
      query: z.strictObject({
        project: z.string().min(1).max(4096).optional(),
        /** whether it is completed or failed */
        closed: z.enum(['true', 'false']).optional(),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
    },
    { 200: json(z.object({ plans: z.array(Summary) }), 'The plans') },
  ),
  get: route('get', '/{id}', 'A plan by its id or the beginning of it', { params: plan }, whole),
  history: route(
    'get',
    '/{id}/history',
    'Every change of a plan, the newest first',
    {
      params: plan,
      query: z.strictObject({
        /** the last version of the previous page */
        before: z.coerce.number().int().min(1).max(100_000_000).optional().openapi({ type: 'integer' }),
        limit: limit(1000, 100),
      }),
    },
    { 200: json(z.object({ changes: z.array(Change) }), 'The changes') },
  ),
  change: route('patch', '/{id}', 'Change a plan', { params: plan, ...body(PlanChange) }, whole),
  add: route(
    'post',
    '/{id}/steps',
    'Add a step behind the others',
    { params: plan, ...body(NewStep.extend({ agent, version })) },
    made,
  ),
  changeStep: route(
    'patch',
    '/{id}/steps/{number}',
    'Change a step: its words, what comes before it, what it waits for; accept a proposed one',
    { params: step, ...body(StepChange) },
    whole,
  ),
};

/** Returns who makes a change: the agent that is named, else the owner of the key. */
const maker = (c: Context<Env>, agent: string | undefined): string =>
  agent ?? (c.get('caller').scope === 'hooks' ? 'agent' : 'person');

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

export function planRoutes(services: { db: Database; config: Pick<Config, 'stepLeaseSeconds'> }): Router {
  const app = router();
  /** Changes the plan that a request names, as who makes it. */
  const change = async (
    c: Context<Env>,
    plan: string,
    { agent, version: seen }: { agent?: string | undefined; version?: number | undefined },
    make: (tx: Tx, about: About) => Promise<Plan>,
  ) => asCaller(services, c, (tx) => make(tx, { plan, by: maker(c, agent), seen }));

  app.openapi(routes.create, async (c) => {
    const { project, agent, session, ...plan } = prepare(c.req.valid('json'));
    const made = { ...plan, draftedBy: maker(c, agent) };
    return c.json(await asCaller(services, c, (tx) => createPlanIn(tx, project, made, session)), 201);
  });
  app.openapi(routes.list, async (c) => {
    const { project, closed, ...rest } = c.req.valid('query');
    const filter = { ...rest, ...(closed && { closed: closed === 'true' }) };
    const plans = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listPlans(tx, { ...filter, projectId })),
    );
    return c.json({ plans }, 200);
  });
  app.openapi(routes.get, async (c) =>
    c.json(await asCaller(services, c, (tx) => getPlan(tx, c.req.valid('param').id)), 200),
  );
  app.openapi(routes.history, async (c) => {
    const { id } = c.req.valid('param');
    const changes = await asCaller(services, c, (tx) => planHistory(tx, id, c.req.valid('query')));
    return c.json({ changes }, 200);
  });
  app.openapi(routes.change, async (c) => {
    const { agent, version, ...to } = prepare(c.req.valid('json'));
    const { id } = c.req.valid('param');
    return c.json(await change(c, id, { agent, version }, (tx, about) => changePlan(tx, about, to)), 200);
  });
  app.openapi(routes.add, async (c) => {
    const { agent, version, ...step } = prepare(c.req.valid('json'));
    const { id } = c.req.valid('param');
    return c.json(await change(c, id, { agent, version }, (tx, about) => addStep(tx, about, step)), 201);
  });
  app.openapi(routes.changeStep, async (c) => {
    const { agent, version, ...to } = prepare(c.req.valid('json'));
    const { id, number } = c.req.valid('param');
    const make = (tx: Tx, about: About) => changeStep(tx, about, number, to);
    return c.json(await change(c, id, { agent, version }, make), 200);
  });

  for (const [verb, [summary, told, act]] of Object.entries(verbs)) {
    const request = { params: step, ...body(told) };
    const answers = { 200: json(Acted, 'The step') };
    app.openapi(route('post', `/{id}/steps/{number}/${verb}`, summary, request, answers), async (c) => {
      const given = prepare(c.req.valid('json'));
      const { id, number } = c.req.valid('param');
      const { stepLeaseSeconds: lease } = services.config;
      const by = { by: maker(c, given.agent), lease, writer: writerOf(c.get('caller').scope) };
      const acted = await asCaller(services, c, (tx) =>
        tryStep(tx, id, number, (plan) => act(tx, [plan, number], given, by)),
      );
      return c.json(acted, 200);
    });
  }
  return app;
}
