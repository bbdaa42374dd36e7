import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

/** Returns SQL for an episode `e` in one line: its task, whether it worked, and how. */
const lineOf = sql<string>`concat(e.description, ' (', e.type, ', ',
  case e.outcome when 'success' then 'worked' when 'error' then 'failed' when 'stopped' then 'stopped'
    else 'not verified' end, ')',
  ': ' || nullif(coalesce(e.error, left(e.last_message, 200)), ''))`;

/** Returns SQL for an episode with its line as JSON, by SQL for its id; null if it is gone. */
export const episodeInLine = (id: SQL): SQL =>
  sql`(select json_build_object('id', e.id, 'line', ${lineOf}) from episodes e
       where e.user_id = auth.uid() and e.id = ${id})`;

type EpisodeLine = { id: string; parentId: string | null; line: string };

/** Returns a session's episodes in their order, each in one line. */
export const episodesOfSession = (tx: Tx, sessionId: string): Promise<EpisodeLine[]> =>
  query<EpisodeLine>(
    tx,
    sql`select e.id, e.parent_id as "parentId", ${lineOf} as line from episodes e
        where e.user_id = auth.uid() and e.session_id = ${sessionId} order by e.started_at, e.id`,
  );
