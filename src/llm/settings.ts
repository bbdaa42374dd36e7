import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

export type Settings = {
  /** `off`: the model is asked nothing, and rules do what they can without it */
  modelSpending: 'on' | 'off';
};

/** Returns the caller's settings. */
export async function readSettings(tx: Tx): Promise<Settings> {
  const [row] = await query<{ spending: boolean }>(tx, sql`select model_spending as spending from settings`);
  return { modelSpending: row?.spending === false ? 'off' : 'on' };
}

/** Changes the caller's settings. It holds from the next call of the model on. */
export async function changeSettings(tx: Tx, { modelSpending }: Settings): Promise<Settings> {
  const spending = modelSpending === 'on';
  await query(
    tx,
    sql`insert into settings (model_spending) values (${spending})
        on conflict (user_id) do update set model_spending = excluded.model_spending, updated_at = now()`,
  );
  return { modelSpending };
}
