import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';

/**
 * Erases the outputs of events: of these sessions, of a project, or from before an instant. If another event
 * produced the same output, the output stays without the link to the erased event.
 */
export async function erase(tx: Tx, { clientSessions, projectId, before }: Erasure): Promise<Erased> {
  const links = await query<{ id: string }>(
    tx,
    sql`delete from observation_sources
        where session = any (${sql.param(clientSessions)}::text[]) or project_id = ${projectId}::uuid
          or at < ${before}::timestamptz
        returning observation_id as id`,
  );
  const gone = await query(
    tx,
    sql`delete from observations o
        where o.id = any (${sql.param([...new Set(links.map(({ id }) => id))])}::text[])
          and not exists (select from observation_sources s where s.observation_id = o.id)
        returning 1`,
  );
  return { observations: gone.length };
}
