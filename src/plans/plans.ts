import { sql } from 'drizzle-orm';
import { badRequest, Problem } from '../base/errors/problem.ts';
import { theOne } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { wasTyped } from '../sessions/calls.ts';
import { projectNamed } from '../sessions/projects.ts';
import { followPlan, getSession, nameSession } from '../sessions/sessions.ts';
import { getPlan, planId } from './read-plans.ts';
import { planSteps, plans } from './schema.ts';
import type { Plan } from './view.ts';

// Plans that several agents share. SQL decides which change of a step is allowed and when its lease expires: sql/plans.

type StepRow = typeof planSteps.$inferInsert;
type PlanRow = typeof plans.$inferInsert;

/** `assignedTo`: the agent that is to do it */
export type NewStep = Pick<StepRow, 'description' | 'dependencies' | 'proposed' | 'assignedTo'>;
export type NewPlan = Omit<PlanRow, 'userId' | 'projectId' | 'changedBy'> & { steps: NewStep[] };

/**
 * Stores a plan that was redacted with its steps, all or nothing. Returns its id; null if there is one with this id already.
 *
 * @param plan.steps they get the numbers 1, 2, …, by which their dependencies name them
 * @throws Problem (400) when a dependency is not a step of the plan, (409) when dependencies make a circle
 */
export async function createPlan(
  tx: Tx,
  projectId: string,
  { steps, ...plan }: NewPlan,
): Promise<string | null> {
  const changedBy = plan.draftedBy;
  const [row] = await tx
    .insert(plans)
    .values({ ...plan, projectId, changedBy })
    .onConflictDoNothing()
    .returning({ id: plans.id });
  if (!row) return null;
  if (steps.length > 0) {
    await tx
      .insert(planSteps)
      .values(steps.map((step, i) => ({ ...step, planId: row.id, number: i + 1, changedBy })));
    await refuseCircles(tx, row.id);
  }
  return row.id;
}

/**
 * Stores a plan for a project that is named, see {@link createPlan}. An agent's words for it are the title of its session.
 *
 * @param by.session the client's session that follows it, or the beginning of its id
 * @param by.agent whether an agent makes it
 * @throws Problem (400) when a constraint that an agent names is not the person's words
 */
export async function createPlanIn(
  tx: Tx,
  project: string,
  plan: NewPlan,
  by: { session?: string | undefined; agent: boolean },
): Promise<Plan> {
  const { id: projectId, name } = await projectNamed(tx, project);
  const found = by.session === undefined ? undefined : await getSession(tx, by.session);
  const sessionId = found?.project === name ? found.id : null;
  if (by.agent) await refuseUnsaid(tx, sessionId, plan.constraints);
  const id = (await createPlan(tx, projectId, { ...plan, sessionId })) as string;
  if (sessionId !== null) await followPlan(tx, sessionId, id);
  if (sessionId !== null && by.agent) await nameSession(tx, sessionId, plan.goal);
  return getPlan(tx, id);
}

/** @throws Problem (400) when nobody typed the words of a constraint in the session of the agent that names it */
async function refuseUnsaid(tx: Tx, sessionId: string | null, constraints: string[] = []): Promise<void> {
  for (const words of constraints)
    if (sessionId === null || !(await wasTyped(tx, sessionId, words)))
      throw badRequest(
        'constraints',
        `no prompt that the person typed in this session has “${words}”; quote them`,
      );
}

/**
 * @throws Problem (400) when a step depends on one that the plan does not have, (409) that names the steps of
 *   a circle
 */
async function refuseCircles(tx: Tx, planId: string): Promise<void> {
  const [row] = await query<{ circle: number[]; missing: number[] }>(tx)`
    select plan_circle(${planId}) as circle, array(
      select distinct d from plan_steps s, unnest(s.dependencies) d
      where s.plan_id = ${planId}
        and not exists (select from plan_steps o where o.plan_id = ${planId} and o.number = d)
      order by d) as missing`;
  const { circle, missing } = row as { circle: number[]; missing: number[] };
  if (missing.length > 0) throw badRequest('dependencies', `there is no step ${missing.join(', ')}`);
  if (circle.length > 0) {
    const message = `steps ${circle.join(', ')} wait for each other in a circle`;
    throw new Problem({
      status: 409,
      title: 'Circle of steps',
      detail: `The ${message}. Nothing was changed.`,
      errors: [{ field: 'dependencies', message }],
    });
  }
}

/** Who changes which plan, as they name it. `seen`: the version that they saw; without it any version may be changed. */
export type About = { plan: string; by: string; seen?: number | undefined };

/**
 * Locks a plan, changes it and returns it.
 *
 * @throws Problem (404) when the caller has no such plan, (409) with the present plan when it has another version than the
 *   caller saw, or when steps then wait for each other in a circle
 */
async function change(
  tx: Tx,
  { plan, seen }: About,
  make: (id: string, current: Plan) => Promise<void>,
): Promise<Plan> {
  const id = await planId(tx, plan);
  await query(tx)`select hold_plan(${id})`;
  const current = await getPlan(tx, id);
  if (seen !== undefined && seen !== current.version)
    throw new Problem({
      status: 409,
      title: 'Plan has changed',
      detail: `The plan is no longer at version ${seen}. Nothing was changed; \`current\` is how it stands.`,
      current,
    });
  await make(id, current);
  await refuseCircles(tx, id);
  return getPlan(tx, id);
}

/** Changes a plan itself. @throws as {@link change}; Problem (409) when it has ended already, and otherwise */
export const changePlan = (
  tx: Tx,
  about: About,
  to: Partial<Pick<PlanRow, 'goal' | 'status' | 'constraints'>>,
): Promise<Plan> =>
  change(tx, about, async (id, current) => {
    if (to.status !== undefined && current.closedAt !== null && to.status !== current.status)
      throw new Problem({
        status: 409,
        title: 'Plan has ended',
        detail: `The plan has ended already, as ${current.status}. Nothing was changed.`,
        current,
      });
    const set = { ...to, changedBy: about.by };
    await tx.update(plans).set(set).where(sql`id = ${id}`);
  });

/** Adds a step behind the others. @throws as {@link change} */
export const addStep = (tx: Tx, about: About, step: NewStep): Promise<Plan> =>
  change(tx, about, async (planId, { steps }) => {
    const number = (steps.at(-1)?.number ?? 0) + 1;
    await tx.insert(planSteps).values({ ...step, planId, number, changedBy: about.by });
    await query(tx)`select settle_plan(${planId}, ${about.by})`;
  });

/** Changes a step, or accepts a proposed one. @throws as {@link change}; Problem (404) when there is no such step */
export const changeStep = (
  tx: Tx,
  about: About,
  number: number,
  to: Partial<Pick<StepRow, 'description' | 'dependencies' | 'waitingFor' | 'proposed'>>,
): Promise<Plan> =>
  change(tx, about, async (id) => {
    const rows = await tx
      .update(planSteps)
      .set({ ...to, changedBy: about.by })
      .where(sql`plan_id = ${id} and number = ${number}`)
      .returning({ number: planSteps.number });
    theOne(rows, 'step', `${number} of plan ${about.plan}`);
    await query(tx)`select settle_plan(${id}, ${about.by})`;
  });
