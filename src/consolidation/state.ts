import { sql } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { askSystem } from '../db/system.ts';

/** Whether a user's night has been missed for a day and two hours, and when one last ended (ISO 8601). */
export type NightState = { late: boolean; lastRun: string | null };

/** Returns whether nights run in time, without counting rows. */
export async function nightState(db: Database): Promise<NightState> {
  const [row] = await askSystem<NightState>(
    db,
    sql`select late, to_json(last_run) #>> '{}' as "lastRun" from lore.consolidation_state()`,
  );
  return row ?? { late: false, lastRun: null };
}
