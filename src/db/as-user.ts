import type { Database, Tx } from './open.ts';
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
    const scoped = tx as unknown as Tx;
    const settings = {
      role: 'authenticated',
      'request.jwt.claims': JSON.stringify({ sub: claims.userId, role: 'authenticated' }),
    };
    const entered = db.enter(scoped, settings, { readOnly: options.readOnly ?? false });
    const [result] = await Promise.all([work(scoped), entered]);
    return result;
  });
}
