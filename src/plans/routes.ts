// Longer than 400 lines because every route of a plan and of its steps is here, as the API describes them.
import { createRoute, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import type { Config } from '../config.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Env } from '../http/env.ts';
import { WRITERS, writerOf } from '../http/key-scope.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, instant, json, limit, problem, time, wire } from '../http/schemas.ts';
import { listInProject, ProjectName } from '../sessions/projects.ts';
import { plansInTurn } from './change-batches.ts';
import { erasePlans } from './erase.ts';
import { planHistory } from './history.ts';
import { listPlans } from './list-plans.ts';
import {
  addStep,
  changePlan,
  changeStep,
  createPlanIn,
  getPlan,
  planId,
  prepare,
  versionOf,
} from './plans.ts';
import { PLAN_STATUSES, STEP_STATUSES } from './schema.ts';
import { type Acted, type Fault, tryClaim, tryEnd, tryHeartbeat, tryNote, tryStep } from './steps.ts';

const text = (max: number) => z.string().trim().min(1).max(max);
const status = z.enum(PLAN_STATUSES);
const stepStatus = z.enum(STEP_STATUSES);
const numbers = z.array(z.number().int().min(1).max(100_000)).max(1000);
const agent = text(200);
const lines = z.array(text(2000)).max(100);
/** the version that the caller saw: when the plan has another one meanwhile, nothing is changed (409) */
const version = z.number().int().min(1).max(2_147_483_647).optional();

const aVersion = z.coerce.number().int().min(1).max(100_000_000).optional().openapi({ type: 'integer' });

const NewStep = z.strictObject({
  description: text(4000),
  /** numbers of the steps that must be completed before it */
  dependencies: numbers.default([]),
  proposed: z.boolean().default(false),
});

const NewPlan = z
  .strictObject({
    project: ProjectName,
    goal: text(4000),
    constraints: lines.default([]),
    projectType: text(200).nullable().default(null),
    /** ids of lessons that matter for it */
    learnings: z.array(z.guid()).max(100).default([]),
    agentTemplate: text(2000).optional(),
    /** who drafts it */
    agent: agent.optional(),
    /** they get the numbers 1, 2, … */
    steps: z.array(NewStep).max(1000).default([]),
  })
  .openapi('NewPlan');

const PlanChange = z
  .strictObject({
    goal: text(4000).optional(),
    status: status.optional(),
    constraints: lines.optional(),
    projectType: text(200).nullable().optional(),
    learnings: z.array(z.guid()).max(100).optional(),
    agentTemplate: text(2000).optional(),
    agent: agent.optional(),
    version,
  })
  .openapi('PlanChange');

const StepChange = z
  .strictObject({
    description: text(4000).optional(),
    dependencies: numbers.optional(),
    /** what it waits for besides other steps, such as a person; null: nothing any more */
    waitingFor: text(2000).nullable().optional(),
    /** accepts a proposed step */
    proposed: z.literal(false).optional(),
    agent: agent.optional(),
    version,
  })
  .openapi('PlanStepChange');

/** What a subagent reported at its end. */
const Report = z.object({
  verdict: z.enum(['success', 'partial', 'failed']).nullable(),
  /** `incidentId`: the error of the session that is meant */
  errorsFound: z.array(
    z.object({
      type: z.string(),
      description: z.string(),
      resolution: z.string(),
      incidentId: z.string().nullable(),
    }),
  ),
  nextSteps: z.array(z.string()),
  /** what did not fit the form, and why */
  unfit: z.array(z.object({ text: z.string(), reason: z.string() })),
});
const Note = z.object({
  at: time,
  agent: z.string().nullable(),
  /** by its key, whatever `agent` says; null: Lore itself, or before 0.5 */
  writtenBy: z.enum(WRITERS).nullable(),
  text: z.string(),
});
const Step = z
  .object({
    number: z.number(),
    description: z.string(),
    status: stepStatus,
    proposed: z.boolean(),
    dependencies: z.array(z.number()),
    assignedTo: z.string().nullable(),
    agentId: z.string().nullable(),
    leaseUntil: time.nullable(),
    attempts: z.number(),
    waitingFor: z.string().nullable(),
    outcome: z.string().nullable(),
    report: Report.nullable(),
    startedAt: time.nullable(),
    endedAt: time.nullable(),
    blocked: z.string().nullable(),
    notes: z.array(Note),
  })
  .openapi('PlanStep');

const Plan = z
  .object({
    id: z.string(),
    project: z.string(),
    goal: z.string(),
    status,
    projectType: z.string().nullable(),
    constraints: z.array(z.string()),
    learnings: z.array(z.string()),
    agentTemplate: z.string(),
    draftedBy: z.string(),
    sessionId: z.string().nullable(),
    version: z.number(),
    currentStep: z.number().nullable(),
    activeAgents: z.array(z.string()),
    blocked: z.array(z.object({ step: z.number(), why: z.string() })),
    createdAt: time,
    updatedAt: time,
    closedAt: time.nullable(),
    steps: z.array(Step),
  })
  .openapi('Plan');

const Summary = z
  .object({
    id: z.string(),
    project: z.string(),
    goal: z.string(),
    status,
    version: z.number(),
    draftedBy: z.string(),
    createdAt: time,
    updatedAt: time,
    closedAt: time.nullable(),
    steps: z.number(),
    completed: z.number(),
    inProgress: z.number(),
    failed: z.number(),
    stopped: z.number(),
    proposed: z.number(),
    waiting: z.number(),
  })
  .openapi('PlanSummary');

const Change = z
  .object({
    version: z.number(),
    at: time,
    step: z.number(),
    action: z.string(),
    actor: z.string().nullable(),
    text: z.string().nullable(),
  })
  .openapi('PlanStepHistory');

const ActedStep = z
  .object({ plan: z.object({ id: z.string(), version: z.number(), status: z.string() }), step: Step })
  .openapi('ActedStep');

const id = z.string().min(4).max(45);
const plan = z.object({ id });
const step = z.object({ id, number: z.coerce.number().int().min(1).max(100_000) });
const noSuch = { 404: problem('No such plan or step') };
const late = {
  ...noSuch,
  409: problem(
    'It has changed meanwhile or cannot be done; `current` is how it stands. Or the id is ambiguous',
  ),
};

const action = <B extends z.ZodType>(name: string, summary: string, given: B) =>
  createRoute({
    method: 'post',
    path: `/v1/plans/{id}/steps/{number}/${name}`,
    summary,
    request: { params: step, ...body(given) },
    responses: { 200: json(ActedStep, 'The step'), ...late, ...commonProblems },
  });

/**
 * a lease that is not renewed for this long ends; default: as the server is configured
 * (LORE_STEP_LEASE_SECONDS)
 */
const leaseSeconds = z.number().int().min(1).max(86_400).optional();
const Ending = z.strictObject({ agent: agent.optional(), outcome: text(20_000).optional(), version });

const routes = {
  create: createRoute({
    method: 'post',
    path: '/v1/plans',
    summary: 'Make a plan',
    request: body(NewPlan),
    responses: {
      201: json(Plan, 'The plan'),
      409: problem('The steps wait for each other in a circle'),
      ...commonProblems,
    },
  }),
  list: createRoute({
    method: 'get',
    path: '/v1/plans',
    summary: 'Plans, the newest first',
    request: {
      query: z.strictObject({
        project: z.string().min(1).max(4096).optional(),
        status: status.optional(),
        /** whether it is completed or failed */
        closed: z.enum(['true', 'false']).optional(),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
    },
    responses: { 200: json(z.object({ plans: z.array(Summary) }), 'The plans'), ...commonProblems },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/plans/{id}',
    summary: 'A plan by its id or the beginning of it, now or as of an instant',
    request: {
      params: plan,
      query: z.strictObject({
        asOf: instant().optional(),
        /** a version that the caller knows: if it is still the present one, the answer is 304 */
        since: aVersion,
      }),
    },
    responses: {
      200: json(Plan, 'The plan'),
      304: { description: 'Nothing has changed since that version' },
      409: problem('The id is ambiguous'),
      ...noSuch,
      ...commonProblems,
    },
  }),
  history: createRoute({
    method: 'get',
    path: '/v1/plans/{id}/history',
    summary: 'Every change of a plan, the newest first',
    request: {
      params: plan,
      query: z.strictObject({
        /** the last version of the previous page */
        before: aVersion,
        limit: limit(1000, 100),
      }),
    },
    responses: {
      200: json(z.object({ changes: z.array(Change) }), 'The changes'),
      409: problem('The id is ambiguous'),
      ...noSuch,
      ...commonProblems,
    },
  }),
  change: createRoute({
    method: 'patch',
    path: '/v1/plans/{id}',
    summary: 'Change a plan',
    request: { params: plan, ...body(PlanChange) },
    responses: { 200: json(Plan, 'The plan'), ...late, ...commonProblems },
  }),
  erase: createRoute({
    method: 'delete',
    path: '/v1/plans/{id}',
    summary: 'Permanently erase a plan, with its history',
    request: { params: plan },
    responses: {
      204: { description: 'Erased' },
      409: problem('The id is ambiguous'),
      ...noSuch,
      ...commonProblems,
    },
  }),
  add: createRoute({
    method: 'post',
    path: '/v1/plans/{id}/steps',
    summary: 'Add a step behind the others',
    request: { params: plan, ...body(NewStep.extend({ agent: agent.optional(), version })) },
    responses: { 201: json(Plan, 'The plan'), ...late, ...commonProblems },
  }),
  changeStep: createRoute({
    method: 'patch',
    path: '/v1/plans/{id}/steps/{number}',
    summary: 'Change a step: its words, what comes before it, what it waits for; accept a proposed one',
    request: { params: step, ...body(StepChange) },
    responses: { 200: json(Plan, 'The plan'), ...late, ...commonProblems },
  }),
  claim: action(
    'claim',
    'Claim a step whose dependencies are completed; no two agents ever hold one',
    z.strictObject({ agent, leaseSeconds, version }),
  ),
  heartbeat: action('heartbeat', 'Keep a claimed step', z.strictObject({ agent, leaseSeconds })),
  complete: action('complete', 'Complete a step; the last one completes the plan', Ending),
  fail: action('fail', 'Fail a step; what comes after it is blocked', Ending),
  release: action(
    'release',
    'Give a step back, or let a failed one be tried again',
    z.strictObject({ agent: agent.optional(), version }),
  ),
  note: action(
    'notes',
    'Add a note to a step',
    z.strictObject({ agent: agent.optional(), text: text(20_000) }),
  ),
};

/** Returns who makes a change: the agent that is named, else the owner of the key. */
const maker = (c: Context<Env>, agent: string | undefined): string =>
  agent ?? (c.get('caller').scope === 'hooks' ? 'agent' : 'person');

export function planRoutes(services: { db: Database; config: Pick<Config, 'stepLeaseSeconds'> }): Router {
  const { stepLeaseSeconds } = services.config;
  const app = router();
  app.openapi(routes.create, async (c) => {
    const { project, agent, ...plan } = prepare(c.req.valid('json'));
    const made = { ...plan, draftedBy: maker(c, agent), sessionId: null };
    return c.json(wire(await asCaller(services, c, (tx) => createPlanIn(tx, project, made))), 201);
  });
  app.openapi(routes.list, async (c) => {
    const { project, closed, ...filter } = c.req.valid('query');
    const plans = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) =>
        listPlans(tx, { ...filter, projectId, closed: closed === undefined ? closed : closed === 'true' }),
      ),
    );
    return c.json({ plans: wire(plans) }, 200);
  });
  app.openapi(routes.get, async (c) => {
    const { asOf, since } = c.req.valid('query');
    const { id } = c.req.valid('param');
    const plan = await asCaller(services, c, async (tx) =>
      since !== undefined && (await versionOf(tx, id)) === since ? null : getPlan(tx, id, asOf),
    );
    return plan === null ? c.body(null, 304) : c.json(wire(plan), 200);
  });
  app.openapi(routes.history, async (c) => {
    const { id } = c.req.valid('param');
    const changes = await asCaller(services, c, (tx) => planHistory(tx, id, c.req.valid('query')));
    return c.json({ changes: wire(changes) }, 200);
  });
  app.openapi(routes.change, async (c) => {
    const { agent, version, ...change } = prepare(c.req.valid('json'));
    const { id } = c.req.valid('param');
    const by = maker(c, agent);
    return c.json(wire(await asCaller(services, c, (tx) => changePlan(tx, id, change, by, version))), 200);
  });
  app.openapi(routes.erase, async (c) => {
    await asCaller(services, c, async (tx) => {
      await erasePlans(tx, sql`id = ${await planId(tx, c.req.valid('param').id)}`);
    });
    return c.body(null, 204);
  });
  app.openapi(routes.add, async (c) => {
    const { agent, version, ...step } = prepare(c.req.valid('json'));
    const { id } = c.req.valid('param');
    const by = maker(c, agent);
    return c.json(wire(await asCaller(services, c, (tx) => addStep(tx, id, step, by, version))), 201);
  });
  app.openapi(routes.changeStep, async (c) => {
    const { agent, version, ...change } = prepare(c.req.valid('json'));
    const { id, number } = c.req.valid('param');
    const by = maker(c, agent);
    return c.json(
      wire(await asCaller(services, c, (tx) => changeStep(tx, id, number, change, by, version))),
      200,
    );
  });

  const change = plansInTurn<Acted>(services.db);
  const inTurn = async (
    c: Context<Env>,
    { id, number }: { id: string; number: number },
    attempt: (tx: Tx, plan: string) => Promise<Fault | null>,
    seen?: number,
  ) => {
    const step = { reference: id, number, seen };
    return wire<Acted>(
      await change(c.get('caller'), id, (tx) => tryStep(tx, step, (plan) => attempt(tx, plan))),
    );
  };
  app.openapi(routes.claim, async (c) => {
    const { agent, leaseSeconds = stepLeaseSeconds, version } = prepare(c.req.valid('json'));
    const at = c.req.valid('param');
    const claim = { holder: agent, agent, leaseSeconds, seen: version };
    return c.json(await inTurn(c, at, (tx, plan) => tryClaim(tx, plan, at.number, claim), version), 200);
  });
  app.openapi(routes.heartbeat, async (c) => {
    const { agent, leaseSeconds = stepLeaseSeconds } = prepare(c.req.valid('json'));
    const at = c.req.valid('param');
    // it does not lock the plan, so it waits for nobody
    const acted = await asCaller(services, c, (tx) =>
      tryStep(tx, { reference: at.id, number: at.number }, (plan) =>
        tryHeartbeat(tx, plan, at.number, agent, leaseSeconds),
      ),
    );
    return c.json(wire<Acted>(acted), 200);
  });
  for (const [route, to] of [
    [routes.complete, 'completed'],
    [routes.fail, 'failed'],
  ] as const) {
    app.openapi(route, async (c) => {
      const { agent, outcome, version } = prepare(c.req.valid('json'));
      const at = c.req.valid('param');
      const end = { to, holder: agent ?? null, agent: maker(c, agent), outcome, seen: version };
      return c.json(await inTurn(c, at, (tx, plan) => tryEnd(tx, plan, at.number, end), version), 200);
    });
  }
  app.openapi(routes.release, async (c) => {
    const { agent, version } = prepare(c.req.valid('json'));
    const at = c.req.valid('param');
    const end = { to: 'pending' as const, holder: agent ?? null, agent: maker(c, agent), seen: version };
    return c.json(await inTurn(c, at, (tx, plan) => tryEnd(tx, plan, at.number, end), version), 200);
  });
  app.openapi(routes.note, async (c) => {
    const { agent, text } = prepare(c.req.valid('json'));
    const at = c.req.valid('param');
    const note = { agent: maker(c, agent), text, writtenBy: writerOf(c.get('caller').scope) };
    return c.json(await inTurn(c, at, (tx, plan) => tryNote(tx, plan, at.number, note)), 200);
  });
  return app;
}
