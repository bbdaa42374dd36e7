import { sql } from 'drizzle-orm';
import { type Database, query, type Tx } from './open.ts';
import { retryWhenCutOff } from './retry.ts';

/** Who is calling, as the database sees it. */
export type Claims = { userId: string; role: 'owner' | 'member' };

/**
 * The only door to a tenant's rows: one transaction under role `authenticated` with the caller's claims, so that row
 * level security decides what it sees. Commits when `work` resolves, rolls back when it rejects.
 *
 * `readOnly` work that loses its connection is tried again, up to three times.
 *
 * Keep `work` short and free of model calls: the embedded engine runs one transaction at a time.
 */
export function asUser<T>(
  db: Database,
  claims: Claims,
  work: (tx: Tx) => Promise<T>,
  options: { readOnly?: boolean } = {},
): Promise<T> {
  const attempt = () => once(db, claims, work, options);
  // what writes is not repeated: it may have been committed
  return options.readOnly ? retryWhenCutOff(attempt) : attempt();
}

function once<T>(
  db: Database,
  claims: Claims,
  work: (tx: Tx) => Promise<T>,
  options: { readOnly?: boolean },
): Promise<T> {
  return db.drizzle.transaction(async (tx) => {
    const jwt = JSON.stringify({ sub: claims.userId, role: 'authenticated' });
    const scoped = tx as unknown as Tx;
    // Not waited for: the connection runs its statements in order, and if this one fails, so does all that follows.
    const asCaller = query(
      scoped,
      sql`select set_config('role', 'authenticated', true),
      set_config('request.jwt.claims', ${jwt}, true),
      set_config('transaction_read_only', ${options.readOnly ? 'on' : 'off'}, true)`,
    );
    const [result] = await Promise.all([work(scoped), asCaller]);
    return result;
  });
}
