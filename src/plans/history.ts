import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { time } from '../http/schemas.ts';
import { planId } from './plans.ts';
import { iso } from './view.ts';

/**
 * A change of a plan or of a step (0: the plan itself). `text`: the words of a note, else the outcome of the step.
 */
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
