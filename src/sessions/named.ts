import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { theOne, withoutMark } from '../text/short-id.ts';
import { getSession } from './sessions.ts';

/** A session by which it is named, with what it is about. */
type Named = { id: string; content: string | null; project: string; from: string; ageDays: number };

/** Shorter beginnings of an id name nothing. */
const MIN_BEGINNING = 8;

/** Returns at most two of the caller's sessions whose id, Lore's or the client's, begins with a text of 8 characters or more. */
export async function sessionsNamed(tx: Tx, text: string, projectId?: string): Promise<Named[]> {
  const beginning = withoutMark(text.trim());
  if (beginning.length < MIN_BEGINNING || !/^[\w-]+$/.test(beginning)) return [];
  return query<Named>(
    tx,
    sql`select s.id, s.short_title as content, p.name as project, s.started_at as "from",
          extract(epoch from now() - s.last_activity)::float8 / 86400 as "ageDays"
        from sessions s join projects p on p.id = s.project_id
        where (starts_with(s.id::text, ${beginning}) or starts_with(lower(s.client_session_id), ${beginning}))
          and (${projectId ?? null}::uuid is null or s.project_id = ${projectId ?? null}::uuid)
        order by s.last_activity desc limit 2`,
  );
}

/**
 * Returns a session by Lore's id or the client's, or by the beginning of either; undefined if the caller has none.
 *
 * @throws Problem (409) when several begin so
 */
export async function sessionMeant(tx: Tx, reference: string) {
  const exact = await getSession(tx, reference);
  if (exact) return exact;
  const found = await sessionsNamed(tx, reference);
  return found.length === 0 ? undefined : getSession(tx, theOne(found, 'session', reference).id);
}
