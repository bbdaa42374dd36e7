import { inArray, or, sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import type { Tx } from '../db/open.ts';
import { incidents } from './schema.ts';

/**
 * Returns the ids of the errors that an erasure of sessions or of a time erases. Errors of other sessions are
 * among them if an erased session answered them, because they contain what that session did.
 */
export async function incidentsToErase(
  tx: Tx,
  { sessions, before }: Pick<Erasure, 'sessions' | 'before'>,
): Promise<string[]> {
  const rows = await tx
    .select({ id: incidents.id })
    .from(incidents)
    .where(
      or(
        inArray(incidents.sessionId, sessions),
        sql`${incidents.resolution} ->> 'sessionId' = any (${sql.param(sessions)}::text[])`,
        before === null ? undefined : sql`${incidents.openedAt} < ${before}::timestamptz`,
      ),
    );
  return rows.map(({ id }) => id);
}

/** Erases the errors of `erasure.incidents`, see {@link incidentsToErase}. Returns their number. */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const gone = await tx
    .delete(incidents)
    .where(sql`${incidents.id} = any (${sql.param(erasure.incidents)}::uuid[])`)
    .returning({ id: incidents.id });
  return { incidents: gone.length };
}
