import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest } from '../errors/problem.ts';
import { redactText } from '../redaction/redact.ts';
import { projectNamed, projectNameOf, setPrivateEpisodes } from '../sessions/projects.ts';
import { clientSessionId } from '../sessions/sessions.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import { type EpisodeOutcome, episodes, type TaskType } from './schema.ts';

const {
  userId: _user,
  projectId: _project,
  sessionId: _session,
  startKey: _key,
  corrected: _corrected,
  createdAt: _created,
  updatedAt: _updated,
  steps,
  ...own
} = getTableColumns(episodes);
/** The columns of an episode in a list. */
const listed = {
  ...own,
  project: projectNameOf(episodes.projectId),
  session: clientSessionId(episodes.sessionId),
};

/** `session` is null for an episode that was imported. */
type Listed = { session: string | null };
const select = (tx: Tx) => tx.select({ ...listed, steps }).from(episodes);
export type Episode = Omit<Awaited<ReturnType<typeof select>>[number], 'session'> & Listed;

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
 * @param filter.elsewhere whether those that are private to their project are left out
 * @throws Problem (400) when `before` is not an episode of the caller
 */
export async function listEpisodes(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    type?: TaskType | undefined;
    outcome?: EpisodeOutcome | undefined;
    sessionId?: string | undefined;
    /** the id of an episode: only those after it in this list are returned, which are older */
    before?: string | undefined;
    elsewhere: boolean;
    limit: number;
  },
) {
  const { projectId, type, outcome, sessionId, before } = filter;
  if (before !== undefined) {
    const [known] = await tx.select({ id: episodes.id }).from(episodes).where(eq(episodes.id, before));
    if (!known) throw badRequest('before', `you have no episode ${before}`);
  }
  return tx
    .select(listed)
    .from(episodes)
    .where(
      and(
        projectId === undefined ? undefined : eq(episodes.projectId, projectId),
        type === undefined ? undefined : eq(episodes.type, type),
        outcome === undefined ? undefined : eq(episodes.outcome, outcome),
        sessionId === undefined
          ? undefined
          : sql`(${clientSessionId(episodes.sessionId)} = ${sessionId} or ${episodes.sessionId}::text = ${sessionId})`,
        filter.elsewhere ? eq(episodes.private, false) : undefined,
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

export type EpisodeChange = {
  description?: string | undefined;
  type?: TaskType | undefined;
  private?: boolean | undefined;
};

/**
 * Corrects fields of an episode as a person wants it. A later cut of the session keeps the corrections.
 * Returns the episode.
 *
 * @throws Problem as `getEpisode`
 */
export async function changeEpisode(tx: Tx, reference: string, change: EpisodeChange): Promise<Episode> {
  const { id } = await getEpisode(tx, reference);
  const { description, type } = change;
  const corrected = [description !== undefined && 'description', type !== undefined && 'type'].filter(
    Boolean,
  );
  await tx
    .update(episodes)
    .set({
      ...change,
      ...(description !== undefined && { description: redactText(description) }),
      corrected: sql`array(select distinct c from unnest(${episodes.corrected} || ${sql.param(corrected)}::text[]) c)`,
      updatedAt: sql`now()`,
    })
    .where(eq(episodes.id, id));
  return getEpisode(tx, id);
}

/**
 * Sets whether a project's episodes are private to it, the present and the future ones. Returns how many
 * changed.
 */
export async function keepPrivate(tx: Tx, project: string, value: boolean): Promise<number> {
  const { id } = await projectNamed(tx, project);
  await setPrivateEpisodes(tx, id, value);
  const rows = await query(
    tx,
    sql`update episodes set private = ${value}, updated_at = now()
        where project_id = ${id} and private <> ${value} returning 1`,
  );
  return rows.length;
}
