import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { planId } from './plans.ts';

/**
 * A change of a plan or of a step (0: the plan itself). `text`: the words of a note, else the outcome of the
 * step.
 */
export type Change = {
  version: number;
  at: Date;
  step: number;
  action: string;
  actor: string | null;
  text: string | null;
};

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
  const rows = await query<Omit<Change, 'at'> & { at: string }>(
    tx,
    sql`select c.version, c.recorded_at as at, c.step, c.action, c.actor, ${changeText} as text
        from plan_changes c where c.plan_id = ${id} and c.version < ${before}::int
        order by c.version desc limit ${limit}`,
  );
  return rows.map(({ at, ...change }) => ({ ...change, at: new Date(at) }));
}

/** SQL for what a change `c` says in words. */
const changeText = sql`case
  when c.action = 'noted' then c.image ->> 'text'
  when c.step = 0 then c.image ->> 'goal'
  when c.action = 'waits' then c.image ->> 'waiting_for'
  when c.action in ('completed', 'failed', 'stopped') then c.image ->> 'outcome'
  else c.image ->> 'description'
end`;
