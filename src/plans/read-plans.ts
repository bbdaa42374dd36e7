import { z } from '@hono/zod-openapi';
import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { theOne, withoutMark } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { createProjectMemory, type ProjectMemory, type ReadingServices } from '../db/project-memory.ts';
import { time, wire } from '../http/schemas.ts';
import { kindOf } from '../kinds/kind.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { planSteps, plans } from './schema.ts';
import { aboutSteps, type Note, Plan, toSteps } from './view.ts';

/** Plans are cited by at least four characters of their id, because an agent writes them into its calls. */
const PREFIX = /^[0-9a-f]{4,8}$|^[0-9a-f]{8}-[0-9a-f-]{0,27}$/;

/**
 * Returns the id of a plan by the id or the beginning of it.
 *
 * @throws Problem (404) when the caller has no such plan, (409) when the beginning is that of several
 */
export async function planId(tx: Tx, reference: string): Promise<string> {
  const prefix = withoutMark(reference);
  if (!PREFIX.test(prefix)) return theOne<{ id: string }>([], 'plan', reference).id;
  const is = prefix.length === 36 ? sql`id = ${prefix}::uuid` : sql`starts_with(id::text, ${prefix})`;
  const rows = await query<{ id: string }>(tx)`select id from plans where ${is} limit 2`;
  return theOne(rows, 'plan', reference).id;
}

/** Returns a plan by its id or the beginning of it. @throws as {@link planId} */
export async function getPlan(tx: Tx, reference: string): Promise<Plan> {
  const plan = await readPlan(tx, await planId(tx, reference));
  return plan ?? theOne<Plan>([], 'plan', reference);
}

const project = projectNameOf(sql`plans.project_id`);
const sessionId = sql<
  string | null
>`(select s.client_session_id from sessions s where s.id = plans.session_id)`;

const model = sql<
  string | null
>`case when started_at is not null then agent_model(session_id, agent_id, tool_use_id) end`;

/** Returns a plan by its whole id; null if the caller has none. All of it is asked for at once. */
export async function readPlan(tx: Tx, id: string): Promise<Plan | null> {
  const [[head], stored, notes] = await Promise.all([
    tx.select({ plan: plans, project, sessionId }).from(plans).where(eq(plans.id, id)),
    tx
      .select({ ...getTableColumns(planSteps), model })
      .from(planSteps)
      .where(eq(planSteps.planId, id))
      .orderBy(planSteps.number),
    query<Note & { step: number }>(tx)`
      select step, recorded_at as at, actor as agent, image ->> 'writer' as "writtenBy", image ->> 'text' as text
      from plan_changes where plan_id = ${id} and action = 'noted' order by version`,
  ]);
  if (!head) return null;
  const steps = toSteps(
    wire(stored),
    notes.map((note) => ({ ...note, at: iso(note.at) })),
  );
  // the schema leaves out what is not shown of the rows
  return Plan.parse({ ...wire({ ...head.plan, ...head }), ...aboutSteps(steps), steps });
}

const iso = (text: string): string => new Date(text).toISOString();

const steps = (which: SQL) => ({
  as: z.number(),
  sql: sql`(select count(*)::int from plan_steps s where s.plan_id = t.id and ${which})`,
});
/** Plans in a list, with the numbers of their steps. */
export const listed = kindOf('plan', plans, ['sessionId', 'constraints', 'changedBy'], {
  steps: steps(sql`not s.proposed`),
  completed: steps(sql`s.status = 'completed'`),
  inProgress: steps(sql`s.status = 'in_progress'`),
  failed: steps(sql`s.status = 'failed'`),
  stopped: steps(sql`s.status = 'stopped'`),
  proposed: steps(sql`s.proposed`),
  waiting: steps(sql`s.waiting_for is not null`),
});

/**
 * Returns plans, the newest first.
 *
 * @param filter.closed whether they are completed or failed
 * @param filter.before the id of a plan: only older ones are returned
 * @throws Problem (400) when `before` is not a plan of the caller
 */
export function listPlans(
  tx: Tx,
  projectId: string | undefined,
  { closed, ...page }: { closed?: 'true' | 'false' | undefined; before?: string | undefined; limit: number },
) {
  const isClosed = sql`t.status not in ('planning', 'in_progress')`;
  const where = [
    projectId && sql`t.project_id = ${projectId}::uuid`,
    closed && sql`(${isClosed})::text = ${closed}`,
  ];
  return listed.list(tx, where, page);
}

/** A change of a plan or of a step (0: the plan itself). `text`: the words of a note, else the outcome of the step. */
export const Change = z
  .object({
    version: z.number(),
    at: time,
    step: z.number(),
    action: z.string(),
    actor: z.string().nullable(),
    text: z.string().nullable(),
  })
  .openapi('PlanStepHistory');
export type Change = z.infer<typeof Change>;

/**
 * Returns the changes of a plan, the newest first.
 *
 * @param options.before only changes to older versions
 * @throws Problem (404) when the caller has no such plan, (409) when the beginning of its id is ambiguous
 */
export async function planHistory(
  tx: Tx,
  reference: string,
  { before = 2_147_483_647, limit }: { before?: number | undefined; limit: number },
): Promise<Change[]> {
  const id = await planId(tx, reference);
  const rows = await query<Change>(tx)`select c.version, c.recorded_at as at, c.step, c.action, c.actor, case
      when c.action = 'noted' then c.image ->> 'text'
      when c.step = 0 then c.image ->> 'goal'
      when c.action = 'waits' then c.image ->> 'waiting_for'
      when c.action in ('completed', 'failed', 'stopped') then c.image ->> 'outcome'
      else c.image ->> 'description'
    end as text
    from plan_changes c where c.plan_id = ${id} and c.version < ${before}::int
    order by c.version desc limit ${limit}`;
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}

// A call that went well is answered without the database. So the plans of the projects that are worked on are
// kept in memory.

/** A plan with its last changes, the newest first. */
export type WatchedPlan = { plan: Plan; changes: Change[] };

export type PlanMemory = ProjectMemory<WatchedPlan[]>;

/** How many of its last changes are kept of a plan, to tell agents what is new. */
const MAX_CHANGES = 60;
/** A project has rarely more than one or two. */
const MAX_WATCHED = 20;

/** Returns a memory of the plans in a database, the one that changed last first. Call `refresh` when plans were changed. */
export const createPlanMemory = (services: ReadingServices): PlanMemory =>
  createProjectMemory(services, 'plans', loadPlans);

/** Reads the open plans of a project and those that ended today. */
async function loadPlans(tx: Tx, projectId: string): Promise<WatchedPlan[]> {
  const rows = await query<{ id: string }>(tx)`select id from plans where project_id = ${projectId}
      and (status in ('planning', 'in_progress') or closed_at > now() - interval '1 day')
    order by updated_at desc limit ${MAX_WATCHED}`;
  return Promise.all(
    rows.map(async ({ id }) => {
      const [plan, changes] = await Promise.all([
        getPlan(tx, id),
        planHistory(tx, id, { limit: MAX_CHANGES }),
      ]);
      return { plan, changes };
    }),
  );
}
