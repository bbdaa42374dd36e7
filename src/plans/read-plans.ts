import { z } from '@hono/zod-openapi';
import { eq, sql } from 'drizzle-orm';
import { badRequest } from '../base/errors/problem.ts';
import { theOne, withoutMark } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { time, wire } from '../http/schemas.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { planSteps, plans } from './schema.ts';
import { aboutSteps, type Note, Plan, status, toSteps } from './view.ts';

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
  const rows = await query<{ id: string }>(tx, sql`select id from plans where ${is} limit 2`);
  return theOne(rows, 'plan', reference).id;
}

/**
 * Returns a plan by its id or the beginning of it.
 *
 * @throws Problem (404) when the caller has no such plan, (409) when the beginning is ambiguous
 */
export async function getPlan(tx: Tx, reference: string): Promise<Plan> {
  const plan = await readPlan(tx, await planId(tx, reference));
  return plan ?? theOne<Plan>([], 'plan', reference);
}

const project = projectNameOf(sql`plans.project_id`);
const sessionId = sql<
  string | null
>`(select s.client_session_id from sessions s where s.id = plans.session_id)`;

/** Returns a plan by its whole id; null if the caller has none. All of it is asked for at once. */
export async function readPlan(tx: Tx, id: string): Promise<Plan | null> {
  const [[head], stored, notes] = await Promise.all([
    tx.select({ plan: plans, project, sessionId }).from(plans).where(eq(plans.id, id)),
    tx.select().from(planSteps).where(eq(planSteps.planId, id)).orderBy(planSteps.number),
    query<Note & { step: number }>(
      tx,
      sql`select step, recorded_at as at, actor as agent, image ->> 'writer' as "writtenBy", image ->> 'text' as text
          from plan_changes where plan_id = ${id} and action = 'noted' order by version`,
    ),
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

/** A plan in a list, with the numbers of its steps. */
export const Summary = z
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
type Summary = z.infer<typeof Summary>;

/**
 * Returns plans, the newest first.
 *
 * @param filter.closed whether they are completed or failed
 * @param filter.before the id of a plan: only older ones are returned
 * @throws Problem (400) when `before` is not a plan of the caller
 */
export async function listPlans(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    closed?: boolean | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<Summary[]> {
  const { projectId = null, closed = null, before = null } = filter;
  if (before !== null) {
    const known = await query(tx, sql`select 1 from plans where id = ${before}::uuid`);
    if (known.length === 0) throw badRequest('before', `you have no plan ${before}`);
  }
  const rows = await query<Summary>(
    tx,
    sql`select p.id, (select name from projects where id = p.project_id) as project, p.goal, p.status, p.version,
          p.drafted_by as "draftedBy", p.created_at as "createdAt", p.updated_at as "updatedAt",
          p.closed_at as "closedAt", n.*
        from plans p cross join lateral (
          select count(*) filter (where not s.proposed)::int as steps,
            count(*) filter (where s.status = 'completed')::int as completed,
            count(*) filter (where s.status = 'in_progress')::int as "inProgress",
            count(*) filter (where s.status = 'failed')::int as failed,
            count(*) filter (where s.status = 'stopped')::int as stopped,
            count(*) filter (where s.proposed)::int as proposed,
            count(*) filter (where s.waiting_for is not null)::int as waiting
          from plan_steps s where s.plan_id = p.id) n
        where (${projectId}::uuid is null or p.project_id = ${projectId}::uuid)
          and (${closed}::boolean is null or (p.status not in ('planning', 'in_progress')) = ${closed}::boolean)
          and (${before}::uuid is null
            or (p.created_at, p.id) < (select b.created_at, b.id from plans b where b.id = ${before}::uuid))
        order by p.created_at desc, p.id desc limit ${filter.limit}`,
  );
  return rows.map((row) => ({
    ...row,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    closedAt: row.closedAt && iso(row.closedAt),
  }));
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
  const rows = await query<Change>(
    tx,
    sql`select c.version, c.recorded_at as at, c.step, c.action, c.actor, case
          when c.action = 'noted' then c.image ->> 'text'
          when c.step = 0 then c.image ->> 'goal'
          when c.action = 'waits' then c.image ->> 'waiting_for'
          when c.action in ('completed', 'failed', 'stopped') then c.image ->> 'outcome'
          else c.image ->> 'description'
        end as text
        from plan_changes c where c.plan_id = ${id} and c.version < ${before}::int
        order by c.version desc limit ${limit}`,
  );
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}
