import { sql } from 'drizzle-orm';
import { badRequest, Problem } from '../base/errors/problem.ts';
import { query, type Tx } from '../db/open.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { projectNamed } from '../sessions/projects.ts';
import { followPlan, getSession } from '../sessions/sessions.ts';
import { getPlan, planId } from './read-plans.ts';
import { planSteps, plans } from './schema.ts';
import type { Plan } from './view.ts';

// Plans that several agents share. SQL decides which change of a step is allowed and when its lease expires: sql/plans.

type StepRow = typeof planSteps.$inferInsert;
type PlanRow = typeof plans.$inferInsert;

/** `assignedTo`: the agent that is to do it */
export type NewStep = Pick<StepRow, 'description' | 'dependencies' | 'proposed' | 'assignedTo'>;
export type NewPlan = Omit<PlanRow, 'userId' | 'projectId' | 'changedBy'> & { steps: NewStep[] };

/** Redacts what a request says about a plan or a step. Call it before a transaction is opened. */
export const prepare = <T>(given: T): T => redactValue(given, WHOLE);

/**
 * Stores a prepared plan with its steps, all or nothing. Returns its id; null if there is one with this id already.
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
 * Stores a plan for a project that is named, see {@link createPlan}.
 *
 * @param session the client's session that follows it, or the beginning of its id
 */
export async function createPlanIn(tx: Tx, project: string, plan: NewPlan, session?: string): Promise<Plan> {
  const { id: projectId, name } = await projectNamed(tx, project);
  const found = session === undefined ? undefined : await getSession(tx, session);
  const sessionId = found?.project === name ? found.id : null;
  const id = (await createPlan(tx, projectId, { ...plan, sessionId })) as string;
  if (sessionId !== null) await followPlan(tx, sessionId, id);
  return getPlan(tx, id);
}

/**
 * @throws Problem (400) when a step depends on one that the plan does not have, (409) that names the steps of
 *   a circle
 */
async function refuseCircles(tx: Tx, planId: string): Promise<void> {
  const [row] = await query<{ circle: number[]; missing: number[] }>(
    tx,
    sql`select plan_circle(${planId}) as circle, array(
          select distinct d from plan_steps s, unnest(s.dependencies) d
          where s.plan_id = ${planId}
            and not exists (select from plan_steps o where o.plan_id = ${planId} and o.number = d)
          order by d) as missing`,
  );
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
  await query(tx, sql`select hold_plan(${id})`);
  const current = await getPlan(tx, id);
  if (seen !== undefined && seen !== current.version) throw stale(current, seen);
  await make(id, current);
  await refuseCircles(tx, id);
  return getPlan(tx, id);
}

/** The problem of a change that was made to an older version. */
const stale = (current: unknown, seen: number): Problem =>
  new Problem({
    status: 409,
    title: 'Plan has changed',
    detail: `The plan is no longer at version ${seen}. Nothing was changed; \`current\` is how it stands.`,
    current,
  });

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
    await query(tx, sql`select settle_plan(${planId}, ${about.by})`);
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
    if (rows.length === 0) throw noSuchStep(about.plan, number);
    await query(tx, sql`select settle_plan(${id}, ${about.by})`);
  });

/** Returns the problem (404) that a plan has no step with this number. */
export const noSuchStep = (reference: string, number: number): Problem =>
  new Problem({
    status: 404,
    title: 'Step not found',
    detail: `Plan ${reference} has no step ${number}.`,
  });
