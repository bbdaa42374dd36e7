import { sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';

/** Erases what a model said about sessions: those that are erased, those of a project, and those from before an instant. */
export async function erase(tx: Tx, { sessions, projectId, before, keepLearned }: Erasure): Promise<Erased> {
  const gone = await query(
    tx,
    sql`delete from session_audits
        where session_id = any (${sql.param(sessions)}::uuid[])
          or project_id = ${keepLearned ? null : projectId}::uuid or created_at < ${before}::timestamptz
        returning 1`,
  );
  return { audits: gone.length };
}
