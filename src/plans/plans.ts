import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest, Problem } from '../errors/problem.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { projectNamed } from '../sessions/projects.ts';
import { followPlan, getSession } from '../sessions/sessions.ts';
import { theOne, withoutMark } from '../text/short-id.ts';
import { planSteps, plans } from './schema.ts';
import { aboutSteps, iso, isoOrNull, type Note, type Plan, type StepImage, toSteps } from './view.ts';

// Plans that several agents share. SQL decides which change of a step is allowed and when its lease expires: sql/plans.

type StepRow = typeof planSteps.$inferInsert;
type PlanRow = typeof plans.$inferInsert;

/** `assignedTo`: the agent that is to do it */
export type NewStep = Pick<StepRow, 'description' | 'dependencies' | 'proposed' | 'assignedTo'>;
export type NewPlan = Omit<PlanRow, 'userId' | 'projectId' | 'changedBy'> & { steps: NewStep[] };

/** Most steps of a plan. */
const MAX_STEPS = 1000;

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

/** Plans are cited by at least four characters of their id, because an agent writes them into its calls. */
const PREFIX = /^[0-9a-f]{4,8}$|^[0-9a-f]{8}-[0-9a-f-]{0,27}$/;

/**
 * Returns the id of a plan by the id or the beginning of it. If several plans have the same beginning, the
 * open one of them is meant.
 *
 * @throws Problem (404) when the caller has no such plan, (409) when the beginning is that of several
 */
export async function planId(tx: Tx, reference: string): Promise<string> {
  const prefix = withoutMark(reference);
  if (!PREFIX.test(prefix)) return theOne<{ id: string }>([], 'plan', reference).id;
  const is = prefix.length === 36 ? sql`id = ${prefix}::uuid` : sql`starts_with(id::text, ${prefix})`;
  const rows = await query<{ id: string; open: boolean }>(
    tx,
    sql`select id, status in ('planning', 'in_progress') as open from plans where ${is} limit 20`,
  );
  const open = rows.filter((row) => row.open);
  return theOne(open.length === 1 ? open : rows, 'plan', reference).id;
}

/** Returns the caller's plans whose id begins with a text of 4 characters or more, as plans are cited. */
export async function plansNamed(tx: Tx, text: string, projectId?: string) {
  const prefix = withoutMark(text.trim());
  if (!PREFIX.test(prefix)) return [];
  return query<{ id: string; content: string; project: string; from: string; ageDays: number }>(
    tx,
    sql`select p.id, p.goal as content, o.name as project, p.created_at as "from",
          extract(epoch from now() - p.updated_at)::float8 / 86400 as "ageDays"
        from plans p join projects o on o.id = p.project_id
        where starts_with(p.id::text, ${prefix})
          and (${projectId ?? null}::uuid is null or p.project_id = ${projectId ?? null}::uuid)
        order by p.updated_at desc limit 10`,
  );
}

type Images = {
  plan: Pick<Plan, 'id' | 'goal' | 'status' | 'constraints' | 'learnings'> &
    Record<'agent_template' | 'drafted_by' | 'created_at', string> &
    Record<'project_type' | 'closed_at', string | null>;
  project: string;
  session: string | null;
  version: number;
  updatedAt: string;
  steps: StepImage[] | null;
  notes: (Note & { step: number })[] | null;
};

/** A plan shows this many of its latest notes. `history` shows all. */
const MAX_NOTES = 500;

/**
 * Returns a plan by its id or the beginning of it.
 *
 * @param asOf shows it as it was then
 * @throws Problem (404) when the caller has no such plan, or not yet at that time, (409) when the beginning is ambiguous
 */
export async function getPlan(tx: Tx, reference: string, asOf?: Date): Promise<Plan> {
  const id = await planId(tx, reference);
  const until = asOf === undefined ? sql`true` : sql`c.recorded_at <= ${asOf.toISOString()}::timestamptz`;
  const images =
    asOf === undefined
      ? sql`select 0 as step, to_jsonb(p) as image from plans p where p.id = ${id}
          union all select s.number, to_jsonb(s) from plan_steps s where s.plan_id = ${id}`
      : sql`select step, image from plan_as_of(${id}, ${asOf.toISOString()}::timestamptz)`;
  const [row] = await query<Images>(
    tx,
    sql`with images as materialized (${images}), latest as (
        select c.version, c.recorded_at from plan_changes c where c.plan_id = ${id} and ${until}
        order by c.version desc limit 1)
      select (select image from images where step = 0) as plan,
        (select jsonb_agg(image) from images where step > 0) as steps,
        (select name from projects where id = p.project_id) as project,
        (select s.client_session_id from sessions s where s.id = p.session_id) as session,
        coalesce((select version from latest), p.version)::int as version,
        coalesce((select recorded_at from latest), p.updated_at) as "updatedAt",
        (select jsonb_agg(n order by n.version) from (
          select c.step, c.version, c.recorded_at as at, c.actor as agent, c.image ->> 'text' as text,
            c.image ->> 'writer' as "writtenBy" from plan_changes c
          where c.plan_id = ${id} and ${until} and c.action = 'noted'
          order by c.version desc limit ${MAX_NOTES}) n) as notes
      from plans p where p.id = ${id}`,
  );
  if (!row?.plan) {
    throw new Problem({
      status: 404,
      title: 'Plan not found',
      detail: `There was no plan ${reference} at ${asOf?.toISOString()}.`,
    });
  }
  const { plan } = row;
  const steps = toSteps(row.steps ?? [], row.notes ?? []);
  return {
    id: plan.id,
    project: row.project,
    goal: plan.goal,
    status: plan.status,
    projectType: plan.project_type,
    constraints: plan.constraints,
    learnings: plan.learnings,
    agentTemplate: plan.agent_template,
    draftedBy: plan.drafted_by,
    sessionId: row.session,
    version: row.version,
    ...aboutSteps(steps),
    createdAt: iso(plan.created_at),
    updatedAt: iso(row.updatedAt),
    closedAt: isoOrNull(plan.closed_at),
    steps,
  };
}

/** Who changes which plan, as they name it. `seen`: the version that they saw; without it any version may be changed. */
type Change = { plan: string; by: string; seen?: number | undefined };

/**
 * Locks a plan, changes it and returns it.
 *
 * @throws Problem (404) when the caller has no such plan, (409) with the present plan when it has another version than the
 *   caller saw, or when steps then wait for each other in a circle
 */
async function change(
  tx: Tx,
  { plan, seen }: Change,
  make: (id: string, current: Plan) => Promise<void>,
): Promise<Plan> {
  const id = await planId(tx, plan);
  await query(tx, sql`select hold_plan(${id}, null)`);
  const current = await getPlan(tx, id);
  if (seen !== undefined && seen !== current.version) throw stale(current, seen);
  await make(id, current);
  await refuseCircles(tx, id);
  return getPlan(tx, id);
}

/** Changes a plan itself. @throws as {@link change}; Problem (409) when it has ended already, and otherwise */
export const changePlan = (
  tx: Tx,
  about: Change,
  to: Partial<
    Pick<PlanRow, 'goal' | 'status' | 'constraints' | 'projectType' | 'learnings' | 'agentTemplate'>
  >,
): Promise<Plan> =>
  change(tx, about, async (id, current) => {
    const ends = (status: unknown) => status === 'completed' || status === 'failed';
    if (ends(to.status) && ends(current.status) && to.status !== current.status) {
      throw new Problem({
        status: 409,
        title: 'Plan has ended',
        detail: `The plan has ended already, as ${current.status}. Nothing was changed.`,
        current,
      });
    }
    await tx
      .update(plans)
      .set({ ...to, changedBy: about.by })
      .where(sql`id = ${id}`);
  });

/** The problem of a change that was made to an older version. */
export const stale = (current: unknown, seen: number): Problem =>
  new Problem({
    status: 409,
    title: 'Plan has changed',
    detail: `The plan is no longer at version ${seen}. Nothing was changed; \`current\` is how it stands.`,
    current,
  });

/** Adds a step behind the others. @throws as {@link change}; Problem (409) when the plan is full */
export const addStep = (tx: Tx, about: Change, step: NewStep): Promise<Plan> =>
  change(tx, about, async (planId, { steps }) => {
    const number = (steps.at(-1)?.number ?? 0) + 1;
    if (number > MAX_STEPS) {
      throw new Problem({
        status: 409,
        title: 'Plan is full',
        detail: `A plan has at most ${MAX_STEPS} steps.`,
      });
    }
    await tx.insert(planSteps).values({ ...step, planId, number, changedBy: about.by });
    await query(tx, sql`select settle_plan(${planId}, ${about.by})`);
  });

/** Changes a step, or accepts a proposed one. @throws as {@link change}; Problem (404) when there is no such step */
export const changeStep = (
  tx: Tx,
  about: Change,
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
