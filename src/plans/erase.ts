import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { eraseOffers } from '../offers/offers.ts';
import { forgetPlans } from '../sessions/sessions.ts';

/**
 * Erases plans: those that were drafted in erased sessions, those of a project, and those from before an
 * instant. Other plans lose their references to the erased sessions.
 */
export async function erase(tx: Tx, { keepLearned, projectId, before, sessions }: Erasure): Promise<Erased> {
  const erased = sql`any (${sql.param(sessions)}::uuid[])`;
  const which = keepLearned ? sql`false` : sql`true`;
  const rows = await query<{ id: string }>(tx)`select id from plans where ${which}
      and (project_id = ${projectId}::uuid or created_at < ${before}::timestamptz or session_id = ${erased})`;
  const ids = rows.map(({ id }) => id);
  await forgetPlans(tx, ids);
  const offers = await eraseOffers(tx, ids);
  await query(tx)`delete from plans where id = any (${sql.param(ids)}::uuid[])`;
  // no new versions, because nothing of the plan has changed
  await query(tx)`select set_config('lore.restoring', 'on', true)`;
  await query(tx)`update plans set session_id = null where session_id = ${erased}`;
  await query(tx)`
    update plan_steps set session_id = null, tool_use_id = null, agent_id = null where session_id = ${erased}`;
  await query(tx)`update plan_changes set image = image - '{session_id,tool_use_id,agent_id}'::text[]
    where (image ->> 'session_id')::uuid = ${erased}`;
  await query(tx)`select set_config('lore.restoring', 'off', true)`;
  return { plans: ids.length, offers };
}
