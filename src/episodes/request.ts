import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

/**
 * Asks for a session to be cut into episodes soon, behind the answer. Asked for again while a request waits, that one is
 * taken up anew.
 *
 * @param whole read all of it again, because older events have come in; else only since its last episode began
 */
export async function askToCut(tx: Tx, sessionId: string, whole = false): Promise<void> {
  await query(
    tx,
    sql`insert into episode_cuts (session_id, whole) values (${sessionId}, ${whole})
        on conflict (user_id, session_id) do update set asked = episode_cuts.asked + 1,
          whole = episode_cuts.whole or excluded.whole, run_after = now(), attempts = 0, error = null, failed_at = null`,
  );
}
