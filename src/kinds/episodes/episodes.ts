import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { badRequest } from '../../base/errors/problem.ts';
import { idPrefix, theOne } from '../../base/text/short-id.ts';
import type { Erased, Erasure } from '../../db/erasure.ts';
import { query, type Tx } from '../../db/open.ts';
import { eraseOffers } from '../../offers/offers.ts';
import { eraseDocuments } from '../../search/erase.ts';
import { projectNameOf } from '../../sessions/projects.ts';
import { clientSessionId } from '../../sessions/sessions.ts';
import { forgetEpisodes } from '../findings.ts';
import { type EpisodeOutcome, episodes } from './schema.ts';

const {
  userId: _user,
  projectId: _project,
  sessionId: _session,
  startKey: _key,
  steps,
  ...own
} = getTableColumns(episodes);
/** The columns of an episode in a list. */
const listed = {
  ...own,
  project: projectNameOf(episodes.projectId),
  session: clientSessionId(episodes.sessionId),
};

const select = (tx: Tx) => tx.select({ ...listed, steps }).from(episodes);
/** `session` is null for an episode that was imported. */
type Episode = Omit<Awaited<ReturnType<typeof select>>[number], 'session'> & { session: string | null };

/** Returns SQL for an episode `e` in one line: its task, whether it worked, and how. */
const lineOf = sql<string>`concat(e.description, ' (', e.type, ', ',
  case e.outcome when 'success' then 'worked' when 'error' then 'failed' when 'stopped' then 'stopped'
    else 'not verified' end, ')',
  ': ' || nullif(coalesce(e.error, left(e.last_message, 200)), ''))`;

/** Returns SQL for an episode with its line as JSON, by SQL for its id; null if it is gone. */
export const episodeInLine = (id: SQL): SQL =>
  sql`(select json_build_object('id', e.id, 'line', ${lineOf}) from episodes e
       where e.user_id = auth.uid() and e.id = ${id})`;

/** Returns a session's episodes in their order, each in one line. */
export const episodesOfSession = (tx: Tx, sessionId: string): Promise<{ id: string; line: string }[]> =>
  query(
    tx,
    sql`select e.id, ${lineOf} as line from episodes e
        where e.user_id = auth.uid() and e.session_id = ${sessionId} order by e.started_at, e.id`,
  );

/**
 * Returns episodes without their steps, the newest first.
 *
 * @param filter.sessionId the client's session id, or Lore's
 * @throws Problem (400) when `before` is not an episode of the caller
 */
export async function listEpisodes(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    outcome?: EpisodeOutcome | undefined;
    sessionId?: string | undefined;
    /** the id of an episode: only those after it in this list are returned, which are older */
    before?: string | undefined;
    limit: number;
  },
) {
  const { projectId, outcome, sessionId, before } = filter;
  if (before !== undefined && (await tx.$count(episodes, eq(episodes.id, before))) === 0)
    throw badRequest('before', `you have no episode ${before}`);
  return tx
    .select(listed)
    .from(episodes)
    .where(
      and(
        projectId === undefined ? undefined : eq(episodes.projectId, projectId),
        outcome === undefined ? undefined : eq(episodes.outcome, outcome),
        sessionId === undefined
          ? undefined
          : sql`(${clientSessionId(episodes.sessionId)} = ${sessionId} or ${episodes.sessionId}::text = ${sessionId})`,
        before === undefined
          ? undefined
          : sql`(${episodes.startedAt}, ${episodes.id}) <
              (select b.started_at, b.id from episodes b where b.id = ${before}::uuid)`,
      ),
    )
    .orderBy(desc(episodes.startedAt), desc(episodes.id))
    .limit(filter.limit);
}

/**
 * Returns an episode with its steps, by its id or the beginning of it.
 *
 * @throws Problem (404) when the caller has no such episode, (409) when the beginning is that of several
 */
export async function getEpisode(tx: Tx, reference: string): Promise<Episode> {
  const prefix = idPrefix(reference);
  if (prefix === null) return theOne<Episode>([], 'episode', reference);
  const is =
    prefix.length === 36 ? eq(episodes.id, prefix) : sql`starts_with(${episodes.id}::text, ${prefix})`;
  return theOne<Episode>(await select(tx).where(is).limit(2), 'episode', reference);
}

/**
 * Erases the episodes of sessions, of a project, or from before an instant. With `keepLearned` they stay, and lose only
 * their references to the sessions.
 */
export async function erase(tx: Tx, { keepLearned, sessions, projectId, before }: Erasure): Promise<Erased> {
  const ofSessions = sql`session_id = any (${sql.param(sessions)}::uuid[])`;
  if (keepLearned) {
    await query(tx, sql`update episodes set session_id = null where ${ofSessions}`);
    return { episodes: 0, searchDocuments: 0, offers: 0 };
  }
  const rows = await query<{ id: string }>(
    tx,
    sql`select id from episodes
        where ${ofSessions} or project_id = ${projectId}::uuid or started_at < ${before}::timestamptz`,
  );
  const ids = rows.map(({ id }) => id);
  await forgetEpisodes(tx, ids);
  const searchDocuments = await eraseDocuments(tx, 'episode', ids);
  const offers = await eraseOffers(tx, ids);
  await query(tx, sql`delete from episodes where id = any (${sql.param(ids)}::uuid[])`);
  return { episodes: ids.length, searchDocuments, offers };
}
