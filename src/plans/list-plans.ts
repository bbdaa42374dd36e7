import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest } from '../errors/problem.ts';
import type { PLAN_STATUSES } from './schema.ts';
import type { Plan } from './view.ts';

/**
 * Returns plans, the newest first, with the numbers of their steps. A prompt with one thing to do is listed while it is
 * worked on; once it has ended it was no plan, and its session and its episode tell of it.
 *
 * @param filter.closed whether they are completed or failed
 * @throws Problem (400) when `before` is not a plan of the caller
 */
export async function listPlans(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    status?: Plan['status'] | undefined;
    closed?: boolean | undefined;
    /** the id of a plan: only older ones are returned */
    before?: string | undefined;
    limit: number;
  },
) {
  const { projectId = null, status = null, closed = null, before = null } = filter;
  if (before !== null) {
    const known = await query(tx, sql`select 1 from plans where id = ${before}::uuid`);
    if (known.length === 0) throw badRequest('before', `you have no plan ${before}`);
  }
  const rows = await query<{
    id: string;
    project: string;
    goal: string;
    status: (typeof PLAN_STATUSES)[number];
    version: number;
    draftedBy: string;
    createdAt: string;
    updatedAt: string;
    closedAt: string | null;
    steps: number;
    completed: number;
    inProgress: number;
    failed: number;
    stopped: number;
    proposed: number;
    waiting: number;
  }>(
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
          and (${status}::text is null or p.status = ${status}::text)
          and (${closed}::boolean is null or (p.status not in ('planning', 'in_progress')) = ${closed}::boolean)
          and (p.drafted_by <> 'prompt' or p.status in ('planning', 'in_progress') or n.steps + n.proposed > 1)
          and (${before}::uuid is null
            or (p.created_at, p.id) < (select b.created_at, b.id from plans b where b.id = ${before}::uuid))
        order by p.created_at desc, p.id desc limit ${filter.limit}`,
  );
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    closedAt: row.closedAt === null ? null : new Date(row.closedAt),
  }));
}

/** A project has rarely more than one or two. */
const MAX_WATCHED = 20;

/** Returns the ids of a project's open plans and of those that ended today, the one that changed last first. */
export async function plansToWatch(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select id from plans where project_id = ${projectId} and drafted_by <> 'prompt'
          and (status in ('planning', 'in_progress') or closed_at > now() - interval '1 day')
        order by updated_at desc limit ${MAX_WATCHED}`,
  );
  return rows.map(({ id }) => id);
}
