import { sql } from 'drizzle-orm';
import { query, type Tx } from '../../db/open.ts';
import { type Offer, quote } from '../../offers/frame.ts';
import type { Template } from './schema.ts';

const MAX_STEPS_TOKENS = 130;

/**
 * Returns the commands that solved an error of this signature in two sessions or more, unless they failed as often. Told
 * in one line, only at this very error. Nothing else that is counted is told unasked.
 *
 * @param offered what the agent has in its context
 */
export async function recoveryFor(
  tx: Tx,
  projectId: string,
  signature: string,
  offered: string[],
): Promise<Offer[]> {
  const rows = await query<{ id: string; template: Template; successes: number; failures: number }>(
    tx,
    sql`select p.id, p.template, p.successes, p.failures from patterns p
        where p.user_id = auth.uid() and p.project_id = ${projectId} and p.signature = ${signature}
          and p.type = 'error_recovery' and p.status = 'active' and p.valid_until is null
          and p.successes > p.failures and not p.id = any (${sql.param(offered)}::uuid[])
        order by p.successes - p.failures desc, p.id limit 1`,
  );
  return rows.map(({ id, template, successes, failures }) => {
    const steps = quote(template.steps.map((step) => `\`${step}\``).join(', '), MAX_STEPS_TOKENS);
    const line = `[this error before] ${steps}, worked ${successes} of ${successes + failures} times (lore:${id.slice(0, 8)})`;
    return { kind: 'pattern', sourceId: id, relevance: 'high', lines: [line], fewerLines: [line] };
  });
}
