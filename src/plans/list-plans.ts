import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest } from '../errors/problem.ts';
import { time } from '../http/schemas.ts';
import { iso, isoOrNull, type Plan, status } from './view.ts';

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

/**
 * Returns plans, the newest first.
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
): Promise<z.infer<typeof Summary>[]> {
  const { projectId = null, status = null, closed = null, before = null } = filter;
  if (before !== null) {
    const known = await query(tx, sql`select 1 from plans where id = ${before}::uuid`);
    if (known.length === 0) throw badRequest('before', `you have no plan ${before}`);
  }
  const rows = await query<z.infer<typeof Summary>>(
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
          and (${before}::uuid is null
            or (p.created_at, p.id) < (select b.created_at, b.id from plans b where b.id = ${before}::uuid))
        order by p.created_at desc, p.id desc limit ${filter.limit}`,
  );
  return rows.map((row) => ({
    ...row,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    closedAt: isoOrNull(row.closedAt),
  }));
}
