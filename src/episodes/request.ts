import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

/**
 * Asks for a session to be cut into episodes soon, behind the answer. If a request already waits, it is
 * renewed.
 *
 * @param part `whole` reads all of it again, because older events have come in; `last` only since its last episode began
 */
export async function askToCut(tx: Tx, sessionId: string, part: 'last' | 'whole' = 'last'): Promise<void> {
  await query(
    tx,
    sql`insert into episode_cuts (session_id, part) values (${sessionId}, ${part})
        on conflict (user_id, session_id, part) do update set asked = episode_cuts.asked + 1, run_after = now(),
          attempts = 0, error = null, failed_at = null`,
  );
}
