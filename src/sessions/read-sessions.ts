import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { theOne, withoutMark } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { kindOf } from '../kinds/kind.ts';
import { events, turns } from './schema.ts';
import { getSession, type Session, shownSessions } from './sessions.ts';

// Sessions as they are listed and shown.

/**
 * Returns up to `limit` of the caller's sessions, the most recently active first.
 *
 * @param filter.before Lore's id of a session: only those after it in this list are returned
 * @throws Problem (400) when `before` is not a session of the caller
 */
export const listSessions = (
  tx: Tx,
  projectId: string | undefined,
  { status, ...page }: { status?: Session['status'] | undefined; before?: string | undefined; limit: number },
) =>
  shownSessions.list(
    tx,
    [projectId && sql`t.project_id = ${projectId}::uuid`, status && sql`t.status = ${status}`],
    page,
  );

/** A session by which it is named, with what it is about. */
type Named = { id: string; content: string | null; project: string; from: string; ageDays: number };

/** Returns at most two of the caller's sessions whose id, Lore's or the client's, begins with a text of 8 characters or more. */
export async function sessionsNamed(tx: Tx, text: string, projectId?: string): Promise<Named[]> {
  const beginning = withoutMark(text.trim());
  if (!/^[\w-]{8,}$/.test(beginning)) return [];
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
 * Returns a session by Lore's id or the client's, or by the beginning of either.
 *
 * @throws Problem (404) when the caller has none, (409) when several begin so
 */
export async function sessionMeant(tx: Tx, reference: string) {
  const exact = await getSession(tx, reference);
  if (exact) return exact;
  const { id } = theOne(await sessionsNamed(tx, reference), 'session', reference);
  return theOne(await shownSessions.read(tx, sql`t.id = ${id}::uuid`), 'session', reference);
}

export const shownTurns = kindOf('session', turns, ['session', 'projectId', 'startKey', 'branch', 'said'], {
  answer: { as: z.string().nullable(), sql: sql`t.said` },
});

/** Returns up to `limit` turns of a session, the oldest first, by the client's id. */
export const listTurns = (tx: Tx, session: string, limit: number) =>
  shownTurns.read(tx, sql`t.session = ${session}`, sql`order by t.started_at, t.id limit ${limit}::int`);

export const shownEvents = kindOf('session', events, ['sessionId', 'dedupKey', 'payload', 'receivedAt'], {
  id: { as: z.number(), sql: sql`t.id::float8` },
});

/** Returns up to `limit` events of a session, the oldest first. */
export const listEvents = (tx: Tx, sessionId: string, limit: number) =>
  shownEvents.read(
    tx,
    sql`t.session_id = ${sessionId}`,
    sql`order by t.occurred_at, t.id limit ${limit}::int`,
  );
