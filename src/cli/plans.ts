import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import type { Plan, PlanStepChange } from '../wire/routes.ts';
import type { Body, Query, Route } from '../wire/wire.ts';
import { callServer, wholeId } from './client.ts';
import { projectHere } from './here.ts';
import { hint } from './hint.ts';
import type { Io } from './io.ts';
import { isBelowAgent } from './overrule.ts';
import { ago, counted, plain } from './print.ts';
import { table } from './table.ts';

/** Lists plans, the newest first. */
export async function listPlans(
  config: Config,
  io: Io,
  options: Query<'GET /v1/plans'> & { all?: boolean; ended?: boolean },
): Promise<void> {
  const { all, ended, ...rest } = options;
  const before = await wholeId(config, 'GET /v1/plans/{id}', rest.before);
  const closed = all ? undefined : ended ? 'true' : 'false';
  const { plans } = await callServer(config, 'GET /v1/plans', { query: { ...rest, before, closed } });
  if (io.json) return io.print(plans);
  if (plans.length === 0)
    return hint(
      io,
      all
        ? 'No plans.'
        : ended
          ? 'No plan has ended.'
          : 'No open plans. lore plan --ended lists those before.',
    );
  io.log(
    table(
      io,
      ['id', 'status', 'done', 'project', 'goal', 'changed'],
      plans.map((p) => [
        p.id.slice(0, 8),
        p.failed > 0 ? `${p.status}, ${p.failed} failed` : p.waiting > 0 ? `${p.status}, waits` : p.status,
        `${p.completed}/${p.steps}`,
        p.project,
        p.goal,
        ago(p.updatedAt),
      ]),
      { drop: ['changed', 'project'] },
    ),
  );
}

function show(io: Io, plan: Plan): void {
  if (io.json) {
    io.print(plan);
    return;
  }
  io.log(plain(plan.goal));
  io.log(
    `  ${plan.id}, ${plan.status}, version ${plan.version}, drafted by ${plain(plan.draftedBy)}, ${plain(plan.project)}`,
  );
  for (const constraint of plan.constraints) io.log(`  keep to: ${plain(constraint)}`);
  if (plan.steps.length > 0)
    io.log(
      table(
        io,
        ['step', 'status', 'after', 'who', 'what', 'why it waits, or what came of it'],
        plan.steps.map((s) => [
          s.number,
          s.proposed ? 'proposed' : s.status,
          s.dependencies.join(', '),
          s.assignedTo,
          s.description,
          s.blocked ?? s.outcome,
        ]),
        { drop: ['after', 'who'] },
      ),
    );
  for (const { number, notes } of plan.steps) {
    for (const { agent, writtenBy, text, at } of notes) {
      const writer = [agent ?? 'nobody', ...(writtenBy === 'person' ? ['a person'] : [])].join(', ');
      io.log(plain(`  ${number}: ${text} (${writer}, ${ago(at)})`));
    }
  }
}

export async function showPlan(config: Config, io: Io, id: string): Promise<void> {
  show(io, await callServer(config, 'GET /v1/plans/{id}', { params: { id } }));
}

/** Makes a plan of a goal and steps, which come one after the other unless `options.anyOrder` says otherwise. */
export async function makePlan(
  config: Config,
  io: Io,
  goal: string,
  steps: string[],
  options: { project?: string; constraint?: string[]; anyOrder?: boolean; agent?: string; session?: string },
): Promise<void> {
  const { project, constraint, anyOrder, ...rest } = options;
  const plan = await callServer(config, 'POST /v1/plans', {
    body: {
      ...rest,
      goal,
      constraints: constraint ?? [],
      steps: steps.map((description, i) => ({ description, dependencies: i > 0 && !anyOrder ? [i] : [] })),
      project: project ?? (await projectHere(config, io, { make: true })),
    },
  });
  show(io, plan);
}

/** Changes a plan: its goal, or that it has ended. */
export async function changePlan(
  config: Config,
  io: Io,
  id: string,
  change: Body<'PATCH /v1/plans/{id}'>,
): Promise<void> {
  show(io, await callServer(config, 'PATCH /v1/plans/{id}', { params: { id }, body: change }));
}

/**
 * Ends a plan.
 *
 * @throws Problem (409) when steps of it are open and it is to be completed without `force`
 */
export async function closePlan(
  config: Config,
  io: Io,
  id: string,
  { abandon, force }: { abandon?: boolean; force?: boolean },
): Promise<void> {
  const plan = await callServer(config, 'GET /v1/plans/{id}', { params: { id } });
  const open = plan.steps.filter((step) => !step.proposed && step.status !== 'completed');
  const isOpen = plan.status === 'planning' || plan.status === 'in_progress';
  if (isOpen && open.length > 0 && !abandon && !force) {
    const short = plan.id.slice(0, 8);
    throw new Problem({
      status: 409,
      title: 'Steps are open',
      detail: `${counted(open.length, 'step')} of it ${open.length === 1 ? 'is' : 'are'} not completed: ${open.map(({ number }) => number).join(', ')}. Nothing was changed. lore plan close ${short} --abandon gives the plan up, lore plan close ${short} --force completes it all the same.`,
    });
  }
  await changePlan(config, io, id, { status: abandon ? 'failed' : 'completed' });
}

/** Claims a step for whoever runs the command: an agent's shell claims for the agent, else it is a person. */
export async function claimStep(
  config: Config,
  io: Io,
  id: string,
  step: string,
  agent = isBelowAgent(io) ? 'orchestrator' : 'person',
): Promise<void> {
  await actOnStep(config, io, id, step, 'claim', { agent });
}

/** Adds a step to a plan. */
export async function addStep(
  config: Config,
  io: Io,
  id: string,
  description: string,
  options: { after?: string[]; proposed?: boolean; agent?: string },
): Promise<void> {
  const { after, ...rest } = options;
  const body = { ...rest, description, ...(after !== undefined && { dependencies: after.map(Number) }) };
  show(io, await callServer(config, 'POST /v1/plans/{id}/steps', { params: { id }, body }));
}

/** Changes a step: what it waits for, or that it is accepted. */
export async function changeStep(
  config: Config,
  io: Io,
  id: string,
  step: string,
  change: PlanStepChange,
): Promise<void> {
  show(
    io,
    await callServer(config, 'PATCH /v1/plans/{id}/steps/{number}', {
      params: { id, number: step },
      body: change,
    }),
  );
}

type OnStep = 'POST /v1/plans/{id}/steps/{number}/';
/** What can be done with a step, and what must be told with it. */
type Acting = {
  [R in Route]: R extends `${OnStep}${infer Action}` ? [action: Action, body: Body<R>] : never;
}[Route];

/** Does something with a step: claim, complete, fail, release, notes or heartbeat. */
export async function actOnStep(
  config: Config,
  io: Io,
  id: string,
  step: string,
  ...[action, body]: Acting
): Promise<void> {
  const acted = await callServer(config, `POST /v1/plans/{id}/steps/{number}/${action}`, {
    params: { id, number: step },
    body,
  });
  if (io.json) return io.print(acted);
  const { plan, step: now } = acted;
  const who = now.assignedTo === null ? '' : `, ${now.assignedTo}`;
  io.log(plain(`Step ${now.number} of plan ${plan.id.slice(0, 8)}: ${now.status}${who}. ${now.description}`));
  if (plan.status === 'completed') io.log('The plan is completed.');
}

/** Prints every change of a plan, the oldest first. */
export async function planHistory(
  config: Config,
  io: Io,
  id: string,
  options: Query<'GET /v1/plans/{id}/history'>,
): Promise<void> {
  const { changes } = await callServer(config, 'GET /v1/plans/{id}/history', {
    params: { id },
    query: options,
  });
  changes.reverse();
  if (io.json) return io.print(changes);
  io.log(
    table(
      io,
      ['version', 'when', 'step', 'what', 'who', ''],
      changes.map((c) => [c.version, c.at, c.step === 0 ? 'plan' : c.step, c.action, c.actor, c.text]),
      { drop: ['version', 'when'] },
    ),
  );
}
